import { App } from 'aws-cdk-lib';
import { mkdtempSync, rmSync, writeSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import type { UserEventsStack } from '../bin/user-events-stack';

/** Synthesizes an app twice in this process and tells the parent on file descriptor 3 how many milliseconds the second time took. */
function main(modulePath: string): void {
  const loaded: { UserEventsStack: typeof UserEventsStack } = require(join(__dirname, '..', modulePath));
  const synth = () => {
    const outdir = mkdtempSync(join(tmpdir(), 'bench-second-'));
    const start = process.hrtime.bigint();
    const app = new App({ outdir });
    new loaded.UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
    app.synth();
    const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
    rmSync(outdir, { recursive: true });
    return milliseconds;
  };
  synth();
  writeSync(3, String(synth()));
}

main(process.argv[2]!);
