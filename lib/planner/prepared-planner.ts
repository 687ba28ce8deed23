import { type ConnectorJars, connectorJars } from './connector-jars';
import { type PlannerCommand, preparePlanner } from './planner-home';

/** The planner and the jars of images, each looked for once, however often a command asks of it. */
export class PreparedPlanner {
  private prepared?: PlannerCommand;

  private readonly fetched = new Map<string, ConnectorJars>();

  /**
   * @param ownJars paths of jars of the user's own
   * @param say told what takes long
   */
  constructor(
    public readonly ownJars: string[],
    private readonly say: (message: string) => void,
  ) {}

  /**
   * How to start it.
   *
   * @throws an error that says what to install
   */
  public command(): PlannerCommand {
    this.prepared ??= preparePlanner(this.say);
    return this.prepared;
  }

  /** The jars of an image, as far as they can be had, and those of the user. */
  public jars(coordinates: string[]): ConnectorJars {
    const key = coordinates.join(' ');
    const found = this.fetched.get(key) ?? connectorJars(coordinates, this.command().javaHome, this.say);
    this.fetched.set(key, found);
    return { ...found, paths: [...found.paths, ...this.ownJars] };
  }
}
