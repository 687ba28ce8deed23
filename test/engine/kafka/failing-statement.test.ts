import { CANARY, Deployment, synthesize } from './order-items';

jest.setTimeout(120_000);

let deployment: Deployment;
afterAll(() => deployment?.remove());

test('a statement that fails ends the job manager, which says the statement and the cause but not the secret', async () => {
  deployment = await Deployment.create(synthesize(), {
    changeScript: (script) => script.replace("'topic' = 'order_item_totals'", "'topic' = 'order_item_totals', 'no-such-option' = 'x'"),
  });
  const { cluster } = deployment;
  cluster.startJobManager();
  expect(await cluster.jobManagerExit()).toBeGreaterThan(0);
  const log = cluster.log();
  expect(log).toMatch(/statement \d+ of \d+ \(EXECUTE STATEMENT SET BEGIN/);
  expect(log).toContain('no-such-option');
  for (const part of [CANARY, 'canary-7']) {
    expect(log).not.toContain(part);
  }
});
