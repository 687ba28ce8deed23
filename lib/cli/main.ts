#!/usr/bin/env node
import { run } from './run';

process.exitCode = run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
