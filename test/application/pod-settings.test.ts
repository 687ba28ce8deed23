import { Token } from 'aws-cdk-lib';
import { EnvValue } from 'cdk8s-plus-27';
import { checkPodSettings, type PodSettings, renderTolerations, type Toleration } from '../../lib/application/pod-settings';

const check = (pod: PodSettings) => () => checkPodSettings(pod);
const LONG = 'a'.repeat(64);

describe.each(['labels', 'annotations', 'nodeSelector'] as const)('keys of %s', (prop) => {
  test.each(['', '-a', 'a-', 'a b', 'ä', LONG, '/a', 'a/', 'A.com/a', 'a/b/c', '.com/a'])("refuse '%s'", (key) => {
    expect(check({ [prop]: { [key]: 'v' } })).toThrow(`pod.${prop} has the key '${key}', which is none`);
  });

  test.each(['a', 'A-b_c.d', 'a'.repeat(63), 'example.com/a', '1/1'])("take '%s'", (key) => {
    expect(check({ [prop]: { [key]: 'v' } })).not.toThrow();
  });

  test('refuse values that are no text', () => {
    expect(check({ [prop]: { a: true as never } })).toThrow(`pod.${prop} must have string values, got true for 'a'`);
  });
});

describe.each(['labels', 'nodeSelector'] as const)('values of %s', (prop) => {
  test.each(['-a', 'a b', LONG, 'a/b'])("refuse '%s'", (value) => {
    expect(check({ [prop]: { a: value } })).toThrow(`pod.${prop} has the value '${value}' for 'a'`);
  });

  test.each(['', 'a', 'a'.repeat(63), 'c5.xlarge', Token.asString({ Ref: 'Value' })])("take '%s'", (value) => {
    expect(check({ [prop]: { a: value } })).not.toThrow();
  });
});

test('values of annotations are any text', () => {
  expect(check({ annotations: { a: `${LONG} / ä` } })).not.toThrow();
});

describe('variables', () => {
  const value = EnvValue.fromValue('v');

  test.each(['1A', 'A-B', '', 'A B', 'A.B'])("refuse the name '%s'", (name) => {
    expect(check({ env: { [name]: value } })).toThrow(`pod.env names must be letters, digits and underscores, got '${name}'`);
  });

  test.each(['ENABLE_BUILT_IN_PLUGINS', 'SECRET_X'])("refuse the library's own '%s'", (name) => {
    expect(check({ env: { [name]: value } })).toThrow(`pod.env must not set '${name}': the library sets it itself`);
  });

  test.each(['FLINK_PROPERTIES', 'FLINK_CONF_DIR'])("refuse '%s', which replaces the checked configuration", (name) => {
    expect(check({ env: { [name]: value } })).toThrow(
      `pod.env must not set '${name}', which goes round every check of the configuration: use flinkConfiguration`,
    );
  });

  test.each(['A', '_a1', 'MY_SECRET_X', 'FLINK_CONF', 'MY_FLINK_PROPERTIES'])("take the name '%s'", (name) => {
    expect(check({ env: { [name]: value } })).not.toThrow();
  });
});

describe('tolerations', () => {
  test.each<[Toleration, string]>([
    [
      { key: 'a', effect: 'NoScheduling' },
      "effect of a toleration must be one of NoSchedule, PreferNoSchedule, NoExecute, got 'NoScheduling'",
    ],
    [{ key: 'a', operator: 'In' }, "operator of a toleration must be one of Equal, Exists, got 'In'"],
    [{ key: 'a', operator: 'Exists', value: 'b' }, "a toleration with the operator Exists takes no value, got 'b'"],
    [{ value: 'b' }, "a toleration without a key takes no value, got 'b'"],
    [{ key: 'a', tolerationSeconds: 1 }, "tolerationSeconds goes with the effect NoExecute only, got the effect ''"],
    [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }, "got the effect 'NoSchedule'"],
    [{ operator: 'Equal' }, "a toleration without a key takes the operator Exists only, got 'Equal'"],
    [{ key: 'a b' }, "a toleration has the key 'a b'"],
    [{ key: 'a', value: 'b c' }, "a toleration has the value 'b c'"],
    ...[1e30, 1.5, -1, Number.NaN, 2_147_483_648].map((seconds): [Toleration, string] => [
      { key: 'a', effect: 'NoExecute', tolerationSeconds: seconds },
      `tolerationSeconds must be a whole number from 0 to 2147483647, got ${seconds}`,
    ]),
    [
      { key: 'a', effect: 'NoExecute', tolerationSeconds: Token.asNumber({ Ref: 'S' }) },
      'tolerationSeconds must be a whole number from 0 to 2147483647, got a token',
    ],
  ])('refuse %j', (toleration, message) => {
    expect(check({ tolerations: [toleration] })).toThrow(message);
  });

  test.each<[Toleration, string]>([
    [{ key: 'a', value: 'b' }, 'Equal'],
    [{ key: 'a', operator: 'Equal' }, 'Equal'],
    [{ key: 'a' }, 'Exists'],
    [{}, 'Exists'],
    [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 60 }, 'Exists'],
  ])('take %j with the operator %s', (toleration, operator) => {
    expect(check({ tolerations: [toleration] })).not.toThrow();
    expect(renderTolerations({ tolerations: [toleration] })).toEqual([{ ...toleration, operator }]);
  });

  test('carry what Kubernetes knows and nothing else', () => {
    const toleration = { key: 'a', foo: 'x' } as Toleration;
    expect(renderTolerations({ tolerations: [toleration] })).toEqual([{ key: 'a', operator: 'Exists' }]);
  });

  test('none are none', () => {
    expect(renderTolerations({})).toBeUndefined();
  });
});

describe('names of pull secrets', () => {
  test.each(['Registry', 'a_b', '-a', 'a.', '', 'a..b', 'a'.repeat(254)])("refuse '%s'", (name) => {
    expect(check({ imagePullSecrets: [name] })).toThrow(
      `a name of pod.imagePullSecrets must be at most 253 lower case letters, digits, '-' and '.', got '${name}'`,
    );
  });

  test.each(['registry.example-1', '1', 'a'.repeat(253), Token.asString({ Ref: 'Name' })])("take '%s'", (name) => {
    expect(check({ imagePullSecrets: [name] })).not.toThrow();
  });
});

describe('values of variables', () => {
  test.each([null, 'x', {}, { value: 5 }])('refuse %j', (value) => {
    expect(check({ env: { X: value as unknown as EnvValue } })).toThrow(/^pod.env must give 'X' /);
  });

  test('take text and references', () => {
    expect(check({ env: { X: EnvValue.fromValue('1'), Y: { valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } } } })).not.toThrow();
  });
});

describe('mounts', () => {
  const mount = (mountPath: string) => check({ secretMounts: [{ secretName: 'certificates', mountPath }] });

  test.each([
    '/opt',
    '/opt/flink',
    '/opt/flink/lib',
    '/opt/flink/sql/x',
    '/opt/flink/local/rocksdb',
    '/opt/flink/./lib',
    '/opt/../opt/flink/lib',
    'a',
    '/a/',
    '/',
    '/a:b',
  ])('refuse %s', (path) => {
    expect(mount(path)).toThrow(`got '${path}'`);
  });

  test.each(['/opt/flink/certificates', '/opt/flink/library', '/etc/kafka', '/a.b'])('take %s', (path) => {
    expect(mount(path)).not.toThrow();
  });
});
