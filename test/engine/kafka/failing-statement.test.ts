import { expectReasons } from './differences';
import { Deployment, LOGIN, ORDER_ITEMS_REASONS, synthesize, until } from './order-items';
import { holdsSecret } from './secret-search';

jest.setTimeout(300_000);

const job = synthesize();
let deployment: Deployment;
afterEach(() => deployment?.remove());

test('a statement that fails ends the job manager, which says the statement and the cause but not the secret', async () => {
  deployment = await Deployment.create(job, {
    changeScript: (script) => script.replace("'topic' = 'order_item_totals'", "'topic' = 'order_item_totals', 'no-such-option' = 'x'"),
  });
  const { cluster } = deployment;
  cluster.startJobManager();
  expectReasons(job, cluster, { 'a statement that fails': /'no-such-option'/, ...ORDER_ITEMS_REASONS });
  expect(await cluster.jobManagerExit()).toBeGreaterThan(0);
  const log = cluster.log();
  expect(log).toMatch(/statement \d+ of \d+ \(EXECUTE STATEMENT SET BEGIN/);
  expect(log).toContain('no-such-option');
  expect(holdsSecret(log)).toBe(false);
});

test('a login that fails while the job runs is an exception that does not say the secret', async () => {
  deployment = await Deployment.create(job, { password: `${LOGIN.password}-of-yesterday` });
  const { cluster } = deployment;
  cluster.start(3);
  expectReasons(job, cluster, ORDER_ITEMS_REASONS);
  const refused = async () => {
    const { status, text } = await cluster.get(`${cluster.jobPath}/exceptions`).catch(() => ({ status: 0, text: '' }));
    return status === 200 && text.includes('SaslAuthenticationException') && text;
  };
  const exceptions = await until('an exception', refused, 180_000);
  expect(holdsSecret(exceptions + cluster.log())).toBe(false);
});
