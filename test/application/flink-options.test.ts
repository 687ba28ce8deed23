import { Token } from 'aws-cdk-lib';
import fc from 'fast-check';
import catalogue from '../../lib/application/data/flink-2.2-configuration.json';
import { checkFlinkConfiguration } from '../../lib/application/flink-options';

const token = Token.asString({ Ref: 'Thing' });
const owned = { 'state.backend.type': 'stateBackend', 'execution.checkpointing.interval': 'checkpointing.interval' };

function check(configuration: { [key: string]: string }): void {
  checkFlinkConfiguration(configuration, { owned });
}

describe('keys', () => {
  test.each<[string, string]>([
    ['taskmanager.numberOfTaskSlot', `did you mean 'taskmanager.numberOfTaskSlots'?`],
    ['taskmanager.numberoftaskslots', `did you mean 'taskmanager.numberOfTaskSlots'?`],
    ['numberOfTaskSlots', `did you mean 'taskmanager.numberOfTaskSlots'?`],
    ['rocksdb.state.backend.localdir', `did you mean 'state.backend.rocksdb.localdir'?`],
    [
      'execution.checkpointing.intervall',
      `did you mean 'execution.checkpointing.interval'? (written by the library: use checkpointing.interval instead)`,
    ],
    ['env.java.opts.taskmanger', `did you mean 'env.java.opts.taskmanager'?`],
    ['job.autoscaler.stabilisation.interval', `did you mean 'job.autoscaler.stabilization.interval'?`],
    [
      'quite.another.thing',
      `'quite.another.thing' is not a key that Flink 2.2 or its operator knows; its keys: https://nightlies.apache.org/flink/flink-docs-release-2.2/`,
    ],
    ['my.listener.url', "goes in by flinkDeployment.addJsonPatch(JsonPatch.add('/spec/flinkConfiguration/my.listener.url', …))"],
    ['openlineage.', 'is not a key'],
    // Deprecated spellings that Flink still reads.
    ['state.checkpoints.dir', `use 'execution.checkpointing.dir'`],
    ['state.savepoints.dir', `use 'execution.checkpointing.savepoint-dir'`],
    [
      'state.backend',
      `'state.backend' is an old spelling of 'state.backend.type', which is written by the library: use stateBackend instead`,
    ],
    ['state.backend.local-recovery', `use 'execution.checkpointing.local-backup.enabled' or 'execution.state-recovery.from-local'`],
    ['restart-strategy', `use 'restart-strategy.type'`],
    ['akka.ask.timeout', `use 'pekko.ask.timeout'`],
    ['kubernetes.operator.job.autoscaler.enabled', `use 'job.autoscaler.enabled'`],
    ['job.autoscaler.target.utilization', `use 'job.autoscaler.utilization.target'`],
    ['env.java.opts', `use 'env.java.opts.all'`],
    // Removed in Flink 2.0.
    ['state.backend.async', 'was removed in Flink 2.0'],
    ['taskmanager.heap.size', `use 'taskmanager.memory.process.size'`],
    ['taskmanager.network.memory.fraction', `use 'taskmanager.memory.network.fraction'`],
    ['cluster.evenly-spread-out-slots', `use 'taskmanager.load-balance.mode'`],
    ['pipeline.registered-kryo-types', `use 'pipeline.serialization-config'`],
    ['table.exec.shuffle-mode', `use 'execution.batch-shuffle-mode'`],
    ['metrics.reporter.prom.class', `name the factory in 'metrics.reporter.prom.factory.class'`],
    // Owned, forbidden, internal.
    ['state.backend.type', 'is written by the library: use stateBackend instead'],
    ['kubernetes.cluster-id', 'is refused by the Flink Kubernetes operator, which takes it from the name'],
    ['kubernetes.namespace', 'the namespace of the FlinkDeployment'],
    ['high-availability.cluster-id', 'leave it out'],
    ['$internal.pipeline.job-id', 'is internal to Flink'],
    // Known to somebody else.
    ['kubernetes.operator.reconcile.interval', `read from the operator's own configuration only`],
    ['kubernetes.operator.metrics.reporter.prom.factory.class', `read from the operator's own configuration only`],
    ['scan.parallelism', 'is an option of a table'],
    ['fields.id.min', 'is an option of a table'],
    ['sink.semantic', 'is an option of a table'],
    ['ignore-parse-errors', 'is an option of a table'],
    ['filter.includes', `write 'metrics.reporter.<name>.filter.includes'`],
    ['max-attempts', 'LOOKUP hint'],
    ['flink-conf.yaml', 'Flink 2 reads no flink-conf.yaml'],
    [token, 'a key is a token'],
    // The beginning of a family is not a member of it.
    ['s3.', 'is not a key'],
    ['pipeline.global-job-parameters.', 'is not a key'],
    ['external-resource.gpu', 'is not a key'],
    ['constructor', 'is not a key'],
  ])('%s', (key, message) => {
    expect(() => check({ [key]: '1' })).toThrow(message);
  });

  test.each([
    'kubernetes.operator.savepoint.history.max.count',
    'kubernetes.operator.plugins.listeners.audit.class',
    'metrics.reporter.prom.factory.class',
    'metrics.reporter.prom.filter.includes',
    's3.endpoint',
    'fs.s3a.aws.credentials.provider',
    's3a.path.style.access',
    'openlineage.transport.url',
    'fs.s3.limit.total',
    'presto.s3.sse.enabled',
    'containerized.taskmanager.env.TZ',
    'external-resource.gpu.driver-factory.class',
    'external-resource.gpu.param.discovery-script.path',
    'flink.hadoop.dfs.nameservices',
    'pipeline.global-job-parameters.region',
    'kubernetes.taskmanager.annotations.team',
    'security.delegation.token.provider.s3.enabled',
    'sink.committer.retries',
    'jobmanager.rpc.address',
    'table.local-time-zone',
  ])('%s is known', (key) => {
    expect(() => check({ [key]: '1' })).not.toThrow();
  });

  test('every bad entry is listed', () => {
    expect(() => check({ 'taskmanager.numberOfTaskSlots': 'two', 'state.backend': 'rocksdb', 'rest.port': '8081' })).toThrow(
      /^flinkConfiguration has entries that Flink would ignore or refuse:\n {2}- 'taskmanager.numberOfTaskSlots' must be.*\n {2}- 'state\.backend'[^\n]*$/,
    );
  });

  test('a near miss of a key names the key', () => {
    const keys = Object.keys(catalogue.keys);
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
    const miss = fc
      .tuple(fc.constantFrom(...keys), fc.nat(), letter, fc.constantFrom('insert', 'leave out', 'swap'))
      .map(([key, position, other, slip]) => {
        const at = position % (key.length - 1);
        const rest = key.slice(slip === 'swap' ? at + 2 : slip === 'leave out' ? at + 1 : at);
        const slipped = slip === 'swap' ? key[at + 1] + key[at] : slip === 'insert' ? other : '';
        return { key, miss: key.slice(0, at) + slipped + rest };
      });
    fc.assert(
      fc.property(miss, ({ key, miss }) => {
        fc.pre(!Object.hasOwn(catalogue.keys, miss));
        expect(() => checkFlinkConfiguration({ [miss]: '1' }, { owned: {} })).toThrow(`'${key}'`);
      }),
      { numRuns: 100 },
    );
  });

  test('no key stands in two places', () => {
    const keys = new Set(Object.keys(catalogue.keys));
    const others = [
      ...Object.keys(catalogue.renamed),
      ...Object.keys(catalogue.removed),
      ...catalogue.operatorOnly,
      ...catalogue.tableOptions,
    ];
    expect(others.filter((key) => keys.has(key))).toEqual([]);
    expect(
      Object.values(catalogue.renamed)
        .flat()
        .filter((key) => !keys.has(key)),
    ).toEqual([]);
  });
});

describe('values', () => {
  const kinds: { [kind: string]: { key: string; good: string[]; bad: string[]; message: string } } = {
    Boolean: { key: 'pipeline.object-reuse', good: ['true', 'FALSE'], bad: ['yes', '1', ' true '], message: `'true' or 'false'` },
    Integer: {
      key: 'rest.port',
      good: ['8081', '-1', '+5'],
      bad: ['8081.5', '1e3', ' 5 ', '3000000000', '0x10'],
      message: 'a whole number (32 bits)',
    },
    Long: { key: 'jobstore.cache-size', good: ['3000000000'], bad: ['1 gb', '9223372036854775808'], message: 'a whole number' },
    Double: { key: 'kubernetes.jobmanager.cpu.amount', good: ['0.5', '1e3', ' 5 ', '2.'], bad: ['500m', 'half'], message: 'a number' },
    Float: { key: 'taskmanager.memory.managed.fraction', good: ['.4'], bad: ['40%'], message: 'a number' },
    Duration: {
      key: 'heartbeat.timeout',
      good: ['10 s', '1min', '1m', '500', 'PT10S', 'pt1h', 'P1D', '1 H', ' 5 hours ', '5 µs'],
      bad: ['1.5s', '-1', '5 us', '1 week', 'P', 'PT', '-PT1S', '10 seconds ago', '64mb'],
      message: `a duration such as '500 ms'`,
    },
    MemorySize: {
      key: 'taskmanager.memory.managed.size',
      good: ['64mb', '2 GB', '1024', '1t'],
      bad: ['2Gi', '1.5gb', '-1'],
      message: `a memory size such as '64 mb'`,
    },
    enum: {
      key: 'execution.checkpointing.mode',
      good: ['EXACTLY_ONCE', 'at_least_once'],
      bad: ['EXACTLY-ONCE', 'exactly'],
      message: `'EXACTLY_ONCE' or 'AT_LEAST_ONCE'`,
    },
    'list of an enum': {
      key: 'metrics.job.status.enable',
      good: ['STATE;current_time', '[STATE, TOTAL_TIME]'],
      bad: ['STATE;NOW'],
      message: `a list, separated by ';'`,
    },
  };

  test.each(Object.keys(kinds))('%s', (kind) => {
    const { key, good, bad, message } = kinds[kind];
    for (const value of good) {
      expect(() => check({ [key]: value })).not.toThrow();
    }
    for (const value of bad) {
      expect(() => check({ [key]: value })).toThrow(message);
    }
    expect(() => check({ [key]: token })).not.toThrow();
  });

  test('values that no key takes', () => {
    expect(() => check({ 'rest.port': '' })).toThrow(`'rest.port' has an empty value`);
    expect(() => check({ 'rest.port': '  ' })).toThrow(`'rest.port' has an empty value`);
    expect(() => check({ 'rest.port': null as unknown as string })).toThrow(`'rest.port' has no value`);
    expect(() => check({ 'rest.port': 8081 as unknown as string })).toThrow(`'rest.port' must be text, got the number 8081: write '8081'`);
  });

  test('maps, lists and text take any text', () => {
    expect(() =>
      check({
        'pipeline.global-job-parameters': 'a:b,c:d',
        'metrics.reporters': 'prom',
        'classloader.parent-first-patterns.additional': 'a.;b.',
      }),
    ).not.toThrow();
  });
});
