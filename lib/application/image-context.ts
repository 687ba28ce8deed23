import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'fs';
import { basename, dirname, join } from 'path';
import { PROGRAM_DIRECTORY } from '../sql/artifact';
import type { FlinkArchitecture } from './flink-architecture';
import type { FlinkVersion } from './flink-version';
import { type MendedJar, mendedJars } from './mended-jars';
import type { ResolvedArtifact } from './released-connectors';

/** Directory of the image whose jars every process of the cluster loads: connectors, formats, drivers, functions. */
export const LIBRARY_DIRECTORY = '/opt/flink/lib';

/** Path of the SQL runner in every image, whatever its Flink version: the `jarURI` of a FlinkDeployment. */
export const RUNNER_JAR_PATH = `${PROGRAM_DIRECTORY}/sql-runner.jar`;

/** Factory identifier of the connector of ours, whose jar is called like it. */
export const LOOKUP_IDENTIFIER = 'dynamodb-lookup';

/** Path of the DynamoDB lookup in every image, beside the other connectors. */
export const LOOKUP_JAR_PATH = `${LIBRARY_DIRECTORY}/${LOOKUP_IDENTIFIER}.jar`;

/** The class of the SQL runner: the `entryClass` of a FlinkDeployment. */
export const RUNNER_CLASS = 'io.github.cdkflinkpipeline.runner.SqlRunner';

/** Directory into which the job manager mounts the script. */
export const SCRIPT_DIRECTORY = '/opt/flink/sql';

/** Path of the mounted script: the one argument of the SQL runner. */
export const SCRIPT_PATH = `${SCRIPT_DIRECTORY}/job.sql`;

/** Environment variable by which the entry point of the official image enables plugins that lie in its `opt` directory. */
export const BUILT_IN_PLUGINS_VARIABLE = 'ENABLE_BUILT_IN_PLUGINS';

/** User and group `flink` of the official image, as numbers: a pod security policy cannot check a name. */
const FLINK_USER = '9999:9999';

/** Pinned, so that the same context builds the same way next year. */
const PLUGIN_VERSIONS = { dependency: '3.8.1', jar: '3.4.2', shade: '3.6.0' };

/** The project of the POM that fetches the connectors. */
const OWN_GROUP = 'io.github.cdkflinkpipeline';
const CONNECTORS = 'connectors';

/** Sources of the runner and of the DynamoDB lookup, beside `lib` both in the repository and in the npm package. */
const RUNTIME_SOURCES = join(__dirname, '..', '..', 'runtime');

/** Everything that the build of an image depends on. */
export interface ImageSpec {
  /** Flink version of the job. */
  readonly flinkVersion: FlinkVersion;
  /** Architecture of the nodes; the platform to build for. */
  readonly architecture: FlinkArchitecture;
  /** Image to start from. @default - the official image of the Flink version */
  readonly baseImage?: string;
  /** Jars for the library directory, from `resolveArtifacts`. */
  readonly artifacts: ResolvedArtifact[];
  /** Path of the jar of a DataStream job, for the program directory. @default - the job is SQL, or its jar is in the base image */
  readonly programJar?: string;
  /** Flink file systems in use, by the name of their plugin: `s3-fs-hadoop`. */
  readonly fileSystems: string[];
}

/** A file of a build context: its text, or the file that it is a copy of. */
export type ContextFile = { readonly content: string } | { readonly copyOf: string };

/** The value of `ENABLE_BUILT_IN_PLUGINS` for the file systems in use; the names of the jars carry the patch version. */
export function builtInPlugins(fileSystems: string[], flinkVersion: FlinkVersion): string {
  return [...new Set(fileSystems)]
    .sort()
    .map((name) => `flink-${name}-${flinkVersion.fullVersion}.jar`)
    .join(';');
}

/** The official image of a Flink version. */
export function officialImage(flinkVersion: FlinkVersion): string {
  return `flink:${flinkVersion.fullVersion}-scala_2.12-java17`;
}

/**
 * The files of the build context: Dockerfile, POM of the connectors, sources of our own jars, jar files. The same specification gives
 * the same bytes.
 */
export function imageContext(spec: ImageSpec): { [path: string]: ContextFile } {
  const coordinates = spec.artifacts.flatMap((artifact) => artifact.coordinate ?? []);
  const files = spec.artifacts.filter((artifact) => artifact.path !== undefined);
  const mended = mendedJars(spec.artifacts);
  const context: { [path: string]: ContextFile } = {
    Dockerfile: { content: dockerfile(spec, coordinates.length > 0 ? connectorGoals(mended) : undefined, files.length > 0) },
    '.dockerignore': { content: '*\n!connectors\n!files\n!program\n!runtime\n**/target\n' },
    ...runtimeSources(),
  };
  if (coordinates.length > 0) {
    context['connectors/pom.xml'] = { content: connectorsPom(coordinates, mended) };
  }
  for (const file of files) {
    context[`files/${file.fileName}`] = { copyOf: file.path! };
  }
  if (spec.programJar) {
    context[`program/${basename(spec.programJar)}`] = { copyOf: spec.programJar };
  }
  return Object.fromEntries(Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * Write the build context into a directory, which is made if it does not exist.
 *
 * @throws an error that names a jar file that does not exist; nothing is written then
 */
export function writeImageContext(directory: string, spec: ImageSpec): void {
  const context = imageContext(spec);
  for (const file of Object.values(context)) {
    if ('copyOf' in file && !existsSync(file.copyOf)) {
      throw new Error(
        `jar file '${file.copyOf}' does not exist; build it before the image, or give its path relative to the working directory`,
      );
    }
  }
  for (const [path, file] of Object.entries(context)) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    if ('copyOf' in file) {
      copyFileSync(file.copyOf, target);
    } else {
      writeFileSync(target, file.content);
    }
  }
}

/** The modules of the image with their POMs and the parent of them, without tests and build output. */
function runtimeSources(): { [path: string]: ContextFile } {
  const modules = ['sql-runner', 'dynamodb-lookup'];
  const paths = ['pom.xml', ...modules.flatMap((module) => [`${module}/pom.xml`, ...filesUnder(`${module}/src/main`)])];
  return Object.fromEntries(paths.map((path) => [`runtime/${path}`, { copyOf: join(RUNTIME_SOURCES, path) }]));
}

function filesUnder(path: string): string[] {
  return readdirSync(join(RUNTIME_SOURCES, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}

function dockerfile(spec: ImageSpec, goals: string | undefined, hasFiles: boolean): string {
  const plugins = builtInPlugins(spec.fileSystems, spec.flinkVersion);
  const stages = [
    [
      '# Written by cdk-flink-pipeline. Maven runs on the architecture of the builder: jars have none, and emulation is slow.',
      'FROM --platform=$BUILDPLATFORM maven:3.9-eclipse-temurin-17 AS jars',
      'WORKDIR /build',
      '# Our own jars change with the library, the connectors with the program: a layer each.',
      'COPY runtime/ runtime/',
      'RUN mvn -B -ntp -f runtime/sql-runner/pom.xml compile jar:jar',
      'RUN mvn -B -ntp -f runtime/dynamodb-lookup/pom.xml compile jar:jar shade:shade',
      ...(goals ? ['COPY connectors/ connectors/', `RUN mvn -B -ntp -f connectors/pom.xml ${goals}`] : []),
    ],
    [
      '# Nothing runs in this stage, so that the image of another architecture needs no emulation.',
      `FROM ${spec.baseImage ?? officialImage(spec.flinkVersion)}`,
      ...(plugins ? [`ENV ${BUILT_IN_PLUGINS_VARIABLE}="${plugins}"`] : []),
      `COPY --from=jars --chown=${FLINK_USER} /build/runtime/dynamodb-lookup/target/dynamodb-lookup.jar ${LOOKUP_JAR_PATH}`,
      ...(goals ? [`COPY --from=jars --chown=${FLINK_USER} /build/connectors/target/dependency/ ${LIBRARY_DIRECTORY}/`] : []),
      ...(hasFiles ? [`COPY --chown=${FLINK_USER} files/ ${LIBRARY_DIRECTORY}/`] : []),
      ...(spec.programJar ? [`COPY --chown=${FLINK_USER} program/ ${PROGRAM_DIRECTORY}/`] : []),
      `COPY --from=jars --chown=${FLINK_USER} /build/runtime/sql-runner/target/sql-runner.jar ${RUNNER_JAR_PATH}`,
      `USER ${FLINK_USER}`,
    ],
  ];
  return `${stages.map((stage) => stage.join('\n')).join('\n\n')}\n`;
}

/** Fetches the connectors, then puts mended ones in the place of those that need it; for that, the project must have a jar of its own. */
function connectorGoals(mended: MendedJar[]): string {
  const shading = mended.map(({ artifactId }) => `shade:shade@${artifactId}`);
  return ['dependency:copy-dependencies', ...(shading.length > 0 ? ['jar:jar', ...shading] : [])].join(' ');
}

function shadeExecution({ groupId, artifactId, fileName, lacking, dropped, relocated }: MendedJar): string {
  const own = `${groupId}:${artifactId}`;
  const included = [own, ...lacking.map((coordinate) => coordinate.split(':').slice(0, 2).join(':'))];
  // The jar of the POM's own project is empty, but comes first: its manifest would stand in the place of the connector's.
  const filters = [filter(`${OWN_GROUP}:${CONNECTORS}`, ['**']), ...(dropped.length > 0 ? [filter(own, dropped)] : [])];
  return `          <execution>
            <id>${artifactId}</id>
            <configuration>
              <outputFile>\${project.build.directory}/dependency/${fileName}</outputFile>
              <createDependencyReducedPom>false</createDependencyReducedPom>
              <artifactSet>
                <includes>
${included.map((name) => `                  <include>${name}</include>`).join('\n')}
                </includes>
              </artifactSet>
              <filters>
${filters.join('\n')}
              </filters>
              <relocations>
${relocated
  .map(
    ({ from, to }) => `                <relocation>
                  <pattern>${from}</pattern>
                  <shadedPattern>${to}</shadedPattern>
                </relocation>`,
  )
  .join('\n')}
              </relocations>
            </configuration>
          </execution>
`;
}

function filter(artifact: string, excludes: string[]): string {
  return `                <filter>
                  <artifact>${artifact}</artifact>
                  <excludes>
${excludes.map((path) => `                    <exclude>${path}</exclude>`).join('\n')}
                  </excludes>
                </filter>`;
}

/** Jars whose classes go into another one have no place of their own in the image. */
function notCopied(coordinates: string[]): string {
  const names = coordinates.map((coordinate) => coordinate.split(':')[1]).join(',');
  return names && `          <configuration>\n            <excludeArtifactIds>${names}</excludeArtifactIds>\n          </configuration>\n`;
}

function plugin(name: keyof typeof PLUGIN_VERSIONS, more = ''): string {
  return `        <plugin>
          <groupId>org.apache.maven.plugins</groupId>
          <artifactId>maven-${name}-plugin</artifactId>
          <version>${PLUGIN_VERSIONS[name]}</version>
${more}        </plugin>
`;
}

/** Each jar as a dependency without its own dependencies: what the image holds is what the POM says. */
function connectorsPom(coordinates: string[], mended: MendedJar[]): string {
  const shading = mended.length > 0;
  const lacking = mended.flatMap((jar) => jar.lacking);
  const executions = `          <executions>\n${mended.map(shadeExecution).join('')}          </executions>\n`;
  const plugins = [plugin('dependency', notCopied(lacking)), ...(shading ? [plugin('jar'), plugin('shade', executions)] : [])];
  const dependencies = [...coordinates, ...lacking].map((coordinate) => {
    const [groupId, artifactId, version, classifier] = coordinate.split(':');
    return [
      '    <dependency>',
      `      <groupId>${groupId}</groupId>`,
      `      <artifactId>${artifactId}</artifactId>`,
      `      <version>${version}</version>`,
      ...(classifier ? [`      <classifier>${classifier}</classifier>`] : []),
      '      <exclusions>',
      '        <exclusion>',
      '          <groupId>*</groupId>',
      '          <artifactId>*</artifactId>',
      '        </exclusion>',
      '      </exclusions>',
      '    </dependency>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${OWN_GROUP}</groupId>
  <artifactId>${CONNECTORS}</artifactId>
  <version>1</version>
  <packaging>${shading ? 'jar' : 'pom'}</packaging>
  <dependencies>
${dependencies.join('\n')}
  </dependencies>
  <build>
    <pluginManagement>
      <plugins>
${plugins.join('')}      </plugins>
    </pluginManagement>
  </build>
</project>
`;
}
