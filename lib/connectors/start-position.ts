/**
 * Where a job without state begins to read a Kinesis stream. A job that is restored from a checkpoint or savepoint goes on where it
 * was, whatever this says.
 */
export class StartPosition {
  /**
   * Records that are written after the job has started. Those written before, also during a restart without state, are skipped in
   * silence.
   */
  public static latest(): StartPosition {
    return new StartPosition({ 'source.init.position': 'LATEST' });
  }

  /** The oldest record that the stream still holds. */
  public static trimHorizon(): StartPosition {
    return new StartPosition({ 'source.init.position': 'TRIM_HORIZON' });
  }

  /**
   * Records written at an instant and after it.
   *
   * @param timestamp the instant
   */
  public static atTimestamp(timestamp: Date): StartPosition {
    // The pattern has four digits for the year.
    if (
      !(timestamp instanceof Date) ||
      Number.isNaN(timestamp.getTime()) ||
      timestamp.getUTCFullYear() < 1970 ||
      timestamp.getUTCFullYear() > 9999
    ) {
      throw new Error("timestamp of a start position must be a valid date between 1970 and 9999; give new Date('2026-01-31T12:00:00Z')");
    }
    // The connector's own pattern, yyyy-MM-dd'T'HH:mm:ss.SSSXXX, is exactly this form.
    return new StartPosition({ 'source.init.position': 'AT_TIMESTAMP', 'source.init.timestamp': timestamp.toISOString() });
  }

  private constructor(private readonly rendered: { [option: string]: string }) {}

  /**
   * The table options, in their order.
   *
   * @internal
   */
  public _options(): { [option: string]: string } {
    return { ...this.rendered };
  }

  /**
   * Every table option that a start position owns, with the property that sets it, for the check of raw options.
   *
   * @internal
   */
  public static _typed(): { [option: string]: string } {
    return { 'source.init.position': 'start', 'source.init.timestamp': 'start', 'source.init.timestamp.format': 'start' };
  }
}
