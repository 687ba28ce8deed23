const SECRET_PARAMETER = /([\w.-]*(?:password|passwd|pwd|passphrase|secret|token|user|username)\s*=\s*)(?:"[^"]*"|'[^']*'|[^&;)\s]*)/gi;

/**
 * A URL, host or URI as a message may show it: without what may be a password. Every message that echoes one takes this, since a
 * message ends in the log of a build server.
 *
 * @param text the text as the user gave it
 */
export function redacted(text: string): string {
  const at = text.lastIndexOf('@');
  const start = /^(?:(?:[a-z][a-z0-9+.-]*:)+\/\/|jdbc:oracle:\w+:)?/i.exec(text)![0].length;
  const shown = at > start ? `${text.slice(0, start)}***${text.slice(at)}` : text;
  return shown.replace(SECRET_PARAMETER, '$1***');
}
