import { DataTypeRoot } from '../sql/data-type';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

const MYSQL = /^jdbc:mysql:/;
/** The two names of one property. */
const TIME_ZONE = /[?&,(](?:connectionTimeZone|serverTimezone)=([^&,)]+)/;
const KEEPS_WALL_CLOCK = /[?&,(]preserveInstants=false\b/i;
/** What is no other zone than that of the pods, or known to the server alone. */
const SAME_ZONE = /^(LOCAL|SERVER|UTC|GMT|Z|Etc\/(UTC|GMT)|\+00:?00)$/i;

/** Flink hands wall-clock times to the driver, which takes them for instants. */
export const shiftedTimestamps: Rule = {
  name: 'ShiftedTimestamps',
  level: 'warning',
  looksAt: 'the time zone in the URL of MySQL sinks, and their TIMESTAMP columns',
  description: 'The URL of a MySQL sink names a time zone other than that of the pods, which is UTC.',
  why: "The driver converts each TIMESTAMP from the pods' time zone to that of the URL: the window of 12:00 stands as 20:00 in the database with `connectionTimeZone=Asia/Shanghai`, and where clocks change two windows get one key.",
  cure: 'Leave `connectionTimeZone` and `serverTimezone` out of the URL, so that times are written as they are; convert in the query where readers want local time. Acknowledge it where `TZ` sets the same zone in the pods, or the shift is meant.',
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program._usedTables().flatMap(({ name, binding, columns }) => {
          const zone = binding.sink && zoneOf(binding.options);
          const times = columns.filter(({ type }) => type?.root === DataTypeRoot.TIMESTAMP);
          return zone !== undefined && times.length > 0
            ? [
                {
                  table: name,
                  message: `the url of table '${name}' of job '${jobName}' names the time zone '${zone}', and the pods run in UTC: the driver shifts ${times.map((column) => column.name).join(', ')} by the difference; leave connectionTimeZone and serverTimezone out, or acknowledge this where the shift is meant`,
                },
              ]
            : [];
        })
      : [],
};

/** The zone that Connector/J converts to; MariaDB's driver converts only where it is told to. */
function zoneOf({ url, driver }: { readonly [option: string]: string }): string | undefined {
  if (url === undefined || !MYSQL.test(url) || KEEPS_WALL_CLOCK.test(url) || !(driver ?? 'com.mysql').startsWith('com.mysql')) {
    return undefined;
  }
  const zone = TIME_ZONE.exec(url)?.[1]?.replace(/%2F/gi, '/').replace(/%2B/gi, '+').replace(/%3A/gi, ':');
  return zone === undefined || zone.includes('${Token[') || SAME_ZONE.test(zone) ? undefined : zone;
}
