/**
 * A name as it stands in Flink SQL: always in backticks, so that reserved words and any character are safe.
 *
 * @param name the plain name
 */
export function quoteIdentifier(name: string): string {
  return `\`${name.replace(/`/g, '``')}\``;
}

/**
 * A text as a Flink SQL string literal. Flink knows no escape but the doubled quote.
 *
 * @param text the plain text
 */
export function quoteString(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}

/**
 * Refuses what no Flink catalogue can hold.
 *
 * @param what what the name is for, as the message should call it
 * @param name the plain name
 */
export function checkName(what: string, name: string): void {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new Error(`${what} must not be empty, got '${name}'`);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these very characters are refused
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    throw new Error(`${what} must not hold control characters, got ${JSON.stringify(name)}`);
  }
  if (name.length > 256) {
    throw new Error(`${what} must have at most 256 characters, got ${name.length}: '${name.slice(0, 40)}…'`);
  }
  checkLiteral(what, name);
}

/**
 * Refuses text of the script that is not known at synth or that the job would replace when it starts: names, comments,
 * expressions and queries stand in the script as they are.
 *
 * @param what what the text is, as the message should call it
 * @param text the plain text
 */
export function checkLiteral(what: string, text: string): void {
  // Text, list and number tokens.
  if (/\$\{Token\[|#\{Token\[|-1\.888\d+e\+289/.test(text)) {
    throw new Error(`${what} must be known at synth, got an unresolved token in '${text.slice(0, 80)}'; give literal text`);
  }
  checkNoVariable(what, text);
}

/**
 * Refuses what the runner would replace when the job starts.
 *
 * @param what what the text is, as the message should call it
 * @param text the plain text
 */
export function checkNoVariable(what: string, text: string): void {
  if (text.includes('${env:')) {
    throw new Error(`${what} must not hold '\${env:': only secrets of table options are put in when the job starts`);
  }
}

/**
 * The COMMENT clause, empty where there is none.
 *
 * @param comment the plain comment
 */
export function commentClause(comment: string | undefined): string {
  return comment === undefined ? '' : ` COMMENT ${quoteString(comment)}`;
}
