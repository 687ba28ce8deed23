import { Duration, Token } from 'aws-cdk-lib';
import { type AccessContext, Changes, type ConnectorBinding } from '../sql/connector';
import { flinkDuration } from '../sql/flink-notation';
import type { Program, ProgramBinding } from '../sql/program';
import type { SecretRef } from '../sql/secret-ref';
import { SqlProgram } from '../sql/sql-program';
import { type Checkpointing, CheckpointingMode, CheckpointRetention, checkCheckpointing } from './checkpointing';
import type { DerivedValue } from './derived-value';
import { type LateValue, LateValues } from './environment';
import { FlinkImage } from './flink-image';
import { checkOperatorRuns, FlinkOperatorVersion } from './flink-operator-version';
import { checkFlinkConfiguration } from './flink-options';
import type { FlinkSettings } from './flink-settings';
import { FlinkVersion } from './flink-version';
import { builtInPlugins } from './image-context';
import { racingSinks } from './keyed-shuffle';
import { OWNED_OPTIONS } from './owned-options';
import { deriveParallelism, deriveVertexParallelism, splitSources, type TableOptions, type VertexParallelism } from './parallelism';
import { type ImageNeeds, type PipelineImage, pipelineImage } from './pipeline-image';
import { checkPodSettings } from './pod-settings';
import { renderResources } from './process-resources';
import { StateBackend } from './state-backend';
import { deriveTransactionTimeout, TOLERABLE_FAILURES, type TransactionalSink } from './transactions';
import { SavepointFormat, UpsertMaterialize } from './upgrade';

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

  private readonly derived: DerivedValue[] = [];
  private readonly bindings: ProgramBinding[];
  private readonly vertices: VertexParallelism;
  private readonly tableOptions: TableOptions = {};
  private readonly configuration: { [key: string]: string } = {};
  private readonly sqlSettings: { [key: string]: string } = {};
  private readonly contexts: { [table: string]: AccessContext } = {};
  private readonly late = new LateValues();

  /**
   * Derive everything.
   *
   * @param props the job
   */
  constructor(props: FlinkApplicationProps) {
    checkProps(props);
    props.program._seal(props.jobName);
    this.jobName = props.jobName;
    this.namespace = props.namespace;
    this.program = props.program;
    this.settings = props;
    this.flinkVersion = props.flinkVersion ?? FlinkVersion.V2_2;
    checkOperatorRuns(props.operatorVersion ?? FlinkOperatorVersion.V1_15, this.flinkVersion);
    this.image = props.image ?? FlinkImage.generated();
    this.taskSlots = props.taskSlots ?? 1;
    this.bindings = props.program._bindings();

    const maxParallelism = props.maxParallelism ?? 720;
    const parallelism = deriveParallelism(props.jobName, props.parallelism, maxParallelism, this.bindings);
    this.parallelism = parallelism.value;
    this.derive('job.parallelism', String(parallelism.value), parallelism.reason);
    this.vertices = deriveVertexParallelism(parallelism, this.bindings);
    this.derived.push(...this.vertices.derived);
    this.mergeTableOptions(this.vertices.options);
    this.deriveSlots();
    this.configure(
      'pipeline.max-parallelism',
      String(maxParallelism),
      props.maxParallelism === undefined ? 'divides evenly by many parallelisms; it can never change while there is state' : 'stated',
    );

    this.configureCheckpointing(props.checkpointing);
    this.configureConsumerGroups();
    this.configureState();
    this.configureHighAvailability();
    this.configureSavepoints();
    this.configureSql();
    this.configureFileSystems();
    this.script = this.renderScript();
    this.deriveJars();
    this.flinkConfiguration = this.finalConfiguration();
  }

  /** Every number and setting that was derived, with its reason. */
  public explain(): DerivedValue[] {
    return [...this.derived];
  }

  /**
   * What the tables of the program need and tell, by table.
   *
   * @internal
   */
  public _bindings(): ProgramBinding[] {
    return this.bindings;
  }

  /**
   * What permissions of a table depend on.
   *
   * @internal
   */
  public _accessContext(table: string): AccessContext {
    return this.contexts[table] ?? {};
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
    const secrets = new Map(this.bindings.flatMap(({ binding }) => binding.secrets ?? []).map((secret) => [secret.variableName, secret]));
    return [...secrets.values()].sort((left, right) => (left.variableName < right.variableName ? -1 : 1));
  }

  /**
   * Flink file systems in use, by the name of their plugin.
   *
   * @internal
   */
  public _fileSystems(): string[] {
    const uses = this.bindings.flatMap(({ binding }) => binding.fileSystems ?? []);
    const presto = /^s3p?:/.test(this.settings.checkpointing.storage.uri) ? ['s3-fs-presto'] : [];
    const hadoop = this.settings.checkpointing.storage.uri.startsWith('s3a:') ? ['s3-fs-hadoop'] : [];
    return [...new Set([...uses, ...presto, ...hadoop])].sort();
  }

  /**
   * What the program needs in its image.
   *
   * @internal
   */
  public _imageNeeds(): ImageNeeds {
    return {
      flinkVersion: this.flinkVersion,
      artifacts: [...this.bindings.flatMap(({ binding }) => binding.artifacts ?? []), ...this.program._artifacts()],
      programJar: this.program._programJar(),
      fileSystems: this._fileSystems(),
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

  private derive(name: string, value: string, reason: string, table?: string): void {
    this.derived.push({ name, value, reason, ...(table !== undefined && { table }) });
  }

  private configure(key: string, value: string, reason?: string): void {
    this.configuration[key] = value;
    if (reason !== undefined) {
      this.derive(key, value, reason);
    }
  }

  private setSql(key: string, value: string, reason: string): void {
    if (this.statedInProgram(key) === undefined) {
      this.sqlSettings[key] = value;
      this.derive(key, value, reason);
    }
  }

  private stateSql(prop: string, key: string, value: string): void {
    const stated = this.statedInProgram(key);
    if (stated !== undefined) {
      throw new Error(`${prop} of job '${this.jobName}' sets '${key}' to '${value}' and its program to '${stated}'; give it once`);
    }
    this.sqlSettings[key] = value;
  }

  private statedInProgram(key: string): string | undefined {
    return this.program instanceof SqlProgram ? this.program._settings()[key] : undefined;
  }

  private setTable(table: string, key: string, value: string, reason: string): void {
    this.mergeTableOptions({ [table]: { [key]: value } });
    this.derive(key, value, reason, table);
  }

  private mergeTableOptions(options: TableOptions): void {
    for (const [table, values] of Object.entries(options)) {
      this.tableOptions[table] = { ...this.tableOptions[table], ...values };
    }
  }

  private sourcesWhere(predicate: (binding: ConnectorBinding) => boolean): string[] {
    return this.bindings.filter(({ binding }) => binding.source && predicate(binding)).map(({ name }) => name);
  }

  private deriveSlots(): void {
    const { value, reason } = this.vertices.largest;
    this.derive('slots', String(value), `one for each subtask of the widest vertex: ${reason}`);
    this.derive(
      'task managers',
      String(Math.ceil(value / this.taskSlots)),
      `${value} slots / ${this.taskSlots} a TaskManager; Flink starts them as it needs them, so this is no setting`,
    );
    this.configuration['taskmanager.numberOfTaskSlots'] = String(this.taskSlots);
  }

  private configureCheckpointing(checkpointing: Checkpointing): void {
    const sinks = this.transactionalSinks();
    const interval = checkpointing.interval ?? Duration.minutes(1);
    const minPause = checkpointing.minPause ?? Duration.millis(0);
    const timeout = checkpointing.timeout ?? Duration.minutes(sinks.length > 0 ? 2 : 10);
    this.configuration['execution.checkpointing.interval'] = flinkDuration(interval);
    this.configuration['execution.checkpointing.min-pause'] = flinkDuration(minPause);
    this.configure(
      'execution.checkpointing.timeout',
      flinkDuration(timeout),
      checkpointing.timeout
        ? undefined
        : sinks.length > 0
          ? 'default with an exactly-once sink, whose transaction must outlive it'
          : "default, Flink's own",
    );
    this.configuration['execution.checkpointing.mode'] = checkpointing.mode ?? CheckpointingMode.EXACTLY_ONCE;
    this.configuration['execution.checkpointing.unaligned.enabled'] = String(checkpointing.unaligned ?? false);
    this.configuration['execution.checkpointing.externalized-checkpoint-retention'] =
      checkpointing.retention ?? CheckpointRetention.RETAIN_ON_CANCELLATION;
    this.configuration['execution.checkpointing.max-concurrent-checkpoints'] = '1';
    if (checkpointing.retained !== undefined) {
      this.configuration['execution.checkpointing.num-retained'] = String(checkpointing.retained);
    }
    for (const directory of ['dir:checkpoints', 'savepoint-dir:savepoints']) {
      const [key, name] = directory.split(':');
      this.configure(
        `execution.checkpointing.${key}`,
        `${checkpointing.storage.uri}/${name}`,
        'under checkpointing.storage, the only prefix that the job may write',
      );
    }
    if (sinks.length === 0) {
      this.configure(
        'execution.checkpointing.tolerable-failed-checkpoints',
        String(checkpointing.tolerableFailures ?? TOLERABLE_FAILURES),
        checkpointing.tolerableFailures === undefined ? 'a checkpoint that fails once should not restart the job' : undefined,
      );
      return;
    }
    this.configureTransactions(sinks, interval, minPause, timeout);
  }

  private transactionalSinks(): TransactionalSink[] {
    return this.bindings.flatMap(({ name, binding }) =>
      binding.sink?.transactions ? [{ table: name, transactions: binding.sink.transactions }] : [],
    );
  }

  private configureTransactions(sinks: TransactionalSink[], interval: Duration, minPause: Duration, timeout: Duration): void {
    if (this.settings.checkpointing.mode === CheckpointingMode.AT_LEAST_ONCE) {
      throw new Error(`exactly-once sink '${sinks[0]!.table}' needs checkpointing.mode EXACTLY_ONCE, got AT_LEAST_ONCE`);
    }
    const times = {
      interval: interval.toMilliseconds(),
      minPause: minPause.toMilliseconds(),
      timeout: timeout.toMilliseconds(),
      outage: (this.settings.survivableOutage ?? Duration.minutes(5)).toMilliseconds(),
    };
    const derived = deriveTransactionTimeout(sinks, times, this.settings.checkpointing.tolerableFailures);
    this.configure(
      'execution.checkpointing.tolerable-failed-checkpoints',
      String(derived.tolerableFailures),
      this.settings.checkpointing.tolerableFailures === undefined
        ? `as many, up to ${TOLERABLE_FAILURES}, as an open transaction survives`
        : 'stated',
    );
    for (const { table, transactions } of sinks) {
      const prefix = transactions.prefix ?? `${this.namespace}.${this.jobName}.${table}`;
      this.setTable(
        table,
        transactions.prefixOption,
        prefix,
        transactions.prefix === undefined ? 'namespace, job and table: the same over deployments, and no other job has it' : 'stated',
      );
      this.setTable(table, transactions.timeoutOption, String(derived.milliseconds), derived.arithmetic);
      this.contexts[table] = { ...this.contexts[table], transactionalIdPrefix: prefix };
    }
    refuseSharedPrefixes(sinks, (table) => this.contexts[table]!.transactionalIdPrefix!);
  }

  private configureConsumerGroups(): void {
    for (const { name, binding } of this.bindings) {
      const group = binding.source?.consumerGroup;
      if (!group) {
        continue;
      }
      const value = group.name ?? `${this.namespace}.${this.jobName}`;
      this.setTable(name, group.option, value, group.name === undefined ? 'namespace and job' : 'stated');
      this.contexts[name] = { ...this.contexts[name], consumerGroup: value };
    }
  }

  private configureState(): void {
    Object.assign(this.configuration, (this.settings.stateBackend ?? StateBackend.hashMap())._configuration);
    Object.assign(this.configuration, this.settings.restartStrategy?._configuration);
  }

  private configureHighAvailability(): void {
    if (this.settings.highAvailability === false) {
      return;
    }
    this.configure('high-availability.type', 'kubernetes', 'a restarted job manager goes on from the last checkpoint');
    this.configure(
      'high-availability.storageDir',
      `${this.settings.checkpointing.storage.uri}/ha`,
      'under checkpointing.storage, the only prefix that the job may write',
    );
  }

  private configureSavepoints(): void {
    this.configure(
      'kubernetes.operator.savepoint.format.type',
      this.settings.savepointFormat ?? SavepointFormat.NATIVE,
      this.settings.savepointFormat === undefined ? 'fast; a change of the state back end needs CANONICAL once' : undefined,
    );
    if (this.settings.savepointOnDeletion !== undefined) {
      this.configuration['kubernetes.operator.job.savepoint-on-deletion'] = String(this.settings.savepointOnDeletion);
    }
  }

  private configureSql(): void {
    if (!(this.program instanceof SqlProgram)) {
      refuseSqlSettings(this.settings, this.jobName);
      return;
    }
    const stated = this.program._settings();
    if (Object.keys(stated).length > 0) {
      checkFlinkConfiguration(stated, { what: 'SqlProgram.set', owned: { [DEFAULT_PARALLELISM]: OWNED_OPTIONS[DEFAULT_PARALLELISM]! } });
    }
    const tables = new Map(this.program._usedTables().map((table) => [table.name, table]));
    const idling = splitSources(this.bindings).filter((source) => tables.get(source.name)?.watermark);
    if (this.settings.sourceIdleTimeout) {
      this.stateSql('sourceIdleTimeout', 'table.exec.source.idle-timeout', flinkDuration(this.settings.sourceIdleTimeout));
    } else if (idling.length > 0) {
      this.setSql(
        'table.exec.source.idle-timeout',
        '1 min',
        `a ${idling[0]!.splits.unit} of ${idling[0]!.splits.of} without rows must not hold back the watermark of ${idling[0]!.name}`,
      );
    }
    const repeating = this.sourcesWhere((binding) => binding.source!.repeatsEvents === true);
    if (repeating.length > 0) {
      this.refuseKeylessChanges(repeating[0]!);
      this.setSql(
        'table.exec.source.cdc-events-duplicate',
        'true',
        `a connector restart repeats events of ${repeating.join(', ')}; the primary key tells them`,
      );
    }
    const racing = racingSinks(this.program, this.vertices.writers);
    if (racing.length > 0) {
      this.setSql('table.exec.sink.keyed-shuffle', 'FORCE', `rows of one key must reach one writer of ${racing.join(', ')}`);
    }
    if (this.settings.stateTtl) {
      this.stateSql('stateTtl', 'table.exec.state.ttl', flinkDuration(this.settings.stateTtl));
    }
    if (this.settings.upsertMaterialize && this.settings.upsertMaterialize !== UpsertMaterialize.AUTO) {
      this.stateSql('upsertMaterialize', 'table.exec.sink.upsert-materialize', this.settings.upsertMaterialize);
    }
  }

  /** With the option on, the planner refuses every source of changes without a key: the whole statement set. */
  private refuseKeylessChanges(repeating: string): void {
    const [keyless] = this.sourcesWhere(({ source }) => source!.changes === Changes.ALL && source!.repeatsEvents !== true);
    if (keyless !== undefined) {
      throw new Error(
        `source '${keyless}' emits changes and has no primary key, while '${repeating}' has one: events that repeat after a connector restart are dropped by key, for all such sources of a job or for none; give '${keyless}' a primaryKey too, or split the job`,
      );
    }
  }

  private configureFileSystems(): void {
    const endpoint = this.settings.checkpointing.storage._endpoint();
    if (endpoint) {
      this.configure(
        's3.endpoint',
        endpoint,
        "endpoint of the bucket's region: the file system would otherwise ask that of the partition aws",
      );
    }
    const fileSystems = this._fileSystems();
    if (fileSystems.includes('s3-fs-hadoop')) {
      // S3A's own chain knows neither web identities nor Pod Identity; this one knows both (FLINK-23487).
      this.configuration['fs.s3a.aws.credentials.provider'] = 'com.amazonaws.auth.DefaultAWSCredentialsProviderChain';
    }
    if (fileSystems.length > 0) {
      this.derive(
        'file systems',
        builtInPlugins(fileSystems, this.flinkVersion),
        'plugins for the paths in use, at the exact Flink version',
      );
    }
  }

  private renderScript(): string | undefined {
    if (!(this.program instanceof SqlProgram)) {
      return undefined;
    }
    if (this.program._inserts().length === 0) {
      throw new Error(`job '${this.jobName}' has nothing to do: its program has no INSERT; add one with addInsert`);
    }
    const all = Object.fromEntries(
      this.program._tables().map((table) => [table.name, { ...table.binding.options, ...this.tableOptions[table.name] }]),
    );
    return this.late.takeFromText(this.program._render(this.sqlSettings, this.late.takeFromOptions(all)));
  }

  private deriveJars(): void {
    const { coordinates, unreleased, files }: PipelineImage = pipelineImage(this.image, this._imageNeeds());
    const jars = [...coordinates, ...unreleased, ...files.map((file) => file.fileName)];
    if (jars.length > 0) {
      const reason = 'connectors, formats and functions in use, for this Flink version';
      this.derive('jars', jars.join(', '), this.image.imageName === undefined ? reason : `${reason}; the named image must hold them`);
    }
  }

  /** Options that belong to the strategy or back end that was chosen. */
  private ownedByStrategies(): { [key: string]: string } {
    const owned = (prop: string, configuration: object = {}) => Object.keys(configuration).map((key) => [key, prop]);
    return Object.fromEntries([
      ...owned('restartStrategy', this.settings.restartStrategy?._configuration),
      ...owned('stateBackend', this.settings.stateBackend?._configuration),
    ]);
  }

  private finalConfiguration(): { [key: string]: string } {
    const raw = this.settings.flinkConfiguration ?? {};
    if (Object.keys(raw).length > 0) {
      checkFlinkConfiguration(raw, { owned: { ...this.ownedByStrategies(), ...OWNED_OPTIONS } });
    }
    const merged = { ...this.configuration, ...raw };
    return Object.fromEntries(
      Object.keys(merged)
        .sort()
        .map((key) => [key, merged[key]!]),
    );
  }
}

/** The one planner option that would fight with a prop of the job. */
const DEFAULT_PARALLELISM = 'table.exec.resource.default-parallelism';

function checkProps(props: FlinkApplicationProps): void {
  if (Token.isUnresolved(props.jobName)) {
    throw new Error(`jobName must be known at synth: paths and transactional ids carry it; got the token ${props.jobName}`);
  }
  if (!/^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$/.test(props.jobName)) {
    throw new Error(
      `jobName must be at most 45 lower case letters, digits and '-', beginning with a letter and not ending with '-', got '${props.jobName}'`,
    );
  }
  if (!Token.isUnresolved(props.namespace) && !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(props.namespace)) {
    throw new Error(
      `namespace must be at most 63 lower case letters, digits and '-', beginning and ending with a letter or digit, got '${props.namespace}'`,
    );
  }
  checkCheckpointing(props.checkpointing);
  checkPodSettings(props.pod ?? {});
  renderResources('jobManager', props.jobManager);
  renderResources('taskManager', props.taskManager);
  checkWhole('maxParallelism', props.maxParallelism, 1, 32_768);
  checkWhole('taskSlots', props.taskSlots, 1, 1_024);
  checkWhole('savepointTriggerNonce', props.savepointTriggerNonce, 0, Number.MAX_SAFE_INTEGER);
  checkWhole('restartNonce', props.restartNonce, 0, Number.MAX_SAFE_INTEGER);
  checkKnown('stateTtl', props.stateTtl);
  if (props.stateTtl?.toMilliseconds({ integral: false }) === 0) {
    throw new Error('stateTtl must be longer than 0, which would keep state for ever; leave stateTtl out for that');
  }
  checkKnown('sourceIdleTimeout', props.sourceIdleTimeout);
  checkKnown('survivableOutage', props.survivableOutage);
  if (
    props.initialSavepointPath !== undefined &&
    !Token.isUnresolved(props.initialSavepointPath) &&
    !/^[a-z][a-z0-9+.-]*:\/{1,3}[^\s/]\S*$/.test(props.initialSavepointPath)
  ) {
    throw new Error(
      `initialSavepointPath must be a URI with a scheme, such as 's3p://bucket/job/savepoints/savepoint-1', got '${props.initialSavepointPath}'`,
    );
  }
}

function checkWhole(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined) {
    return;
  }
  if (Token.isUnresolved(value)) {
    throw new Error(`${name} must be known at synth, got the token ${value}`);
  }
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}, got ${value}`);
  }
}

function checkKnown(name: string, duration: Duration | undefined): void {
  if (duration?.isUnresolved()) {
    throw new Error(`${name} must be known at synth, got the token ${duration}`);
  }
}

function refuseSharedPrefixes(sinks: TransactionalSink[], prefixOf: (table: string) => string): void {
  const owners = new Map<string, string>();
  for (const { table, transactions } of sinks) {
    const identity = `${transactions.clusterId} ${prefixOf(table)}`;
    const owner = owners.get(identity);
    if (owner !== undefined) {
      throw new Error(
        `sinks '${owner}' and '${table}' have the same transactional id prefix '${prefixOf(table)}': they would fence each other; leave it out, or give each its own`,
      );
    }
    owners.set(identity, table);
  }
}

function refuseSqlSettings(settings: FlinkSettings, jobName: string): void {
  for (const name of ['stateTtl', 'upsertMaterialize', 'sourceIdleTimeout'] as const) {
    if (settings[name] !== undefined) {
      throw new Error(`${name} is for SQL programs; job '${jobName}' runs a JAR, which sets it in its own code`);
    }
  }
}
