import type { Artifact } from '../sql/artifact';

/** A JDBC driver other than the usual one of the database. */
export class JdbcDriver {
  /**
   * A driver class and the jar that holds it.
   *
   * MariaDB wants its own driver, which keeps milliseconds where MySQL's loses them:
   * `JdbcDriver.of('org.mariadb.jdbc.Driver', Artifact.maven('org.mariadb.jdbc:mariadb-java-client:3.5.6'))`, with
   * `?permitMysqlScheme` in a `jdbc:mysql:` URL.
   *
   * @param className driver class, with its package
   * @param jar jar of the driver
   */
  public static of(className: string, jar: Artifact): JdbcDriver {
    if (!/^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)+$/.test(className)) {
      throw new Error(`driver must be a Java class name with its package such as 'org.mariadb.jdbc.Driver', got '${className}'`);
    }
    return new JdbcDriver(className, jar);
  }

  private constructor(
    /** Driver class, with its package. */
    public readonly className: string,
    /** Jar of the driver. */
    public readonly jar: Artifact,
  ) {}
}
