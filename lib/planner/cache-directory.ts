import { homedir } from 'os';
import { join } from 'path';

/** Where the operating system keeps what can be made again, for this library and user. */
export function cacheDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return join(base(environment), 'cdk-flink-pipeline');
}

function base(environment: NodeJS.ProcessEnv): string {
  if (environment.XDG_CACHE_HOME) {
    return environment.XDG_CACHE_HOME;
  }
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Caches');
    case 'win32':
      return environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
    default:
      return join(homedir(), '.cache');
  }
}
