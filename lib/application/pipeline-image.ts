import { Token } from 'aws-cdk-lib';
import { createHash } from 'crypto';
import { existsSync, readFileSync } from 'fs';
import { basename } from 'path';
import type { Artifact } from '../sql/artifact';
import type { Program } from '../sql/program';
import { FlinkArchitecture } from './flink-architecture';
import type { FlinkImage } from './flink-image';
import { FlinkVersion } from './flink-version';
import { type ImageSpec, LIBRARY_DIRECTORY } from './image-context';
import { checkFileName, fromCoordinate, hasRelease, type ResolvedArtifact, resolveArtifacts, withoutRelease } from './released-connectors';

/** What the program of a job needs in its image. */
export interface ImageNeeds {
  /** Flink version of the job. */
  readonly flinkVersion: FlinkVersion;
  /** Jars of connectors, formats, drivers and functions. */
  readonly artifacts: Artifact[];
  /** Path of the jar of a DataStream job. @default - the job is SQL, or its jar is in the image already */
  readonly programJar?: string;
  /** Flink file systems in use, by the name of their plugin: `s3-fs-hadoop`. */
  readonly fileSystems: string[];
  /** What no jar of these brings, in words: only an image that is not built from the official one can hold it. @default - nothing */
  readonly missing?: string[];
}

/** What a program needs that none of its jars brings, in words. */
export function missingFrom(program: Program): string[] {
  const bindings = program._bindings();
  const brought = (identifier: string, name: string) =>
    bindings.some((other) => other.name !== name && other.binding.identifier === identifier && other.binding.artifacts?.length);
  const connectors = bindings.flatMap(({ name, binding }) =>
    binding.needsArtifact === undefined || brought(binding.identifier, name) ? [] : [`table '${name}': ${binding.needsArtifact}`],
  );
  const jarUri = program._programJar() === undefined ? program._entry()?.jarUri : undefined;
  return jarUri === undefined || isBrought(jarUri, program._artifacts())
    ? connectors
    : [...connectors, `jarUri '${jarUri}': give the jar as jarFile, which is copied into the image`];
}

/** Whether the official image, or an artifact, has the jar; of a token nobody knows. */
function isBrought(jarUri: string, artifacts: Artifact[]): boolean {
  const path = jarUri.replace(/^local:\/\//, '');
  return (
    Token.isUnresolved(jarUri) ||
    path.startsWith('/opt/flink/examples/') ||
    artifacts.some((artifact) => artifact.path !== undefined && path === `${LIBRARY_DIRECTORY}/${basename(artifact.path)}`)
  );
}

/** The `image` section of `pipeline.json`: enough to build the image elsewhere, without a path of the machine that wrote it. */
export interface PipelineImage {
  /** Reference of the image that the job names. @default - the library builds the image */
  readonly name?: string;
  /** Full Flink version. */
  readonly flinkVersion: string;
  /** Architecture as a Docker platform names it. */
  readonly architecture: FlinkArchitecture;
  /** Image to start from. @default - the official image of the Flink version */
  readonly baseImage?: string;
  /** Maven coordinates of jars in the library directory. */
  readonly coordinates: string[];
  /** `groupId:artifactId` of connectors without a release for this Flink, which a named image must hold in a build of your own. */
  readonly unreleased: string[];
  /** Jar files in the library directory. */
  readonly files: PipelineImageFile[];
  /** Jar of a DataStream job in the program directory. @default - none */
  readonly programJar?: PipelineImageFile;
  /** Flink file systems in use, by the name of their plugin. */
  readonly fileSystems: string[];
}

/** A jar file by its name and content. */
export interface PipelineImageFile {
  /** Name of the jar. */
  readonly fileName: string;
  /** SHA-256 of its bytes in hexadecimal digits. @default - the file did not exist at synth, and the job names its image */
  readonly sha256?: string;
}

/**
 * The specification of an image that the library builds.
 *
 * @throws an error for a connector without a release for the Flink version, and for jars that do not go together
 */
export function imageSpec(image: FlinkImage, needs: ImageNeeds): ImageSpec {
  return {
    flinkVersion: needs.flinkVersion,
    architecture: image.architecture ?? FlinkArchitecture.X86_64,
    baseImage: image.baseImage,
    artifacts: resolveArtifacts(needs.artifacts, needs.flinkVersion),
    programJar: needs.programJar,
    fileSystems: needs.fileSystems,
  };
}

/**
 * The `image` section of `pipeline.json`, for a named image too: it then says what the image must hold.
 *
 * @throws an error for jars that do not go together; for a connector without a release only where the library builds the image
 */
export function pipelineImage(image: FlinkImage, needs: ImageNeeds): PipelineImage {
  const named = image.imageName !== undefined;
  if (!named && image.baseImage === undefined && needs.missing?.length) {
    throw new Error(
      [
        'the image that the library builds would lack what the program needs: give artifacts, a baseImage that holds it (FlinkImage.generated), or FlinkImage.named:',
        ...needs.missing,
      ].join('\n  - '),
    );
  }
  const unreleased = named ? needs.artifacts.filter((artifact) => !hasRelease(artifact, needs.flinkVersion)) : [];
  const spec = imageSpec(image, { ...needs, artifacts: needs.artifacts.filter((artifact) => !unreleased.includes(artifact)) });
  return {
    name: image.imageName,
    flinkVersion: spec.flinkVersion.fullVersion,
    architecture: spec.architecture,
    baseImage: spec.baseImage,
    coordinates: spec.artifacts.flatMap((artifact) => artifact.coordinate ?? []),
    unreleased: [...new Set(unreleased.map((artifact) => artifact.coordinate!))].sort(),
    files: spec.artifacts.flatMap((artifact) => (artifact.path === undefined ? [] : describeFile(artifact.path, named))),
    programJar: spec.programJar === undefined ? undefined : describeFile(spec.programJar, named),
    fileSystems: [...new Set(spec.fileSystems)].sort(),
  };
}

/**
 * The specification that a `pipeline.json` describes, with the jar files that it names found among the given paths.
 *
 * @param image the `image` section
 * @param jars paths of jar files: those that the section names, and builds of connectors that have no release
 * @throws an error for a jar that is missing, that nothing asks for, or that has other bytes than at synth
 */
export function imageSpecOf(image: PipelineImage, jars: string[]): ImageSpec {
  const flinkVersion = FlinkVersion.of(image.flinkVersion);
  const absent = jars.filter((path) => !existsSync(path));
  if (absent.length > 0) {
    throw new Error(`there is no jar file '${absent.join("', '")}': give --jar the path of a file, relative to the working directory`);
  }
  const unused = new Set(jars);
  const wantedNames = [
    ...[...image.files, ...(image.programJar ? [image.programJar] : [])].map(({ fileName }) => `'${fileName}'`),
    ...image.unreleased.map((coordinate) => `'${coordinate.split(':')[1]}-….jar'`),
  ];
  const wantedAndGiven = `wanted: ${wantedNames.join(', ') || 'none'}; given: ${jars.map((path) => `'${basename(path)}'`).join(', ') || 'none'}`;
  const take = (matches: (fileName: string) => boolean): string | undefined => {
    const path = jars.find((candidate) => unused.has(candidate) && matches(basename(candidate)));
    unused.delete(path ?? '');
    return path;
  };
  const file = (wanted: PipelineImageFile): string => {
    const path = take((fileName) => fileName === wanted.fileName);
    if (path === undefined) {
      throw new Error(`the image needs the jar file '${wanted.fileName}': give its path with --jar; ${wantedAndGiven}`);
    }
    const { sha256 } = describeFile(path, false);
    if (wanted.sha256 !== undefined && sha256 !== wanted.sha256) {
      throw new Error(`jar file '${path}' is not the one of the synth: its SHA-256 is ${sha256}, pipeline.json says ${wanted.sha256}`);
    }
    return path;
  };
  const files: ResolvedArtifact[] = image.files.map((wanted) => ({ fileName: wanted.fileName, path: file(wanted) }));
  for (const coordinate of image.unreleased) {
    const path = take((fileName) => fileName.startsWith(`${coordinate.split(':')[1]}-`));
    if (path === undefined) {
      throw new Error(
        `${withoutRelease(coordinate, flinkVersion)}; here: give the path of a jar of it with --jar, whose file name begins with '${coordinate.split(':')[1]}-'; ${wantedAndGiven}`,
      );
    }
    checkFileName(path, flinkVersion);
    files.push({ fileName: basename(path), path });
  }
  const programJar = image.programJar && file(image.programJar);
  if (unused.size > 0) {
    throw new Error(
      `pipeline.json asks for no jar '${[...unused].map((path) => basename(path)).join("', '")}': a jar is found by its file name; ${wantedAndGiven}`,
    );
  }
  return {
    flinkVersion,
    architecture: image.architecture,
    baseImage: image.baseImage,
    artifacts: [...image.coordinates.map(fromCoordinate), ...files],
    programJar,
    fileSystems: image.fileSystems,
  };
}

function describeFile(path: string, mayBeMissing: boolean): PipelineImageFile {
  if (!existsSync(path)) {
    if (mayBeMissing) {
      return { fileName: basename(path) };
    }
    throw new Error(`jar file '${path}' does not exist; build it first, or give its path relative to the working directory`);
  }
  return { fileName: basename(path), sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}
