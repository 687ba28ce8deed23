import { objectName } from './kubernetes-object';

/** What every YAML reader takes for text without quotes: words, paths, placeholders; quantities (`30 s`, `2048m`); images of ECR. */
const PLAIN = /^(?:[A-Za-z/$][\w ./:@%+=(){}$,;-]*|\d+ [a-z]+|[1-9]\d*[A-Za-z]+|\d+\.[a-z]{2}[\w./:@-]*)$/;
const NOT_PLAIN = /: |[: ]$|^(?:y|n|yes|no|on|off|true|false|null|e\d+)$/i;
/** Characters that a YAML text holds only as an escape. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
/** Several lines that can stand as they are; the first must show how far they are indented. */
const LINES = /^(?!\s)[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\uffff\u{10000}-\u{10ffff}]*$/u;

/**
 * Objects as one YAML file, in their order, for readers of YAML 1.1 and 1.2.
 *
 * Plain JSON needs little of YAML, and the general writer of cdk8s takes longer than all else that a job adds to a synthesis.
 *
 * @param objects Kubernetes objects as plain JSON
 */
export function toYaml(objects: object[]): string {
  return objects.map((object) => `${node(object, '').trimStart()}\n`).join('---\n');
}

/** What stands after a key or a dash: a scalar on the same line, or a block on lines of its own. */
function node(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    return ` ${value.includes('\n') && LINES.test(value) ? literal(value, indent) : scalar(value)}`;
  }
  if (typeof value !== 'object' || value === null) {
    return ` ${JSON.stringify(value)}`;
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0 ? ' []' : value.map((item) => `\n${indent}- ${node(item, inner).trimStart()}`).join('');
  }
  const entries = Object.entries(value);
  return entries.length === 0 ? ' {}' : entries.map(([key, item]) => `\n${indent}${scalar(key)}:${node(item, inner)}`).join('');
}

function scalar(text: string): string {
  if (PLAIN.test(text) && !NOT_PLAIN.test(text)) {
    return text;
  }
  // A JSON text is a quoted YAML text.
  return JSON.stringify(text).replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function literal(text: string, indent: string): string {
  const ended = text.endsWith('\n');
  const chomping = ended ? (text.endsWith('\n\n') ? '+' : '') : '-';
  const lines = (ended ? text.slice(0, -1) : text).split('\n');
  return `|${chomping}\n${lines.map((line) => (line === '' ? '' : `${indent}${line}`)).join('\n')}`;
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
