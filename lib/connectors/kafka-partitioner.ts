import type { Artifact } from '../sql/artifact';

/** How a Kafka sink spreads records over the partitions of its topic. */
export class KafkaPartitioner {
  /** Each writer writes to one partition of its own: with fewer writers than partitions, the others stay empty. */
  public static readonly FIXED = new KafkaPartitioner('fixed');

  /** The records of a table without a key go to the partitions in turn; refused with a key. */
  public static readonly ROUND_ROBIN = new KafkaPartitioner('round-robin');

  /**
   * A `FlinkKafkaPartitioner` of your own.
   *
   * @param className its class, with its package
   * @param jar jar that holds the class
   * @default jar - the class is in the image already
   */
  public static custom(className: string, jar?: Artifact): KafkaPartitioner {
    if (!/^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)+$/.test(className)) {
      throw new Error(`a partitioner must be a Java class name with its package such as 'com.example.MyPartitioner', got '${className}'`);
    }
    return new KafkaPartitioner(className, jar);
  }

  private constructor(
    /** @internal */
    public readonly _value: string,
    /** @internal */
    public readonly _jar?: Artifact,
  ) {}
}
