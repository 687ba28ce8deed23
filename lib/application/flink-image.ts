import { Token } from 'aws-cdk-lib';
import { FlinkArchitecture } from './flink-architecture';

/** What an image that the library builds is like. */
export interface FlinkImageBuildProps {
  /**
   * Architecture of the nodes that run the job.
   *
   * @default FlinkArchitecture.X86_64
   */
  readonly architecture?: FlinkArchitecture;

  /**
   * Image to start from: an official Flink image or one derived from it, with Java 17 or later and the Flink version of the job.
   *
   * @default `flink:<full version>-scala_2.12-java17`
   */
  readonly baseImage?: string;
}

/**
 * The container image of a job: one that the library builds from what the program uses, or one of your own.
 */
export class FlinkImage {
  /**
   * An image that the library builds when the app is deployed: the official Flink image, the connectors that the program uses
   * and the SQL runner. Docker and Maven Central are needed at deployment, not at synth.
   */
  public static generated(props: FlinkImageBuildProps = {}): FlinkImage {
    if (props.baseImage !== undefined) {
      if (Token.isUnresolved(props.baseImage)) {
        throw new Error('baseImage must be known at synth: it stands in the Dockerfile; got a token, give a literal reference');
      }
      checkImageReference(props.baseImage, 'baseImage');
    }
    return new FlinkImage(undefined, false, props.architecture ?? FlinkArchitecture.X86_64, props.baseImage);
  }

  /**
   * An image that you build and push yourself. It must hold the SQL runner at its fixed path and all connectors of the program;
   * `npx cdk-flink-pipeline image DIR` writes a build for it, `pipeline.json` lists what it must hold.
   *
   * @param image reference of the image, such as `registry/repository:tag` or `registry/repository@sha256:…`; may be a token
   */
  public static named(image: string): FlinkImage {
    const { floatingTag } = checkImageReference(image, 'image');
    return new FlinkImage(image, floatingTag);
  }

  private constructor(
    /** Reference of a named image; unset for an image that the library builds. */
    public readonly imageName: string | undefined,
    /**
     * Whether the reference has no tag or the tag `latest`: the job may then change, or its two halves differ, whenever a pod starts.
     * A token counts as fixed.
     */
    public readonly floatingTag: boolean,
    /** Architecture to build for; unset for a named image. */
    public readonly architecture?: FlinkArchitecture,
    /** Image to start from; unset for a named image, or where the official image serves. */
    public readonly baseImage?: string,
  ) {}
}

const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?';
const REPOSITORY = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*';
const REFERENCE = new RegExp(`^(?:${HOST}/)?${REPOSITORY}(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?<digest>@sha256:[0-9a-f]{64})?$`);

function checkImageReference(image: string, what: string): { floatingTag: boolean } {
  if (Token.isUnresolved(image)) {
    return { floatingTag: false };
  }
  const match = REFERENCE.exec(image);
  if (!match) {
    throw new Error(`${what} must be an image reference such as 'registry/repository:tag' (the repository in lower case), got '${image}'`);
  }
  const { tag, digest } = match.groups!;
  return { floatingTag: digest === undefined && (tag === undefined || tag === 'latest') };
}
