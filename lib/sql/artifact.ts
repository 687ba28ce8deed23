/** Directory of the image that holds what runs: the SQL runner, the jar of a DataStream job. */
export const PROGRAM_DIRECTORY = '/opt/flink/usrlib';

/**
 * A jar that the job needs on its class path.
 *
 * Jars end in `/opt/flink/lib` of the image: the library writes the build that fetches them, or, for an image that you
 * name yourself, lists them in `pipeline.json` so that you can check that the image holds them.
 */
export class Artifact {
  /**
   * A jar of a connector that is released apart from Flink; its version is chosen for the Flink version of the job.
   *
   * A connector without a release for that Flink version is an error of the job, which asks for `artifact` or a named image.
   *
   * @param coordinate `groupId:artifactId`
   */
  public static released(coordinate: string): Artifact {
    return new Artifact(checkCoordinate(coordinate, 2));
  }

  /**
   * A jar from a Maven repository at an exact version.
   *
   * @param coordinate `groupId:artifactId:version` or `groupId:artifactId:version:classifier`
   */
  public static maven(coordinate: string): Artifact {
    const parts = coordinate.split(':').length;
    return new Artifact(checkCoordinate(coordinate, parts === 4 ? 4 : 3));
  }

  /**
   * A jar file of your own, copied into the image that the library builds.
   *
   * @param path path of the jar, read when the image is built
   */
  public static file(path: string): Artifact {
    if (!path.endsWith('.jar')) {
      throw new Error(`artifact file must be a .jar, got '${path}'`);
    }
    return new Artifact(undefined, path);
  }

  private constructor(
    /** Maven coordinate, without a version where the version follows the Flink version of the job. */
    public readonly coordinate?: string,
    /** Path of a jar file. */
    public readonly path?: string,
  ) {}
}

function checkCoordinate(coordinate: string, parts: number): string {
  const form = ['groupId', 'artifactId', 'version', 'classifier'].slice(0, parts).join(':');
  if (coordinate.split(':').length !== parts || !/^[A-Za-z0-9_.:-]+$/.test(coordinate) || coordinate.split(':').includes('')) {
    throw new Error(`artifact must be a Maven coordinate '${form}', got '${coordinate}'`);
  }
  return coordinate;
}
