import { requireProps, SECRET } from '../sql/required-props';
import type { SecretRef } from '../sql/secret-ref';
import { textOption } from './typed-value';

/** A user name and its password, always both: connectors refuse one without the other. */
export class Credentials {
  /**
   * A user name that may be read by anybody, and a password from a secret.
   *
   * @param username user name
   * @param password where the password is
   */
  public static of(username: string, password: SecretRef): Credentials {
    requireProps('Credentials.of', { password }, { password: SECRET });
    return new Credentials(textOption('username', username), password, [password]);
  }

  /**
   * User name and password from secrets.
   *
   * @param username where the user name is
   * @param password where the password is
   */
  public static fromSecrets(username: SecretRef, password: SecretRef): Credentials {
    requireProps('Credentials.fromSecrets', { username, password }, { username: SECRET, password: SECRET });
    return new Credentials(`${username}`, password, [username, password]);
  }

  private constructor(
    private readonly username: string,
    private readonly password: SecretRef,
    /**
     * Secrets that the options refer to.
     *
     * @internal
     */
    public readonly _secrets: SecretRef[],
  ) {}

  /** @internal */
  public _options(): { [key: string]: string } {
    return { username: this.username, password: `${this.password}` };
  }
}
