import { chooseJob } from '../../lib/planner/choose-job';

const job = (jobName: string, stack = 'Stack') => ({ jobName, directoryName: `${stack}.${jobName}` });
const SEVERAL = [job('clicks'), job('orders', 'Dev'), job('orders', 'Prod')];

test('the only job needs no name, and one of several is chosen by its name or its directory', () => {
  expect(chooseJob([job('clicks')], undefined)).toEqual(job('clicks'));
  expect(chooseJob(SEVERAL, 'clicks')).toEqual(job('clicks'));
  expect(chooseJob(SEVERAL, 'Prod.orders')).toEqual(job('orders', 'Prod'));
});

test('what is not one job is refused, with those that there are', () => {
  const all = 'there are clicks (Stack.clicks), orders (Dev.orders), orders (Prod.orders)';
  expect(() => chooseJob(SEVERAL, undefined)).toThrow(`the assembly holds several jobs: choose one with --job; ${all}`);
  expect(() => chooseJob(SEVERAL, 'visits', 'SQL job')).toThrow(`the assembly holds no SQL job 'visits'; ${all}`);
  expect(() => chooseJob(SEVERAL, 'orders')).toThrow(`several jobs are called 'orders': give the directory in brackets`);
});
