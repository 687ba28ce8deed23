import { App } from 'cdk8s';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkChart } from '../../lib/kubernetes/flink-chart';
import { PrometheusMonitoring } from '../../lib/monitoring/prometheus-monitoring';
import type { Json } from '../fixtures/json';
import { application } from '../fixtures/programs';

test('a plain cdk8s app has the same objects', () => {
  const orders = application({ image: FlinkImage.named('registry/orders:1') });
  const chart = new FlinkChart(new App(), 'orders', { application: orders });
  const monitoring = new PrometheusMonitoring(chart, 'Monitoring', {
    application: orders,
    flinkDeployment: chart.flinkDeployment,
    labels: { release: 'monitoring' },
    runbookUrl: 'https://wiki.example.com/flink',
  });
  const objects = chart.toJson() as Json[];
  expect(objects.map(({ kind }) => kind).slice(-3)).toEqual(['FlinkDeployment', 'PodMonitor', 'PrometheusRule']);
  const deployment = objects.find(({ kind }) => kind === 'FlinkDeployment')!;
  expect(deployment.spec.taskManager.podTemplate.spec.containers[0].ports).toEqual([
    { name: 'prom', containerPort: 9249, protocol: 'TCP' },
  ]);
  const rules = objects.find(({ kind }) => kind === 'PrometheusRule')!.spec.groups[0].rules as Json[];
  expect(rules.find(({ alert }) => alert === 'FlinkStateGrowing')!.annotations.runbook_url).toBe(
    'https://wiki.example.com/flink#the-state-grows',
  );
  expect(monitoring.podMonitor.metadata.toJson().labels).toMatchObject({ release: 'monitoring', 'app.kubernetes.io/name': 'orders' });
});

test('what is no address is refused', () => {
  const chart = new FlinkChart(new App(), 'orders', { application: application({ image: FlinkImage.named('registry/orders:1') }) });
  const props = { application: application(), flinkDeployment: chart.flinkDeployment, runbookUrl: 'https://wiki.example.com/flink#top' };
  expect(() => new PrometheusMonitoring(chart, 'Monitoring', props)).toThrow(/runbookUrl must be the address of the page alone/);
});

test('what is no FlinkDeployment is refused', () => {
  const props = { application: application(), flinkDeployment: {} as never };
  expect(() => new PrometheusMonitoring(new App(), 'Monitoring', props)).toThrow(
    /flinkDeployment of PrometheusMonitoring must be the FlinkDeployment of the job/,
  );
});
