import { type Nulls, nullsOf } from '../queries/expression-nulls';
import { type Column, ColumnKind } from '../sql/column';
import type { DataType } from '../sql/data-type';
import { SqlProgram } from '../sql/sql-program';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import type { SqlTable } from '../sql/sql-table';
import { isWord } from '../sql/sql-tokens';
import type { Rule } from './rule';
import { valueFormat } from './value-format';

/** Connectors whose rows others write. */
const FROM_OUTSIDE = /^(kafka|upsert-kafka|kinesis|filesystem)$/;
/** Formats that read a null, or nothing, into any column. */
const READS_NULL = /^(json|debezium-json)$/;

/** Flink cannot place a row without a time. */
export const nullableEventTime: Rule = {
  name: 'NullableEventTime',
  level: 'warning',
  looksAt: 'the event-time columns of Kafka, Kinesis and file sources, and what they are computed from',
  description: 'The column under a watermark can be null, or is made of a NOT NULL column of JSON, which nobody checks.',
  why: 'The first row without an event time ends the job, and again after each restart: one bad record stops all its sinks.',
  cure: "Leave the column nullable, and make the event time a computed column with a time that is late instead of null: `COALESCE(clicked_at, TIMESTAMP '1970-01-01 00:00:00.000')`, and leave those rows out where they do not count. Acknowledge it where the producer always writes a time.",
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program
          ._usedTables()
          .filter(({ binding }) => binding.source !== undefined && FROM_OUTSIDE.test(binding.identifier))
          .flatMap((table) => {
            const column = table.watermark?.column;
            const nulls = column === undefined ? 'never' : nullsOfColumn(table, [column], []);
            return nulls === 'never'
              ? []
              : [
                  {
                    table: table.name,
                    message: `the event time '${column}' of table '${table.name}' of job '${jobName}' ${WORDS[nulls]}, and the first null ends the job, again after each restart; compute it by COALESCE(…, TIMESTAMP '1970-01-01 00:00:00.000') of nullable columns, or acknowledge this where the producer always writes it`,
                  },
                ];
          })
      : [],
};

const WORDS = {
  may: 'can be null',
  believed: 'is made of a NOT NULL column, which Flink does not check when it reads, so that it can be null',
};

/**
 * @param path a column, and the field of a ROW in it
 * @param seen computed columns on the way there
 */
function nullsOfColumn(table: SqlTable, [name, ...fields]: string[], seen: string[]): Nulls {
  const column = table.columns.find((one) => one.name === name);
  switch (column?.kind) {
    case ColumnKind.COMPUTED:
      return seen.includes(column.name) ? 'never' : nullsOf(expressionOf(column), (path) => nullsOfColumn(table, path, [...seen, name!]));
    case ColumnKind.PHYSICAL:
      return canBeNull(column.type!, fields) ? 'may' : READS_NULL.test(valueFormat(table.binding)?.identifier ?? '') ? 'believed' : 'never';
    default:
      return 'never';
  }
}

function canBeNull({ nullable, _fields }: DataType, [name, ...fields]: string[]): boolean {
  const field = _fields.find((one) => one.name === name);
  return nullable || (field !== undefined && canBeNull(field.type, fields));
}

/** What stands behind the name and AS of a computed column, without its comment. */
function expressionOf(column: Column): SqlToken[] {
  const { tokens } = scanSql(`column '${column.name}'`, column._toSql(false));
  return tokens.slice(2, isWord(tokens.at(-2), 'COMMENT') ? -2 : undefined);
}
