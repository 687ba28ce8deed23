import { Token, Tokenization } from 'aws-cdk-lib';
import { createHash } from 'crypto';
import type { TableOptions } from './parallelism';

/** A variable of the job manager whose value is known only at deployment. */
export interface LateValue {
  /** Name of the environment variable. */
  readonly name: string;
  /** The value, with its tokens. */
  readonly value: string;
}

/**
 * Takes the values that only the deployment knows out of a script.
 *
 * The script stands in an immutable ConfigMap named by its digest, so it must read the same whatever its tokens become. They
 * become environment variables of the job manager, which the runner puts in: a value that changes then changes the pod, and the
 * operator restarts the job.
 */
export class LateValues {
  private readonly values: LateValue[] = [];

  /** What was taken out, in the order of the script. */
  public get variables(): LateValue[] {
    return this.values;
  }

  /**
   * Replaces each table option that holds a token.
   *
   * @param options options by table
   */
  public takeFromOptions(options: TableOptions): TableOptions {
    return Object.fromEntries(
      Object.entries(options).map(([table, tableOptions]) => [
        table,
        Object.fromEntries(
          Object.entries(tableOptions).map(([key, value]) => [
            key,
            Token.isUnresolved(value) ? this.take(`${table}_${key}`, value) : value,
          ]),
        ),
      ]),
    );
  }

  /**
   * Replaces each token that is left in a script.
   *
   * @param script rendered SQL
   */
  public takeFromText(script: string): string {
    const number = /-1\.888\d+e\+289/.exec(script);
    if (number) {
      throw new Error(
        `the SQL script holds the number token ${number[0]}, which is no number yet: put Token.asString(…) or a literal number there`,
      );
    }
    const list = /#\{Token\[[^\]]*\]\}/.exec(script);
    if (list) {
      throw new Error(`the SQL script holds the list token ${list[0]}, which is no text yet: put Fn.join(…) or a literal there`);
    }
    if (!Token.isUnresolved(script)) {
      return script;
    }
    const fragments = Tokenization.reverseString(script);
    return fragments.mapTokens({ mapToken: (token) => this.replace(this.nextTextName(), Token.asString(token)) }).join({
      join: (left, right) => `${left ?? ''}${right ?? ''}`,
    });
  }

  private take(path: string, value: string): string {
    // A value is put in once: a secret within it must stay in the script, so only the tokens around it are taken out.
    return value.includes('${env:') ? this.takeFromText(value) : this.replace(variableName(path), value);
  }

  private nextTextName(): string {
    return `SQL_VALUE_${this.values.filter(({ name }) => name.startsWith('SQL_VALUE_')).length + 1}`;
  }

  private replace(wanted: string, value: string): string {
    let name = wanted;
    for (let count = 2; this.values.some((variable) => variable.name === name); count += 1) {
      name = `${wanted}_${count}`;
    }
    this.values.push({ name, value: withoutExpansion(value) });
    return `\${env:${name}}`;
  }
}

/** Kubernetes replaces `$(NAME)` in the value of a variable and reads `$$` as one `$`: the literal parts must come through as they are. */
function withoutExpansion(value: string): string {
  return value
    .split(/(\$\{Token\[[^\]]*\]\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('$', () => '$$')))
    .join('');
}

function variableName(path: string): string {
  const readable = path
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  // A name without a letter of the alphabet (`表`) still needs a name of its own. The prefix keeps variables that the JVM or an SDK reads (AWS_REGION) out of reach of what tables are called.
  return readable !== '' && readable.length <= 120
    ? `TABLE_${readable}`
    : `TABLE_${createHash('sha256').update(path).digest('hex').slice(0, 12).toUpperCase()}`;
}
