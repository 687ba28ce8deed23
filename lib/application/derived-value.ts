/** A number or setting that the library derived, with its reason. */
export interface DerivedValue {
  /** What was derived, by the name that Flink or the operator gives it. */
  readonly name: string;
  /** The value as it reaches the engine. */
  readonly value: string;
  /** Why it is this value, in words that name what it was derived from. */
  readonly reason: string;
  /** The table that the value is for. @default - the whole job */
  readonly table?: string;
}
