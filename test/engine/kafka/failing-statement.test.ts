import { Deployment, LOGIN, synthesize, until } from './order-items';
import { holdsSecret } from './secret-search';

jest.setTimeout(180_000);

let deployment: Deployment;
afterEach(() => deployment?.remove());

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
  expect(holdsSecret(log)).toBe(false);
});

test('a login that fails while the job runs is an exception that does not say the secret', async () => {
  deployment = await Deployment.create(synthesize(), { password: `${LOGIN.password}-of-yesterday` });
  const { cluster } = deployment;
  cluster.start(3);
  const exceptions = await until('an exception', async () => {
    const { status, text } = await cluster.get(`${cluster.jobPath}/exceptions`).catch(() => ({ status: 0, text: '' }));
    return status === 200 && text.includes('SaslAuthenticationException') && text;
  });
  expect(holdsSecret(exceptions + cluster.log())).toBe(false);
});
