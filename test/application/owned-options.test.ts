import { checkFlinkConfiguration } from '../../lib/application/flink-options';
import { OWNED_OPTIONS, USELESS_OPTIONS } from '../../lib/application/owned-options';
import { StateBackend } from '../../lib/application/state-backend';
import { application } from '../fixtures/programs';

/** A value of the right type is not at stake here: a token passes as any value. */
const ANY_VALUE = '${Token[TOKEN.1]}';

test.each(Object.keys(OWNED_OPTIONS))('Flink or the operator knows %s by this name', (key) => {
  expect(() => checkFlinkConfiguration({ [key]: ANY_VALUE }, { owned: {} })).not.toThrow();
});

test.each(Object.entries(OWNED_OPTIONS))('raw %s is refused in favour of %s', (key, prop) => {
  expect(() => checkFlinkConfiguration({ [key]: ANY_VALUE }, { owned: OWNED_OPTIONS })).toThrow(prop);
});

test('what lies in the volume of the back end has its place by that', () => {
  const stateBackend = StateBackend.rocksDb({ localRecovery: true });
  const flinkConfiguration = { 'execution.checkpointing.local-backup.dirs': '/disk' };
  expect(() => application({ stateBackend, flinkConfiguration })).toThrow(
    'use stateBackend: StateBackend.rocksDb({ localStorage }), the volume where it lies, instead',
  );
  expect(() => application({ stateBackend: StateBackend.hashMap({ localRecovery: true }), flinkConfiguration })).not.toThrow();
});

test.each(Object.entries(USELESS_OPTIONS))('raw %s is refused: it %s', (key, reason) => {
  expect(key in OWNED_OPTIONS).toBe(false);
  expect(() => checkFlinkConfiguration({ [key]: ANY_VALUE }, { owned: {} })).toThrow(`'${key}' ${reason}: leave it out`);
  // Another spelling would not be refused in these words.
  expect(() => checkFlinkConfiguration({ [`${key}x`]: ANY_VALUE }, { owned: {} })).toThrow(`did you mean '${key}'`);
});
