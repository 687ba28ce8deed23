/** Types of Flink SQL that hold text. */
export const TEXT = /^(STRING|VARCHAR|CHAR)\b/;
/** Types of Flink SQL that hold numbers. */
export const NUMERIC = /^(TINYINT|SMALLINT|INT|BIGINT|DECIMAL|FLOAT|DOUBLE)\b/;
