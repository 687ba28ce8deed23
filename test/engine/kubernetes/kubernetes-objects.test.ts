import { App, Duration, Stack } from 'aws-cdk-lib';
import { App as Cdk8sApp } from 'cdk8s';
import fc from 'fast-check';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { OrderItemsStack } from '../../../bin/order-items-stack';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { CompactedTopic, DeploymentTarget, FlinkChart, FlinkJob, KafkaCluster, KafkaTopic } from '../../../lib';
import type { KubernetesObject } from '../../../scripts/kubernetes/finding';
import { CRD_FOLDER, ManifestJudge } from '../../../scripts/kubernetes/manifest-judge';
import { anyJob, applicationOf } from './any-application';
import { appliedObjects } from './applied-objects';
import { ACCEPTED_OBJECTS, REFUSED_FILES, REFUSED_FLINK_DEPLOYMENTS, REFUSED_OBJECTS } from './refused-objects';

const available = ManifestJudge.available();
if (!available) {
  console.log(`skipped: no custom resource definitions in ${CRD_FOLDER}`);
}
const whenAvailable = available ? describe : describe.skip;

let judge: ManifestJudge;
const directories: string[] = [];

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'kubernetes-objects-'));
  directories.push(directory);
  return directory;
}

function removeDirectories(): void {
  for (const directory of directories.splice(0)) {
    rmSync(directory, { recursive: true, force: true });
  }
}

function manifestFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('manifests.yaml'))
    .map((path) => join(directory, path));
}

whenAvailable('Kubernetes objects', () => {
  beforeAll(() => {
    judge = new ManifestJudge();
    // The warnings of charts.
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterAll(() => {
    jest.restoreAllMocks();
    removeDirectories();
  });

  describe.each([
    ['user-events', (app: App) => new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } }), 1],
    ['order-items', (app: App) => new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } }), 2],
  ] as const)('%s', (_name, build, jobs) => {
    let directory: string;
    beforeAll(() => {
      const app = new App({ outdir: newDirectory() });
      build(app);
      directory = app.synth().directory;
    });

    test('its manifest files are accepted', () => {
      const files = manifestFiles(directory);
      expect(files).toHaveLength(jobs);
      for (const file of files) {
        expect(judge.judgeYaml(readFileSync(file, 'utf8'))).toEqual([]);
      }
    });

    test('what its template applies is the same and is accepted', () => {
      const applied = appliedObjects(directory);
      expect(applied.flatMap((object) => judge.judge(object))).toEqual([]);
      const written = manifestFiles(directory).flatMap((file) =>
        parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubernetesObject),
      );
      const names = (objects: KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`).sort();
      expect(names(applied)).toEqual(names(written));
    });
  });

  test('whatever a chart emits is accepted', () => {
    const emitted = { count: 0 };
    const runs = 400;
    fc.assert(
      fc.property(anyJob, (job) => {
        let yaml: string;
        try {
          const app = new Cdk8sApp();
          new FlinkChart(app, 'job', { application: applicationOf(job()) });
          yaml = app.synthYaml();
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect((error as Error).constructor).toBe(Error);
          return;
        }
        emitted.count++;
        expect(judge.judgeYaml(yaml)).toEqual([]);
      }),
      { numRuns: runs, seed: 20_261_130 },
    );
    // What is refused is judged nowhere, so enough must get through.
    expect(emitted.count).toBeGreaterThan(runs / 4);
  });

  test('whatever a job and its topics write for GitOps is accepted', () => {
    const topicName = fc.oneof(
      fc.constantFrom('dwd_order_item', 'orders', 'a.b', 'A', '__x__', 'x'.repeat(249)),
      fc.string({ maxLength: 12 }),
    );
    const emitted = { count: 0 };
    const runs = 40;
    fc.assert(
      fc.property(anyJob, topicName, fc.integer({ min: -1, max: 50 }), fc.integer({ min: 1, max: 7 }), (job, name, partitions, copies) => {
        const app = new App({ outdir: newDirectory() });
        try {
          const { jobName, namespace, program, settings } = job();
          const stack = new Stack(app, 'Stack', { env: { account: '111122223333', region: 'eu-central-1' } });
          const target = DeploymentTarget.manifests({ namespace, clusterName: 'main' });
          const cluster = KafkaCluster.strimzi({ name: 'main', namespace, target, bootstrapServers: ['main-kafka-bootstrap:9092'] });
          new CompactedTopic(stack, 'Compacted', {
            cluster,
            topicName: name,
            partitions,
            replicationFactor: copies,
            slowestReaderAbsence: Duration.days(2),
          });
          new KafkaTopic(stack, 'Topic', { cluster, topicName: `${name}-plain`, partitions, replicationFactor: copies });
          new FlinkJob(stack, 'Job', { ...settings, jobName, program, target });
          app.synth();
        } catch (error) {
          expect((error as Error).constructor.name).toMatch(/^(Error|ValidationError)$/);
          return;
        }
        emitted.count++;
        const files = manifestFiles(app.outdir);
        expect(files).toHaveLength(3);
        for (const file of files) {
          expect(judge.judgeYaml(readFileSync(file, 'utf8'))).toEqual([]);
        }
        removeDirectories();
      }),
      { numRuns: runs, seed: 20_261_130 },
    );
    expect(emitted.count).toBeGreaterThan(runs / 8);
  });

  describe('the judge', () => {
    let good: KubernetesObject;
    beforeAll(() => {
      const app = new App({ outdir: newDirectory() });
      new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
      const [file] = manifestFiles(app.synth().directory);
      good = parseAllDocuments(readFileSync(file!, 'utf8'))
        .map((document) => document.toJS() as KubernetesObject)
        .find(({ kind }) => kind === 'FlinkDeployment')!;
    });

    test.each(Object.entries(REFUSED_FLINK_DEPLOYMENTS))('refuses a FlinkDeployment: %s', (_what, change) => {
      const bad = structuredClone(good);
      change(bad);
      expect(judge.judge(good)).toEqual([]);
      expect(judge.judge(bad)).not.toEqual([]);
    });

    test.each(['4096M', '4Gi', '4g', '4 GB', '4096mb', '4Gib'])('accepts the memory %s, which is 4 GiB', (memory) => {
      const same = structuredClone(good);
      same.spec.taskManager.resource.memory = memory;
      expect(judge.judge(same)).toEqual([]);
    });

    test.each(Object.entries(ACCEPTED_OBJECTS))('accepts a good %s', (_kind, object) => {
      expect(judge.judge(object)).toEqual([]);
    });

    test.each(Object.entries(REFUSED_OBJECTS))('refuses %s', (_what, object) => {
      expect(judge.judge(object)).not.toEqual([]);
    });

    test.each(Object.entries(REFUSED_FILES))('refuses a file with %s', (_what, text) => {
      expect(judge.judgeYaml(text)).not.toEqual([]);
    });

    test('refuses a manifest whose ConfigMap is missing', () => {
      const sql = good.spec.jobManager.podTemplate.spec.volumes[0].configMap.name;
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...good.metadata, name: sql }, data: { 'job.sql': '' } };
      expect(judge.judgeManifest([configMap, good])).toEqual([]);
      expect(judge.judgeManifest([good])).not.toEqual([]);
    });
  });
});
