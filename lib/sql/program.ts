import type { Artifact } from './artifact';
import type { ConnectorBinding } from './connector';

/** A binding and the name by which messages call it: a table of a SQL program, or an input of a JAR program. */
export interface ProgramBinding {
  /** Name of the table or input. */
  readonly name: string;
  /** What it needs and tells. */
  readonly binding: ConnectorBinding;
}

/** What the job manager starts where the program is not a script. */
export interface ProgramEntry {
  /** The jar in the image. */
  readonly jarUri: string;
  /** Class with the `main` method. @default - the `Main-Class` of the jar's manifest */
  readonly entryClass?: string;
  /** Arguments of `main`. */
  readonly args: string[];
}

/** What a Flink job runs: SQL or a JAR. Handing it to a job seals it. */
export abstract class Program {
  private owner?: string;

  /**
   * Everything the program reads and writes.
   *
   * @internal
   */
  public abstract _bindings(): ProgramBinding[];

  /**
   * Jars of the program itself.
   *
   * @internal
   */
  public abstract _artifacts(): Artifact[];

  /**
   * Path of a jar to copy into the image that the library builds; unset where the image holds everything.
   *
   * @internal
   */
  public _programJar(): string | undefined {
    return undefined;
  }

  /**
   * What the job manager starts; unset for a script, which the SQL runner of the image runs.
   *
   * @internal
   */
  public _entry(): ProgramEntry | undefined {
    return undefined;
  }

  /**
   * Refuses a program that belongs to another job.
   *
   * @internal
   */
  public _checkUnsealed(jobName: string): void {
    if (this.owner !== undefined) {
      throw new Error(
        `a program belongs to one job: it was handed to '${this.owner}' and cannot be handed to '${jobName}'; build a second program`,
      );
    }
  }

  /**
   * Makes the program the program of one job.
   *
   * @internal
   */
  public _seal(jobName: string): void {
    this._checkUnsealed(jobName);
    this.owner = jobName;
  }

  /** Refuses a change once the program belongs to a job. */
  protected checkOpen(change: string): void {
    if (this.owner !== undefined) {
      throw new Error(
        `cannot ${change}: the program is sealed since it was handed to the job '${this.owner}'; add it before the job is created`,
      );
    }
  }
}
