import { compareVersions } from '../../lib/application/compare-versions';
import { checkOperatorRuns, FlinkOperatorVersion } from '../../lib/application/flink-operator-version';
import { FlinkVersion } from '../../lib/application/flink-version';

describe('FlinkVersion', () => {
  test('2.2 is its patch release 2.2.1, under all of its names', () => {
    expect(FlinkVersion.V2_2).toMatchObject({ fullVersion: '2.2.1', minor: '2.2', operatorName: 'v2_2' });
    expect(FlinkVersion.of('2.2.0')).toMatchObject({ fullVersion: '2.2.0', minor: '2.2', operatorName: 'v2_2' });
    expect(FlinkVersion.of('2.10.3')).toMatchObject({ minor: '2.10', operatorName: 'v2_10' });
  });

  test.each([
    ['1.20.4', "flinkVersion must be 2.2 or later, got '1.20.4': Flink 1.x reads another configuration file"],
    ['2.1.3', "flinkVersion must be 2.2 or later within Flink 2, got '2.1.3'"],
    ['3.0.0', "flinkVersion must be 2.2 or later within Flink 2, got '3.0.0'"],
    ['2.2', "must be a released version with its patch number such as '2.2.1', got '2.2'"],
    ['02.2.1', "such as '2.2.1', got '02.2.1'"],
    ['2.2.01', "got '2.2.01'"],
    ['v2_2', "got 'v2_2'"],
    ['2.3-SNAPSHOT', "got '2.3-SNAPSHOT'"],
    ['', "got ''"],
  ])('refuses %p', (version, message) => {
    expect(() => FlinkVersion.of(version)).toThrow(message);
  });
});

describe('FlinkOperatorVersion', () => {
  test('runs Flink 2.2 from 1.13 on', () => {
    for (const operator of [
      FlinkOperatorVersion.V1_13,
      FlinkOperatorVersion.V1_14,
      FlinkOperatorVersion.V1_15,
      FlinkOperatorVersion.of('1.13.0'),
    ]) {
      expect(() => checkOperatorRuns(operator, FlinkVersion.V2_2)).not.toThrow();
    }
  });

  test('runs Flink 2.3 from 1.16 on only: the resource definition of 1.15 ends at v2_2', () => {
    const flink = FlinkVersion.of('2.3.0');
    expect(() => checkOperatorRuns(FlinkOperatorVersion.V1_15, flink)).toThrow(
      'operator 1.15 cannot run Flink 2.3.0: its resource definition ends at v2_2, so that the API server refuses v2_3; install operator 1.16',
    );
    expect(() => checkOperatorRuns(FlinkOperatorVersion.of('1.15.1'), flink)).toThrow('operator 1.15.1');
    expect(() => checkOperatorRuns(FlinkOperatorVersion.of('1.16'), flink)).not.toThrow();
  });

  test.each([
    ['1.12', "operatorVersion must be 1.13 or later, got '1.12'"],
    ['1.9.0', "operatorVersion must be 1.13 or later, got '1.9.0'"],
    ['1.015', "operatorVersion must be a version such as '1.15' or '1.15.0', got '1.015'"],
    ['latest', "operatorVersion must be a version such as '1.15' or '1.15.0', got 'latest'"],
  ])('refuses %p', (version, message) => {
    expect(() => FlinkOperatorVersion.of(version)).toThrow(message);
  });
});

test('versions compare by number, whatever follows them', () => {
  const sorted = ['1.9', '1.13.0-2.2', '1.13.1', '2.0'];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
  expect(compareVersions('1.13', '1.13.0-1.20')).toBe(0);
});
