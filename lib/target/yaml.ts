import { Yaml } from 'cdk8s';
import { objectName } from './kubernetes-object';

/**
 * Objects as one YAML file, in their order.
 *
 * @param objects Kubernetes objects as plain JSON
 */
export function toYaml(objects: object[]): string {
  return Yaml.stringify(...objects);
}

/**
 * Errors for the few texts that YAML 1.1 and YAML 1.2 readers would read differently from what was written.
 *
 * @param objects Kubernetes objects as plain JSON
 */
export function yamlErrors(objects: object[]): string[] {
  const errors: string[] = [];
  for (const object of objects) {
    visit(object, [], (text, path, isKey) => {
      const where = `${isKey ? 'a key' : `'${path.join('.')}'`} of ${objectName(object)}`;
      if (/^0o[0-7]+$/.test(text)) {
        errors.push(`${where} is '${text}', which YAML 1.2 readers take for an octal number: write it in another way`);
      } else if (/[\u007f-\u009f\u2028\u2029\ufeff]/.test(text)) {
        errors.push(`${where} holds a control character or line separator (U+007F to U+009F, U+2028, U+2029 or U+FEFF): remove it`);
      } else if (/^[ \n]+$/.test(text) && text.includes('\n') && text.includes(' ')) {
        errors.push(`${where} is nothing but blank lines, which YAML does not keep: leave it empty`);
      } else if (isKey && text === '<<') {
        errors.push(`${where} is '<<', which YAML 1.1 readers take for a merge: use another key`);
      }
    });
  }
  return errors;
}

function visit(value: unknown, path: string[], onText: (text: string, path: string[], isKey: boolean) => void): void {
  if (typeof value === 'string') {
    onText(value, path, false);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) {
        onText(key, path, true);
      }
      visit(item, [...path, key], onText);
    }
  }
}
