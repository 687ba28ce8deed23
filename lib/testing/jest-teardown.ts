import './jest-setup';

/** Ends the Flink that `jest-setup` has started. */
export default async function tearDown(): Promise<void> {
  await globalThis.cdkFlinkPipelineTearDown?.();
}
