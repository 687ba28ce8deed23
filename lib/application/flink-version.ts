import { compareVersions } from './compare-versions';

/**
 * A version of Apache Flink.
 *
 * It decides the image, the connector releases and what the Kubernetes operator is told. Options and defaults of this library
 * are those of Flink 2.2.
 */
export class FlinkVersion {
  /** Flink 2.2, at its patch release 2.2.1. */
  public static readonly V2_2 = new FlinkVersion('2.2.1');

  /**
   * A release of Flink 2.2 or later by its full number.
   *
   * @param fullVersion `major.minor.patch`, such as `2.2.0`
   * @throws an error for Flink before 2.2, and for anything that is not a full number
   */
  public static of(fullVersion: string): FlinkVersion {
    if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(fullVersion)) {
      throw new Error(`flinkVersion must be a released version with its patch number such as '2.2.1', got '${fullVersion}'`);
    }
    if (fullVersion.startsWith('1.')) {
      throw new Error(
        `flinkVersion must be 2.2 or later, got '${fullVersion}': Flink 1.x reads another configuration file and runs other ` +
          'connector releases; move the job to Flink 2.2',
      );
    }
    if (compareVersions(fullVersion, '2.2') < 0 || compareVersions(fullVersion, '3') >= 0) {
      throw new Error(`flinkVersion must be 2.2 or later within Flink 2, got '${fullVersion}'`);
    }
    return new FlinkVersion(fullVersion);
  }

  /** Major and minor number, such as `2.2`: connector releases follow it. */
  public readonly minor: string;

  /** The name in the `flinkVersion` of a FlinkDeployment, such as `v2_2`. */
  public readonly operatorName: string;

  private constructor(
    /** Version with its patch number, such as `2.2.1`: the image and the jars of the distribution carry it. */
    public readonly fullVersion: string,
  ) {
    this.minor = fullVersion.split('.').slice(0, 2).join('.');
    this.operatorName = `v${this.minor.replace('.', '_')}`;
  }
}
