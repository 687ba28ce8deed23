/** A Kubernetes object as plain JSON. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: { readonly [key: string]: string };
    readonly annotations?: { readonly [key: string]: string };
  };
  // biome-ignore lint/suspicious/noExplicitAny: objects of every kind are read here, after a schema has judged them
  readonly [member: string]: any;
}

/** Why an object would be refused, or would do harm. */
export interface Finding {
  /** Kind and name of the object. */
  readonly object: string;
  /** Where in the object. */
  readonly path: string;
  /** What is wrong. */
  readonly message: string;
}

/** Collects the findings of one object. */
export class Findings {
  public readonly list: Finding[] = [];
  private readonly object: string;

  constructor(object: KubernetesObject) {
    this.object = `${object.kind ?? 'object'} '${object.metadata?.name ?? ''}'`;
  }

  /** Adds a finding unless the condition holds. */
  public expect(condition: boolean, path: string, message: string): void {
    if (!condition) {
      this.list.push({ object: this.object, path, message });
    }
  }
}
