import { Size, Token } from 'aws-cdk-lib';
import { StateBackend } from '../../lib/application/state-backend';

const LOCAL_RECOVERY = { 'execution.checkpointing.local-backup.enabled': 'true', 'execution.state-recovery.from-local': 'true' };

describe('state on the heap', () => {
  test('needs no volume', () => {
    expect(StateBackend.hashMap()).toMatchObject({
      _configuration: { 'state.backend.type': 'hashmap' },
      _needsLocalVolume: false,
      _localStorage: undefined,
    });
  });

  test('recovers locally where asked', () => {
    expect(StateBackend.hashMap({ localRecovery: true })._configuration).toEqual({ 'state.backend.type': 'hashmap', ...LOCAL_RECOVERY });
    expect(StateBackend.hashMap({ localRecovery: false })._configuration).toEqual({ 'state.backend.type': 'hashmap' });
  });
});

describe('state in RocksDB', () => {
  const ROCKSDB = {
    'state.backend.type': 'rocksdb',
    'state.backend.rocksdb.localdir': '/opt/flink/local/rocksdb',
    'execution.checkpointing.incremental': 'true',
  };

  test('lies on a volume and is saved by what changed', () => {
    expect(StateBackend.rocksDb()).toMatchObject({ _configuration: ROCKSDB, _needsLocalVolume: true, _localStorage: undefined });
  });

  test('is saved whole where asked', () => {
    expect(StateBackend.rocksDb({ incremental: false })._configuration['execution.checkpointing.incremental']).toBe('false');
  });

  test('recovers locally from the same volume', () => {
    expect(StateBackend.rocksDb({ localRecovery: true })._configuration).toEqual({
      ...ROCKSDB,
      ...LOCAL_RECOVERY,
      'execution.checkpointing.local-backup.dirs': '/opt/flink/local/backup',
    });
  });

  test('is told apart from text', () => {
    expect(() => StateBackend.rocksDb({ incremental: 'false' as never })).toThrow(
      'incremental of StateBackend.rocksDb must be true or false',
    );
    expect(() => StateBackend.rocksDb({ localStorage: 20 as never })).toThrow('localStorage of StateBackend.rocksDb must be a Size');
    expect(() => StateBackend.hashMap({ localRecovery: 'no' as never })).toThrow(
      'localRecovery of StateBackend.hashMap must be true or false',
    );
  });

  test('has the limit of its volume', () => {
    expect(StateBackend.rocksDb({ localStorage: Size.gibibytes(20) })._localStorage?.toMebibytes()).toBe(20_480);
    expect(StateBackend.rocksDb({ localStorage: Size.kibibytes(20_481) })._localStorage?.toMebibytes()).toBe(21);
    expect(() => StateBackend.rocksDb({ localStorage: Size.mebibytes(0) })).toThrow(
      'localStorage of the state back end must be at least 1 MiB, got 0 bytes',
    );
    expect(() => StateBackend.rocksDb({ localStorage: Size.gibibytes(Token.asNumber({ Ref: 'Size' })) })).toThrow(
      'localStorage of the state back end must be known at synth',
    );
  });
});
