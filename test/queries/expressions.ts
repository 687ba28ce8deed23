/** An expression over the columns of `raws`, and whether its type is nullable to the planner. */
export interface JudgedExpression {
  readonly planner: boolean;
  /** Why the reader may say otherwise. */
  readonly accepted?: string;
}

const GUARDED = 'a CASE that asks for what it makes the value of has thought of nulls';
const OF_ROW = 'a field of no row is null, whatever the planner makes of its NOT NULL';
const UNKNOWN = 'what is not understood is no cause for a warning';

/** Event times as people compute them: `line` is text, `seen` and `ms` are nullable, `known` is NOT NULL. */
export const EXPRESSIONS: { readonly [expression: string]: JudgedExpression } = {
  known: { planner: false },
  seen: { planner: true },
  '(seen)': { planner: true },
  'CAST(line AS TIMESTAMP(3))': { planner: true },
  'CAST(known AS TIMESTAMP(3))': { planner: false },
  'TRY_CAST(line AS TIMESTAMP(3))': { planner: true },
  "COALESCE(TRY_CAST(line AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')": { planner: false },
  "IFNULL(seen, TIMESTAMP '1970-01-01 00:00:00.000')": { planner: false },
  'COALESCE(seen, TRY_CAST(line AS TIMESTAMP(3)))': { planner: true },
  'COALESCE(seen, known)': { planner: false },
  "TO_TIMESTAMP(COALESCE(line, ''))": { planner: true },
  "COALESCE(TO_TIMESTAMP(line), TIMESTAMP '1970-01-01 00:00:00.000') + INTERVAL '8' HOUR": { planner: false },
  "seen + INTERVAL '8' HOUR": { planner: true },
  "known - INTERVAL '8' HOUR": { planner: false },
  'TIMESTAMPADD(HOUR, 8, seen)': { planner: true },
  'TIMESTAMPADD(HOUR, 8, known)': { planner: false },
  'CAST(FROM_UNIXTIME(ms / 1000) AS TIMESTAMP(3))': { planner: true },
  'TO_TIMESTAMP_LTZ(ms, 3)': { planner: true },
  "TO_TIMESTAMP(line, 'yyyy-MM-dd''T''HH:mm:ss')": { planner: true },
  "TO_TIMESTAMP(REPLACE(line, 'T', ' '))": { planner: true },
  "CASE WHEN line LIKE '2%' THEN TO_TIMESTAMP(line) END": { planner: true },
  "CASE WHEN line LIKE '2%' THEN known END": { planner: true },
  "CASE WHEN line LIKE '2%' THEN known ELSE TIMESTAMP '1970-01-01 00:00:00.000' END": { planner: false },
  "CASE WHEN line LIKE '2%' THEN seen ELSE known END": { planner: true },
  "CASE WHEN seen IS NULL THEN known ELSE CASE WHEN line = 'x' THEN known END END": { planner: true },
  "CASE WHEN seen IS NOT NULL THEN seen ELSE TIMESTAMP '1970-01-01 00:00:00.000' END": { planner: true, accepted: GUARDED },
  "CASE WHEN TRY_CAST(line AS TIMESTAMP(3)) IS NULL THEN known ELSE TRY_CAST(line AS TIMESTAMP(3)) END + INTERVAL '1' HOUR": {
    planner: true,
    accepted: GUARDED,
  },
  'IF(seen IS NULL, known, seen)': { planner: true, accepted: GUARDED },
  "IF(line = 'x', seen, known)": { planner: true },
  CURRENT_TIMESTAMP: { planner: false },
  'LEAST(known, CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3)))': { planner: false },
  'LEAST(seen, known)': { planner: true },
  'payload.seen': { planner: true },
  'payload.known': { planner: false, accepted: OF_ROW },
  'strict.known': { planner: false },
  'strict.seen': { planner: true },
  "CAST(tags['seen'] AS TIMESTAMP(3))": { planner: true },
  "CAST(JSON_VALUE(line, '$.seen') AS TIMESTAMP(3))": { planner: true },
  'NULLIF(known, known)': { planner: true },
  'FLOOR(seen TO DAY)': { planner: true, accepted: UNKNOWN },
  'FLOOR(known TO DAY)': { planner: false },
  "TIMESTAMP '2026-01-31 12:13:14.000'": { planner: false },
};
