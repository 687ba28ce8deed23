import { basename } from 'path';
import type { AccessContext } from '../sql/connector';
import type { Program, ProgramBinding } from '../sql/program';
import type { SecretRef } from '../sql/secret-ref';
import { SqlProgram } from '../sql/sql-program';
import { renderScript, type SqlScript } from '../sql/sql-script';
import { checkApplication } from './check-application';
import { Derivation } from './derivation';
import { deriveCheckpointing } from './derive-checkpointing';
import { deriveFileSystems } from './derive-file-systems';
import { deriveSqlSettings } from './derive-sql-settings';
import type { DerivedValue } from './derived-value';
import { type LateValue, LateValues } from './environment';
import { flinkConfiguration } from './flink-configuration';
import { FlinkImage } from './flink-image';
import { checkOperatorRuns, FlinkOperatorVersion } from './flink-operator-version';
import type { FlinkSettings } from './flink-settings';
import { FlinkVersion } from './flink-version';
import { LOOKUP_IDENTIFIER, LOOKUP_JAR_PATH } from './image-context';
import { mendedJars } from './mended-jars';
import { deriveParallelism, deriveVertexParallelism, type TableOptions, type VertexParallelism } from './parallelism';
import { type ImageNeeds, missingFrom, pipelineImage } from './pipeline-image';
import { fromCoordinate } from './released-connectors';
import { StateBackend } from './state-backend';

/** A job without a place: what it runs, what it is called, how it runs. */
export interface FlinkApplicationProps extends FlinkSettings {
  /**
   * Name of the job and of its FlinkDeployment: at most 45 lower case letters, digits and `-`, beginning with a letter.
   * State belongs to this name: another name is another job, which starts from an empty state.
   */
  readonly jobName: string;
  /** Kubernetes namespace of the job. */
  readonly namespace: string;
  /** What the job runs; it is sealed. */
  readonly program: Program;
}

/** A script and the options of its tables, without tokens and secrets. */
export interface ScriptParts extends SqlScript {
  readonly tableOptions: TableOptions;
}

/**
 * A Flink job as numbers and text: everything that follows from the program and the settings, with reasons, and nothing about where it
 * is deployed.
 */
export class FlinkApplication {
  /** Name of the job. */
  public readonly jobName: string;
  /** Namespace of the job. */
  public readonly namespace: string;
  /** What the job runs. */
  public readonly program: Program;
  /** Settings as they were given. */
  public readonly settings: FlinkSettings;
  /** Flink version of the job. */
  public readonly flinkVersion: FlinkVersion;
  /** Image of the job. */
  public readonly image: FlinkImage;
  /** Parallelism of the job. */
  public readonly parallelism: number;
  /** Task slots of one TaskManager. */
  public readonly taskSlots: number;
  /** Flink and operator options of the job. */
  public readonly flinkConfiguration: { [key: string]: string };
  /** SQL script of the job, without tokens and secrets. @default - the job runs a JAR */
  public readonly script?: string;

  private readonly derivation: Derivation;
  private readonly vertices: VertexParallelism;
  private readonly fileSystems: string[];
  private readonly late = new LateValues();
  private readonly sql?: ScriptParts;

  /**
   * Derive everything.
   *
   * @param props the job
   */
  constructor(props: FlinkApplicationProps) {
    checkApplication(props);
    props.program._checkUnsealed(props.jobName);
    this.jobName = props.jobName;
    this.namespace = props.namespace;
    this.program = props.program;
    this.settings = props;
    this.flinkVersion = props.flinkVersion ?? FlinkVersion.V2_2;
    checkOperatorRuns(props.operatorVersion ?? FlinkOperatorVersion.V1_15, this.flinkVersion);
    this.image = props.image ?? FlinkImage.generated();
    this.taskSlots = props.taskSlots ?? 1;

    this.derivation = new Derivation(props, props.program._bindings());
    const maxParallelism = props.maxParallelism ?? 720;
    const parallelism = deriveParallelism(props.jobName, props.parallelism, maxParallelism, this.derivation.bindings);
    this.parallelism = parallelism.value;
    this.derivation.tell('job.parallelism', String(parallelism.value), parallelism.reason);
    this.vertices = deriveVertexParallelism(parallelism, maxParallelism, this.derivation.bindings);
    this.deriveVertices();
    this.derivation.configure(
      'pipeline.max-parallelism',
      String(maxParallelism),
      props.maxParallelism === undefined ? 'divides evenly by many parallelisms; it can never change while there is state' : 'stated',
    );
    deriveCheckpointing(this.derivation);
    this.deriveConsumerGroups();
    this.configureState();
    if (props.program instanceof SqlProgram) {
      deriveSqlSettings(this.derivation, props.program, this.vertices.writers);
    }
    this.fileSystems = deriveFileSystems(this.derivation, this.flinkVersion);
    this.sql = this.makeScript();
    this.script = this.sql && renderScript(this.sql);
    this.deriveJars();
    this.flinkConfiguration = flinkConfiguration(this.derivation);
    props.program._seal(props.jobName);
  }

  /** Every number and setting that was derived, with its reason. */
  public explain(): DerivedValue[] {
    return [...this.derivation.values];
  }

  /**
   * What the tables of the program need and tell, by table.
   *
   * @internal
   */
  public _bindings(): ProgramBinding[] {
    return this.derivation.bindings;
  }

  /**
   * The script in its parts, and the options of its tables as they stand in it.
   *
   * @internal
   */
  public _scriptParts(): ScriptParts | undefined {
    return this.sql;
  }

  /**
   * What permissions of a table depend on.
   *
   * @internal
   */
  public _accessContext(table: string): AccessContext {
    return this.derivation.accessContexts[table] ?? {};
  }

  /**
   * Variables of the job manager whose values only the deployment knows.
   *
   * @internal
   */
  public _lateValues(): LateValue[] {
    return this.late.variables;
  }

  /**
   * Secrets of the job manager, each once, in the order of their variables.
   *
   * @internal
   */
  public _secrets(): SecretRef[] {
    const used = this._bindings().flatMap(({ binding }) => binding.secrets ?? []);
    const secrets = new Map(used.map((secret) => [secret.variableName, secret]));
    return [...secrets.values()].sort((left, right) => (left.variableName < right.variableName ? -1 : 1));
  }

  /**
   * Flink file systems in use, by the name of their plugin.
   *
   * @internal
   */
  public _fileSystems(): string[] {
    return this.fileSystems;
  }

  /**
   * What the program needs in its image.
   *
   * @internal
   */
  public _imageNeeds(): ImageNeeds {
    return {
      flinkVersion: this.flinkVersion,
      artifacts: [...this._bindings().flatMap(({ binding }) => binding.artifacts ?? []), ...this.program._artifacts()],
      programJar: this.program._programJar(),
      fileSystems: this._fileSystems(),
      missing: missingFrom(this.program),
    };
  }

  /**
   * Largest parallelism of a vertex.
   *
   * @internal
   */
  public _largestParallelism(): number {
    return this.vertices.largest.value;
  }

  private deriveVertices(): void {
    const { derived, options, largest } = this.vertices;
    this.derivation.values.push(...derived);
    this.derivation.addTableOptions(options);
    this.derivation.tell('slots', String(largest.value), `one for each subtask of the widest vertex: ${largest.reason}`);
    this.derivation.tell(
      'task managers',
      String(Math.ceil(largest.value / this.taskSlots)),
      `${largest.value} slots / ${this.taskSlots} a TaskManager; Flink starts them as it needs them, so this is no setting`,
    );
    this.derivation.configure('taskmanager.numberOfTaskSlots', String(this.taskSlots));
  }

  private deriveConsumerGroups(): void {
    for (const { name, binding } of this._bindings()) {
      const group = binding.source?.consumerGroup;
      if (group) {
        const value = group.name ?? `${this.namespace}.${this.jobName}`;
        this.derivation.setTableOption(name, group.option, value, group.name === undefined ? 'namespace and job' : 'stated');
        this.derivation.addAccessContext(name, { consumerGroup: value });
      }
    }
  }

  private configureState(): void {
    const { stateBackend = StateBackend.hashMap(), restartStrategy } = this.settings;
    Object.assign(this.derivation.configuration, stateBackend._configuration, restartStrategy?._configuration);
  }

  private makeScript(): ScriptParts | undefined {
    if (!(this.program instanceof SqlProgram)) {
      return undefined;
    }
    const { tableOptions, sqlSettings } = this.derivation;
    const options = Object.fromEntries(
      this.program._usedTables().map((table) => [table.name, { ...table.binding.options, ...tableOptions[table.name] }]),
    );
    this.refuseUnknownVariables(options);
    const rendered = this.late.takeFromOptions(options);
    const { definitions, inserts } = this.program._script(sqlSettings, rendered);
    return {
      definitions: this.late.takeFromText(definitions),
      inserts: inserts.map((insert) => ({ ...insert, query: this.late.takeFromText(insert.query) })),
      tableOptions: rendered,
    };
  }

  /** The runner puts in whatever variable a string literal names: only secrets that a connector has declared may be named. */
  private refuseUnknownVariables(options: TableOptions): void {
    const known = new Set(this._secrets().map((secret) => secret.variableName));
    for (const [table, tableOptions] of Object.entries(options)) {
      for (const [key, value] of Object.entries(tableOptions)) {
        const unknown = [...`${key} ${value}`.matchAll(/\$\{env:([^}]*)/g)].find(([, name]) => !known.has(name!));
        if (unknown) {
          throw new Error(
            `option '${key}' of table '${table}' must not hold '${unknown[0]}}': only secrets (SecretRef) are put in when the job starts`,
          );
        }
      }
    }
  }

  private deriveJars(): void {
    const { coordinates, unreleased, files } = pipelineImage(this.image, this._imageNeeds());
    const ours = this.derivation.bindings.some(({ binding }) => binding.identifier === LOOKUP_IDENTIFIER)
      ? [basename(LOOKUP_JAR_PATH)]
      : [];
    const jars = [...coordinates, ...unreleased, ...ours, ...files.map((file) => file.fileName)];
    if (jars.length > 0) {
      const reason = 'connectors, formats and functions in use, for this Flink version';
      const mended = mendedJars(coordinates.map(fromCoordinate)).map(({ artifactId }) => artifactId);
      const held = `the named image must hold them${mended.length > 0 ? `, and ${mended.join(' and ')} as 'npx cdk-flink-pipeline image' mends them` : ''}`;
      this.derivation.tell('jars', jars.join(', '), this.image.imageName === undefined ? reason : `${reason}; ${held}`);
    }
  }
}
