/** The parts of a Kubernetes object that are read here; the object itself is plain JSON. */
interface ObjectHead {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly annotations?: { readonly [key: string]: string } };
}

/**
 * Names an object for a message: `ConfigMap 'user-events-sql'`.
 *
 * @param object a Kubernetes object as plain JSON
 */
export function objectName(object: object): string {
  const { kind, metadata } = object as ObjectHead;
  return `${kind ?? 'object'} '${metadata?.name ?? ''}'`;
}

/**
 * Annotations of an object.
 *
 * @param object a Kubernetes object as plain JSON
 */
export function annotationsOf(object: object): { readonly [key: string]: string } {
  return (object as ObjectHead).metadata?.annotations ?? {};
}
