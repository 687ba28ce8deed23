import { Size, Token } from 'aws-cdk-lib';
import { kubernetesQuantity, renderResources } from '../../lib/application/process-resources';

const token = Token.asNumber({ Ref: 'Number' });

test('one CPU and 2 GiB unless stated', () => {
  expect(renderResources('jobManager')).toEqual({ cpu: 1, memory: '2048m' });
});

test('Flink reads m as mebibytes, Kubernetes Mi', () => {
  expect(renderResources('taskManager', { cpu: 0.5, memory: Size.gibibytes(4), ephemeralStorage: Size.gibibytes(20) })).toEqual({
    cpu: 0.5,
    memory: '4096m',
    ephemeralStorage: '20480Mi',
  });
});

test('a part of a mebibyte is one more', () => {
  expect(renderResources('taskManager', { memory: Size.bytes(512 * 1024 * 1024 + 1) }).memory).toBe('513m');
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s CPUs', (cpu) => {
  expect(() => renderResources('taskManager', { cpu })).toThrow(`taskManager.cpu must be above 0, got ${cpu}`);
});

test.each([0.1, 1, 64])('takes %s CPUs', (cpu) => {
  expect(renderResources('taskManager', { cpu }).cpu).toBe(cpu);
});

test('takes CPUs that only the deployment knows', () => {
  expect(renderResources('taskManager', { cpu: token }).cpu).toBe(token);
});

test('refuses memory below 512 MiB', () => {
  expect(() => renderResources('jobManager', { memory: Size.mebibytes(511) })).toThrow(
    "jobManager.memory must be at least 577 MiB with Flink's default budget, got 511 MiB: the process would not start; raise it",
  );
  expect(renderResources('jobManager', { memory: Size.mebibytes(512) }).memory).toBe('512m');
});

test('refuses no disk', () => {
  expect(() => renderResources('jobManager', { ephemeralStorage: Size.mebibytes(0) })).toThrow(
    'jobManager.ephemeralStorage must be at least 1 MiB, got 0 bytes',
  );
  expect(kubernetesQuantity('disk', Size.mebibytes(1))).toBe('1Mi');
});

test.each(['bytes', 'mebibytes', 'gibibytes'] as const)('refuses sizes of a token number of %s by name', (unit) => {
  expect(() => renderResources('jobManager', { memory: Size[unit](token) })).toThrow('jobManager.memory must be known at synth');
  expect(() => renderResources('jobManager', { ephemeralStorage: Size[unit](token) })).toThrow(
    'jobManager.ephemeralStorage must be known at synth',
  );
});
