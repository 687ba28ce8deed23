/**
 * A directory as it is compared: one bucket has a name for each file system, so the scheme is left out.
 *
 * @param uri URI of the directory
 */
export function directoryOf(uri: string): string {
  return `${uri.replace(/^[a-z0-9+.-]+:/, '').replace(/\/+$/, '')}/`;
}

/**
 * Whether one directory lies in the other, or is the other.
 *
 * @param left a directory, from `directoryOf`
 * @param right another one
 */
export function directoriesOverlap(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left);
}
