import type { FlinkApplication } from '../application/flink-application';
import { DEFAULT_MEMORY } from '../application/process-resources';

/** How large the state of a job may become. */
export interface StateRoom {
  readonly bytes: number;
  /** What bounds it, as a noun. */
  readonly origin: string;
}

const MEBIBYTE = 1024 * 1024;
/** About a third of a process is heap under Flink's defaults, and rows take more than twice as much there as in a checkpoint. */
const HEAP_SHARE = 1 / 8;
/** About a third of a process is RocksDB's memory; with ten times as much on disk most reads go there. */
const DISK_SHARE = 10 / 3;

/**
 * The room for the state of a job, in the bytes of a checkpoint, from its own settings: the local volumes of RocksDB, else what goes well
 * with the memory of the TaskManagers.
 *
 * @param application the job
 */
export function stateRoom(application: FlinkApplication): StateRoom {
  const { settings, taskSlots } = application;
  const taskManagers = Math.ceil(application._largestParallelism() / taskSlots);
  const volume = settings.stateBackend?._localStorage;
  if (volume !== undefined) {
    return { bytes: volume.toBytes() * taskManagers, origin: `the local volumes (${taskManagers} of ${volume.toMebibytes()}Mi)` };
  }
  const memory = settings.taskManager?.memory ?? DEFAULT_MEMORY;
  const share = settings.stateBackend?._needsLocalVolume ? DISK_SHARE : HEAP_SHARE;
  const bytes = Math.floor(memory.toBytes() * taskManagers * share);
  return { bytes, origin: `${Math.round(bytes / MEBIBYTE)} MiB, which go well with the memory of ${taskManagers} TaskManagers` };
}
