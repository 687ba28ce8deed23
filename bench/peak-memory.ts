import { writeSync } from 'fs';

/** Loaded before an app that is measured: tells the parent on file descriptor 3 how much memory the process took at most, in KiB. */
process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS));
});
