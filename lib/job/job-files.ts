import { attachCustomSynthesis } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import type { FlinkApplication } from '../application/flink-application';
import { JOB_METADATA } from '../application/pipeline-directories';
import { PIPELINE_VERSION } from '../application/pipeline-file';
import { pipelineImage } from '../application/pipeline-image';
import { SqlProgram } from '../sql/sql-program';
import { eventTimeSql, type ScriptTable, scriptColumns } from '../sql/sql-script';
import { assemblyDirectory } from '../target/assembly-directory';
import { placeholders } from '../target/placeholders';

/** Name of the directory of a job in the cloud assembly. */
export function jobDirectory(scope: Construct, jobName: string): string {
  return assemblyDirectory(scope, jobName);
}

/**
 * Writes `job.sql` and `pipeline.json` beside the manifests of a job, with tokens as placeholders; the metadata of its stack names their
 * directory.
 *
 * @param scope the job
 * @param application the job
 */
export function attachJobFiles(scope: Construct, application: FlinkApplication): void {
  const directoryName = jobDirectory(scope, application.jobName);
  scope.node.addMetadata(JOB_METADATA, directoryName);
  attachCustomSynthesis(scope, {
    onSynthesize: (session) => {
      const directory = join(session.outdir, directoryName);
      const write = (name: string, content: string) => {
        const path = join(directory, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      };
      if (application.script !== undefined) {
        write('job.sql', application.script);
      }
      write('pipeline.json', `${JSON.stringify(placeholders(describe(application, scope), scope), undefined, 2)}\n`);
    },
  });
}

function describe(application: FlinkApplication, scope: Construct): object {
  const tables = scriptTables(application);
  return {
    version: PIPELINE_VERSION,
    jobName: application.jobName,
    constructPath: scope.node.path,
    namespace: application.namespace,
    flinkVersion: application.flinkVersion.fullVersion,
    parallelism: application.parallelism,
    script: application.script === undefined ? undefined : 'job.sql',
    manifests: 'manifests.yaml',
    image: pipelineImage(application.image, application._imageNeeds()),
    derivedValues: application.explain(),
    flinkConfiguration: application.flinkConfiguration,
    environment: [
      ...application._lateValues().map(({ name, value }) => ({ name, value })),
      ...application._secrets().map((secret) => ({ name: secret.variableName, secret: true })),
    ],
    tables: application._bindings().map(({ name, binding }) => ({
      name,
      connector: binding.identifier,
      role: binding.role,
      splits: binding.source?.splits?.count ?? binding.sink?.splits?.count,
      contract: binding.contract,
      ...tables.get(name),
    })),
    inserts: application._scriptParts()?.inserts,
  };
}

/** What the script says of each table; nothing where the job runs a JAR. */
function scriptTables(
  application: FlinkApplication,
): Map<string, Pick<ScriptTable, 'columns' | 'primaryKey' | 'partitionedBy' | 'eventTime' | 'options'>> {
  const { program } = application;
  const tables = program instanceof SqlProgram ? program._usedTables() : [];
  return new Map(
    tables.map((table) => [
      table.name,
      {
        columns: scriptColumns(table),
        primaryKey: table.primaryKey,
        ...(table.partitionedBy.length === 0 ? {} : { partitionedBy: table.partitionedBy }),
        eventTime: eventTimeSql(table),
        options: application._scriptParts()!.tableOptions[table.name]!,
      },
    ]),
  );
}
