import { redacted } from '../sql/redacted';
import { JDBC_DIALECTS, type JdbcDialect } from './jdbc-dialect';
import type { JdbcDriver } from './jdbc-driver';
import { textOption } from './typed-value';

/**
 * The dialect of a URL, which the connector chooses by its beginning. The rest of the URL may hold tokens.
 *
 * @param url the prop `url`
 * @param driver the prop `driver`
 */
export function checkJdbcUrl(url: string, driver: JdbcDriver | undefined): JdbcDialect {
  textOption('url', url);
  if (url.startsWith('jdbc:mariadb:')) {
    throw new Error(
      "url must begin with 'jdbc:mysql:' for MariaDB, got 'jdbc:mariadb:': the connector has no dialect of that name; use 'jdbc:mysql://host:port/database?permitMysqlScheme' with JdbcDriver.of('org.mariadb.jdbc.Driver', …)",
    );
  }
  const dialect = JDBC_DIALECTS.find((candidate) => url.startsWith(candidate.urlPrefix) && url.length > candidate.urlPrefix.length);
  if (!dialect || /\s/.test(url)) {
    const prefixes = JDBC_DIALECTS.map((candidate) => `'${candidate.urlPrefix}'`).join(', ');
    throw new Error(
      `url must begin with one of ${prefixes} and hold no spaces, got '${redacted(url)}'; a token may stand for the rest, other databases need CustomConnector`,
    );
  }
  checkNoCredentials(url);
  checkRewriting(url);
  if (driver?.className.startsWith('org.mariadb.') && !/[?&]permitMysqlScheme\b/.test(url)) {
    throw new Error(`url must hold the parameter 'permitMysqlScheme' for the MariaDB driver, which refuses 'jdbc:mysql:' otherwise`);
  }
  return dialect;
}

/** The URL stands in the SQL script; so the messages leave out what may be a password, too. */
function checkNoCredentials(url: string): void {
  if (/\/\/[^/?@]*@/.test(url) || /^jdbc:oracle:\w+:[^@]+@/.test(url) || /[?&;(,](user|username|password)=/i.test(url)) {
    throw new Error(`url must not hold a user name or password, got '${redacted(url)}'; give credentials with a SecretRef`);
  }
}

/** The MySQL dialect adds `rewriteBatchedStatements=true` unless the URL speaks of it; without it each row is a round trip. */
function checkRewriting(url: string): void {
  for (const [, key, value] of url.matchAll(/[?&]([^=&]+)(?:=([^&]*))?/g)) {
    if (/^rewrite_?batch/i.test(key!) && key !== 'rewriteBatchedStatements') {
      throw new Error(`url must spell the parameter 'rewriteBatchedStatements', got '${key}'; leave it out: the connector adds it`);
    }
    if (key === 'rewriteBatchedStatements' && value?.toLowerCase() !== 'true') {
      throw new Error(
        `url must not switch rewriteBatchedStatements off, got '${value ?? ''}': each row would be a round trip; leave it out`,
      );
    }
  }
}
