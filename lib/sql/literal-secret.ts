import type { SecretRef } from './secret-ref';

const REFERENCE = /\$\{env:([^}]*)\}/g;
const HOW_TO_REFER = 'give SecretRef.kubernetes(…) or SecretRef.secretsManager(…), so that the value never stands in the SQL';

/** `password="…"` of a JAAS configuration, `?password=…` of a URL, `clientSecret=…`. */
const ASSIGNED =
  /(?:^|[\s?&;,(])[\w.-]*(?:password|passwd|pwd|passphrase|secret)\s*=\s*(?:"[^"]+"|'[^']+'|[^\s"'&;]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----/i;

/**
 * Why an option must not have its value, where that is or holds a secret that anybody could read.
 *
 * @param option name of the option
 * @param value its value
 * @param secrets the secrets that the value may refer to
 */
export function secretComplaint(option: string, value: string, secrets: readonly SecretRef[]): string | undefined {
  const declared = new Set(secrets.map((secret) => secret.variableName));
  const undeclared = [...value.matchAll(REFERENCE)].find((reference) => !declared.has(reference[1]));
  if (undeclared) {
    return `'${option}' refers to '${undeclared[0]}', which no secret declares: ${HOW_TO_REFER}`;
  }
  const rest = value.replace(REFERENCE, '');
  if (namesSecret(option) && rest === value) {
    return `'${option}' is a secret and must not be a literal or a token: ${HOW_TO_REFER}`;
  }
  return /:\/\/[^/@\s:]*:[^/@\s]+@/.test(rest) || ASSIGNED.test(rest) ? `'${option}' holds a password: ${HOW_TO_REFER}` : undefined;
}

/** `password`, `properties.ssl.key.password`, `client-secret`, `apiToken`; not `secret.file` or `token.endpoint.url`. */
function namesSecret(option: string): boolean {
  const words = option
    .slice(option.lastIndexOf('.') + 1)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const last = words[words.length - 1];
  const secret = ['password', 'passwd', 'passphrase', 'secret', 'secretkey', 'token'];
  return (
    secret.includes(last) ||
    /basic[.-]auth[.-]user[.-]info$|keystore\.key$/.test(option) ||
    (last === 'key' && ['secret', 'api'].includes(words[words.length - 2]))
  );
}
