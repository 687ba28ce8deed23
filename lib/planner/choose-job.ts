/** A job of a cloud assembly, as far as its name goes. */
export interface NamedJob {
  readonly jobName: string;
  /** Directory of the job within its assembly: `<stack artifact id>.<job name>`. */
  readonly directoryName: string;
}

/**
 * The one of several jobs that is meant.
 *
 * @param jobs those of an assembly, at least one
 * @param wanted name of the job, or of its directory where several have one name; unset where there is only one
 * @param kind what a job is called: `job`, `SQL job`
 * @throws an error that names those that there are
 */
export function chooseJob<Job extends NamedJob>(jobs: Job[], wanted: string | undefined, kind = 'job'): Job {
  const found = jobs.filter(({ jobName, directoryName }) => wanted === undefined || wanted === jobName || wanted === directoryName);
  if (found.length === 1) {
    return found[0]!;
  }
  const names = `there are ${jobs.map(({ jobName, directoryName }) => `${jobName} (${directoryName})`).join(', ')}`;
  if (wanted === undefined) {
    throw new Error(`the assembly holds several ${kind}s: choose one with --job; ${names}`);
  }
  throw new Error(
    found.length === 0
      ? `the assembly holds no ${kind} '${wanted}'; ${names}`
      : `several ${kind}s are called '${wanted}': give the directory in brackets in place of the name; ${names}`,
  );
}
