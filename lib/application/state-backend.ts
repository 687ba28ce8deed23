import { Size } from 'aws-cdk-lib';
import { FLAG, requireProps, SIZE } from '../sql/required-props';
import { wholeMebibytes } from './process-resources';

/** Directory of the local volume of a TaskManager. */
export const LOCAL_DIRECTORY = '/opt/flink/local';

/** State on the heap. */
export interface HashMapStateBackendOptions {
  /** A restarted task reads its state from the local disk where it can. @default false */
  readonly localRecovery?: boolean;
}

/** State in RocksDB on the local disk. */
export interface RocksDbStateBackendOptions {
  /** A checkpoint uploads what changed since the last one. @default true */
  readonly incremental?: boolean;
  /** A restarted task reads its state from the local disk where it can. @default false */
  readonly localRecovery?: boolean;
  /**
   * Limit of the local volume that holds the state of one TaskManager; a pod that exceeds it is evicted.
   * @default - the volume has no limit of its own
   */
  readonly localStorage?: Size;
}

/** Where a running job keeps its state. Changing it needs a savepoint in canonical format. */
export class StateBackend {
  /**
   * State on the heap: fast, bounded by the memory of the TaskManagers.
   *
   * @param options local recovery
   */
  public static hashMap(options: HashMapStateBackendOptions = {}): StateBackend {
    requireProps('StateBackend.hashMap', options, { 'localRecovery?': FLAG });
    return new StateBackend({ 'state.backend.type': 'hashmap', ...localRecovery(options.localRecovery) });
  }

  /**
   * State in RocksDB on a local volume: bounded by disk.
   *
   * @param options incremental checkpoints, local recovery, limit of the volume
   */
  public static rocksDb(options: RocksDbStateBackendOptions = {}): StateBackend {
    requireProps('StateBackend.rocksDb', options, { 'incremental?': FLAG, 'localRecovery?': FLAG, 'localStorage?': SIZE });
    return new StateBackend(
      {
        'state.backend.type': 'rocksdb',
        'state.backend.rocksdb.localdir': `${LOCAL_DIRECTORY}/rocksdb`,
        'execution.checkpointing.incremental': String(options.incremental ?? true),
        ...localRecovery(options.localRecovery),
        ...(options.localRecovery && { 'execution.checkpointing.local-backup.dirs': `${LOCAL_DIRECTORY}/backup` }),
      },
      true,
      options.localStorage && Size.mebibytes(wholeMebibytes('localStorage of the state back end', options.localStorage)),
    );
  }

  private constructor(
    /** Flink options of the back end. @internal */
    public readonly _configuration: { [key: string]: string },
    /** Whether TaskManagers need a local volume. @internal */
    public readonly _needsLocalVolume: boolean = false,
    /** Limit of the local volume, in whole mebibytes. @internal */
    public readonly _localStorage?: Size,
  ) {}
}

function localRecovery(enabled: boolean = false): { [key: string]: string } {
  return enabled ? { 'execution.checkpointing.local-backup.enabled': 'true', 'execution.state-recovery.from-local': 'true' } : {};
}
