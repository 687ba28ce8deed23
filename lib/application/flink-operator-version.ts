import { compareVersions } from './compare-versions';
import type { FlinkVersion } from './flink-version';

/** A version of the Flink Kubernetes operator that is installed in the cluster. */
export class FlinkOperatorVersion {
  /** Operator 1.13. */
  public static readonly V1_13 = new FlinkOperatorVersion('1.13');
  /** Operator 1.14. */
  public static readonly V1_14 = new FlinkOperatorVersion('1.14');
  /** Operator 1.15. */
  public static readonly V1_15 = new FlinkOperatorVersion('1.15');

  /**
   * Any other version, 1.13 or later: operators before it refuse a FlinkDeployment for Flink 2.2.
   *
   * @param version `major.minor` or `major.minor.patch`
   */
  public static of(version: string): FlinkOperatorVersion {
    if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){1,2}$/.test(version)) {
      throw new Error(`operatorVersion must be a version such as '1.15' or '1.15.0', got '${version}'`);
    }
    if (compareVersions(version, '1.13') < 0) {
      throw new Error(
        `operatorVersion must be 1.13 or later, got '${version}': the resource definition of earlier operators does not know Flink 2.2; ` +
          'upgrade the operator and its resource definitions',
      );
    }
    return new FlinkOperatorVersion(version);
  }

  private constructor(
    /** The version as it was given. */
    public readonly version: string,
  ) {}
}

/**
 * Refuse a Flink version that the operator's resource definition does not list: the API server would refuse the FlinkDeployment.
 *
 * The Java enum of operator 1.15 has `v2_3`, but its resource definition ends at `v2_2`.
 *
 * @throws an error that names the operator to install
 */
export function checkOperatorRuns(operator: FlinkOperatorVersion, flink: FlinkVersion): void {
  if (compareVersions(flink.minor, '2.3') >= 0 && compareVersions(operator.version, '1.16') < 0) {
    throw new Error(
      `operator ${operator.version} cannot run Flink ${flink.fullVersion}: its resource definition ends at v2_2, so that the API server ` +
        `refuses ${flink.operatorName}; install operator 1.16 or later and state it as operatorVersion, or use Flink 2.2`,
    );
  }
}
