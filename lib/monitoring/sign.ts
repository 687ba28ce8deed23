/** The part of an alert that is its own. */
export interface Sign {
  readonly alert: string;
  readonly severity: 'critical' | 'warning';
  readonly expr: string;
  /** Seconds for which it must last. */
  readonly lasts: number;
  readonly summary: string;
  readonly description: string;
}
