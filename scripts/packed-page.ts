import { posix } from 'path';

/**
 * A page as it stands in the package: what it links to and is not packed is in the repository.
 *
 * @param path path of the page
 * @param text the page
 * @param isPacked whether a path is in the package
 * @param repository address of the repository, as package.json has it
 */
export function packedPage(path: string, text: string, isPacked: (path: string) => boolean, repository: string): string {
  const home = repository.replace(/\.git$/, '');
  return text.replace(/\]\(([^)\s#:]+)(#[^)\s]*)?\)/g, (link, target: string, anchor = '') => {
    const to = posix.join(posix.dirname(path), target);
    return isPacked(to) ? link : `](${home}/blob/main/${to}${anchor})`;
  });
}
