import { annotationsOf, objectName } from './kubernetes-object';

const KIB = 1024;
/** Limit of all annotations of an object together, keys and values. */
const ANNOTATIONS = 256 * KIB;
/** `kubectl apply` keeps the object as JSON, ended by a newline, in this annotation. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Limit of the data of a ConfigMap over all its keys. */
const CONFIG_MAP_DATA = 1024 * KIB;
/** etcd takes requests of 1.5 MiB; a dry run does not see it. */
const STORED_OBJECT = 1536 * KIB;

/**
 * Errors for objects that `kubectl apply` cannot apply: measured, 250 KiB pass and 256 KiB fail.
 *
 * @param objects the objects of one manifest, tokens resolved to what stands in the template
 */
export function appliedSizeErrors(objects: object[]): string[] {
  const errors: string[] = [];
  for (const object of objects) {
    const size = bytes(JSON.stringify(object)) + 1 + LAST_APPLIED.length + annotationBytes(annotationsOf(object));
    if (size > ANNOTATIONS) {
      errors.push(
        `${objectName(object)} takes ${size} bytes as kubectl applies it, more than ${ANNOTATIONS}: ` +
          'make it smaller (shorten or split the SQL script), or use DeploymentTarget.manifests and server-side apply',
      );
    }
  }
  return errors;
}

/**
 * Errors for objects that the Kubernetes API cannot store.
 *
 * @param objects the objects, without tokens
 */
export function storedSizeErrors(objects: object[]): string[] {
  const errors: string[] = [];
  for (const object of objects) {
    const { kind, data, binaryData } = object as { kind?: string; data?: object; binaryData?: object };
    if (kind === 'ConfigMap') {
      const size = [...Object.values(data ?? {}), ...Object.values(binaryData ?? {})].reduce((sum, value) => sum + bytes(String(value)), 0);
      if (size > CONFIG_MAP_DATA) {
        errors.push(
          `${objectName(object)} holds ${size} bytes of data, more than ${CONFIG_MAP_DATA}: shorten the SQL script, or split the job`,
        );
        continue;
      }
    }
    errors.push(...annotationErrors(object, '', objectName(object)));
    // The Flink operator copies the spec into the status.
    const limit = kind === 'FlinkDeployment' ? STORED_OBJECT / 2 : STORED_OBJECT;
    const size = bytes(JSON.stringify(object));
    if (size > limit) {
      errors.push(`${objectName(object)} takes ${size} bytes, more than ${limit}: move what is large out of the object`);
    }
  }
  return errors;
}

/** The object's own annotations, and those of pods that it describes. */
function annotationErrors(value: object, path: string, name: string): string[] {
  const errors = Object.entries(value).flatMap(([key, item]) =>
    /^(spec|jobManager|taskManager|podTemplate|template)$/.test(key) && typeof item === 'object' && item !== null
      ? annotationErrors(item, `${path}${key}.`, name)
      : [],
  );
  const size = annotationBytes(annotationsOf(value));
  if (size > ANNOTATIONS) {
    errors.unshift(`'${path}metadata.annotations' of ${name} takes ${size} bytes, more than ${ANNOTATIONS}: shorten or remove some`);
  }
  return errors;
}

function annotationBytes(annotations: { readonly [key: string]: string }): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + bytes(key) + bytes(String(value)), 0);
}

function bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
