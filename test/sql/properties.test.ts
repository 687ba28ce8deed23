import { Duration } from 'aws-cdk-lib';
import fc from 'fast-check';
import { Column } from '../../lib/sql/column';
import { DataType, type RowField } from '../../lib/sql/data-type';
import { checkName, commentClause, quoteIdentifier, quoteString } from '../../lib/sql/identifier';
import { SqlProgram } from '../../lib/sql/sql-program';
import { checkExpression } from '../../lib/sql/sql-scanner';
import { tableReferences } from '../../lib/sql/table-references';
import { Watermark } from '../../lib/sql/watermark';
import { FixedConnector } from './fixed-connector';
import { identifiersOf, readStatements, stringsOf } from './sql-reader';

const FRAGMENTS = [
  "'",
  "''",
  '`',
  '"',
  '--',
  '//',
  '/*',
  '*/',
  ';',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\\',
  '(',
  ')',
  ',',
  '.',
  '$',
  '{',
  'END',
  ' ',
  '\ud800',
  '🦩',
];
/** Any text, more hostile than chance would make it. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
);
const literal = text.filter((candidate) => !candidate.includes('${env:') && !candidate.includes('${Token['));
const name = literal.filter((candidate) => {
  try {
    checkName('name', candidate);
    return true;
  } catch {
    return false;
  }
});

test('any string survives as a literal, an identifier and a comment', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(readStatements(`${quoteString(any)};`)).toEqual([[{ kind: 'string', text: any }]]);
      expect(readStatements(`${quoteIdentifier(any)};`)).toEqual([[{ kind: 'identifier', text: any }]]);
      expect(stringsOf(readStatements(`x${commentClause(any)};`)[0]!)).toEqual([any]);
    }),
  );
});

test('the scanner reads what the quotes wrote', () => {
  fc.assert(
    fc.property(literal, literal, (string, identifier) => {
      fc.pre(!/\[object \w+\]|object at 0x/.test(string + identifier));
      const sql = `f(${quoteString(string)}, ${quoteIdentifier(identifier)}) -- end`;
      const { tokens } = checkExpression('expression', sql);
      const quoted = tokens.filter(({ kind }) => kind === 'string' || kind === 'identifier');
      expect(quoted.map(({ kind, text, start, end }) => ({ kind, text, written: sql.slice(start, end) }))).toEqual([
        { kind: 'string', text: string, written: quoteString(string) },
        { kind: 'identifier', text: identifier, written: quoteIdentifier(identifier) },
      ]);
    }),
  );
});

test('any table is found by its quoted name', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      fc.pre(one !== other && !/\[object \w+\]|object at 0x/.test(one + other));
      const query = `SELECT ${quoteString(other)} FROM ${quoteIdentifier(one)} AS ${quoteIdentifier(other)} WHERE x = ${quoteIdentifier(other)}.y`;
      expect(tableReferences(checkExpression('query', query).tokens)).toEqual([{ name: one, temporal: false }]);
    }),
  );
});

test('a query either is refused or stays one statement', () => {
  fc.assert(
    fc.property(literal, (tail) => {
      const program = new SqlProgram();
      const sink = program.addTable('sink', { connector: FixedConnector.sink(), columns: [Column.physical('id', DataType.STRING)] });
      try {
        program.addInsert(sink, `SELECT ${tail}`);
      } catch {
        return;
      }
      program.set('table.exec.state.ttl', '1 d');
      // SET, CREATE TABLE, EXECUTE STATEMENT SET BEGIN INSERT …, END
      expect(readStatements(program.toSql()).map((tokens) => tokens[0]?.text)).toEqual(['S', 'C', 'E', 'E']);
    }),
    { numRuns: 1_000 },
  );
});

test('no name, comment or option adds a statement or is lost', () => {
  fc.assert(
    fc.property(
      fc.record({
        table: name,
        column: name,
        view: name,
        comment: literal,
        columnComment: literal,
        tableComment: literal,
        option: text,
        contract: text,
      }),
      (any) => {
        fc.pre(any.table !== any.view && !/\[object \w+\]|object at 0x/.test(any.table + any.column));
        const program = new SqlProgram();
        const type = DataType.row({ name: any.column, type: DataType.INT, comment: any.comment });
        const table = program.addTable(any.table, {
          connector: FixedConnector.source('datagen', { [`x${any.option}`]: any.option }).with({ contract: [any.contract] }),
          columns: [Column.physical(any.column, type, { comment: any.columnComment })],
          comment: any.tableComment,
        });
        program.addView(any.view, `SELECT ${quoteIdentifier(any.column)} FROM ${table}`);
        const statements = readStatements(program.toSql());
        expect(statements).toHaveLength(2);
        expect(identifiersOf(statements[0]!)).toEqual([any.table, any.column, any.column]);
        expect(stringsOf(statements[0]!)).toEqual([
          any.comment,
          any.columnComment,
          any.tableComment,
          'connector',
          'datagen',
          `x${any.option}`,
          any.option,
        ]);
        expect(identifiersOf(statements[1]!)).toEqual([any.view, any.column, any.table]);
      },
    ),
  );
});

/** A type and the plain words that it must hold, in their order. */
interface Expected {
  readonly type: DataType;
  readonly identifiers: string[];
  readonly strings: string[];
}

const scalar = fc
  .oneof(
    fc.constantFrom(DataType.STRING, DataType.BOOLEAN, DataType.BYTES, DataType.BIGINT, DataType.DOUBLE, DataType.DATE, DataType.VARIANT),
    fc.integer({ min: 1, max: 2_147_483_647 }).map((length) => DataType.varchar(length)),
    fc.integer({ min: 0, max: 9 }).map((precision) => DataType.timestampLtz(precision)),
    fc
      .integer({ min: 1, max: 38 })
      .chain((precision) => fc.integer({ min: 0, max: precision }).map((scale) => DataType.decimal(precision, scale))),
  )
  .map((type): Expected => ({ type, identifiers: [], strings: [] }));

const { type: anyType } = fc.letrec<{ type: Expected; field: [string, string | undefined, Expected] }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'type' },
    scalar,
    tie('type').map((of) => ({ ...of, type: of.type.notNull() })),
    tie('type').map((of) => ({ ...of, type: DataType.array(of.type) })),
    tie('type').map((of) => ({ ...of, type: DataType.multiset(of.type) })),
    fc.tuple(tie('type'), tie('type')).map(([key, value]) => ({
      type: DataType.map(key.type, value.type),
      identifiers: [...key.identifiers, ...value.identifiers],
      strings: [...key.strings, ...value.strings],
    })),
    fc.uniqueArray(tie('field'), { minLength: 1, maxLength: 3, selector: ([field]) => field }).map((fields) => ({
      type: DataType.row(...fields.map(([field, comment, of]): RowField => ({ name: field, type: of.type, comment }))),
      identifiers: fields.flatMap(([field, , of]) => [field, ...of.identifiers]),
      strings: fields.flatMap(([, comment, of]) => [...of.strings, ...(comment === undefined ? [] : [comment])]),
    })),
  ),
  field: fc.tuple(name, fc.option(literal, { nil: undefined }), tie('type')),
}));

test('any nested type renders whole: brackets match, names and comments are there', () => {
  fc.assert(
    fc.property(anyType, ({ type, identifiers, strings }) => {
      const [tokens] = readStatements(`${type};`);
      expect(identifiersOf(tokens!)).toEqual(identifiers);
      expect(stringsOf(tokens!)).toEqual(strings);
      const code = tokens!.filter(({ kind }) => kind === 'code').map((token) => token.text);
      expect(code.filter((character) => character === '<')).toHaveLength(code.filter((character) => character === '>').length);
      expect(`${type}`.endsWith(' NOT NULL')).toBe(!type.nullable);
    }),
  );
});

test('any delay renders as an interval of the same length, with three leading digits at the most', () => {
  const LITERAL = /- INTERVAL '(?:(\d+) (\d\d):(\d\d):)?(\d+)(?:\.(\d{3}))?' (\w+)(?:\((\d)(?:, 3)?\))?( TO SECOND\(3\))?$/;
  const unit: { [unit: string]: number } = { DAY: 86_400_000, HOUR: 3_600_000, MINUTE: 60_000, SECOND: 1_000 };
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: 1, max: 86_399_999_999 }),
        fc.integer({ min: 1, max: 1_400 }).map((n) => n * 60_000),
      ),
      (delay) => {
        const [, days, hours, minutes, amount, fraction, leading, precision] = LITERAL.exec(
          Watermark.delayed('t', Duration.millis(delay))._toSql(),
        )!;
        const read =
          days === undefined
            ? Number(amount) * unit[leading!]! + Number(fraction ?? 0)
            : Number(days) * unit.DAY! +
              Number(hours) * unit.HOUR! +
              Number(minutes) * unit.MINUTE! +
              Number(amount) * 1_000 +
              Number(fraction);
        expect(read).toBe(delay);
        const digits = (days ?? amount)!.length;
        expect(digits).toBeLessThanOrEqual(Number(precision ?? 2));
        expect(Number(precision ?? 2)).toBeLessThanOrEqual(3);
      },
    ),
  );
});
