import { Validations } from 'aws-cdk-lib';
import { App as Cdk8sApp, Testing } from 'cdk8s';
import { FlinkChart, type FlinkChartProps, FlinkImage, type FlinkJobProps } from '../../lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { newApp } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import { application } from '../fixtures/programs';
import { ENVIRONMENT, job, newStack } from '../fixtures/stacks';

/** The Kubernetes objects of a job in a plain cdk8s app, by kind. */
export function objects(changed: Partial<FlinkApplicationProps> = {}, props: Partial<FlinkChartProps> = {}): { [kind: string]: Json } {
  const chart = new FlinkChart(new Cdk8sApp(), 'orders', {
    application: application({ image: FlinkImage.named('registry/orders:1'), ...changed }),
    ...props,
  });
  return Object.fromEntries(Testing.synth(chart).map((object) => [object.kind, object]));
}

/** Ids of the warnings that the toolkit shows for a job in a CDK app, in their order. */
export function shownWarnings(changed: Partial<FlinkJobProps>, acknowledged: string[] = []): string[] {
  const error = jest.spyOn(console, 'error').mockImplementation(() => {});
  const app = newApp();
  const created = job(newStack({ env: ENVIRONMENT }, app), changed);
  for (const id of acknowledged) {
    Validations.of(created).acknowledge({ id, reason: 'meant' });
  }
  app.synth();
  const shown = error.mock.calls.flat().join('\n');
  error.mockRestore();
  return [...shown.matchAll(/Acknowledge with 'Annotation::(cdk-flink-pipeline:\w+)'/g)].map(([, id]) => id!);
}
