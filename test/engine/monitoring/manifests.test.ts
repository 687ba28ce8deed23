import { App } from 'cdk8s';
import { FlinkImage } from '../../../lib/application/flink-image';
import { FlinkChart } from '../../../lib/kubernetes/flink-chart';
import { PrometheusMonitoring } from '../../../lib/monitoring/prometheus-monitoring';
import { CRD_FOLDER, ManifestJudge } from '../../../scripts/kubernetes/manifest-judge';
import type { Json } from '../../fixtures/json';
import { application } from '../../fixtures/programs';

const available = ManifestJudge.available();
if (!available) {
  console.log(`skipped: no custom resource definitions in ${CRD_FOLDER}`);
}

(available ? test : test.skip)('the objects are accepted by their definitions', () => {
  const judge = new ManifestJudge();
  const orders = application({ image: FlinkImage.named('registry/orders:1') });
  const chart = new FlinkChart(new App(), 'orders', { application: orders });
  new PrometheusMonitoring(chart, 'Monitoring', { application: orders, flinkDeployment: chart.flinkDeployment });
  const objects = chart.toJson() as Json[];
  expect(objects.filter(({ kind }) => /^(FlinkDeployment|PodMonitor|PrometheusRule)$/.test(kind))).toHaveLength(3);
  expect(objects.flatMap((object) => judge.judge(object))).toEqual([]);

  const { selector, ...spec } = objects.find(({ kind }) => kind === 'PodMonitor')!.spec;
  expect(selector).toBeDefined();
  expect(judge.judge({ ...objects.find(({ kind }) => kind === 'PodMonitor')!, spec })).not.toEqual([]);
});
