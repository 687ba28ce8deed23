import { deepStrictEqual } from 'assert';
import { readFileSync } from 'fs';

interface Resource {
  readonly Type: string;
  readonly DependsOn?: string[];
}

/**
 * Throws where two templates would deploy different resources. The floor is only a floor if it does the whole work: every property, policy
 * statement, manifest and line of SQL must be equal. Logical ids may differ, and with them the order of DependsOn.
 *
 * @param floor path of the template that was written by hand
 * @param library path of the library's template
 */
export function checkSameResources(floor: string, library: string): void {
  deepStrictEqual(normalize(library), normalize(floor), 'bench/floor/ must create the resources of bin/user-events.ts, no less and no more');
}

function normalize(path: string): { [name: string]: Resource } {
  let text = readFileSync(path, 'utf8');
  const resources: { [logicalId: string]: Resource } = JSON.parse(text).Resources;
  const counts: { [type: string]: number } = {};
  // The longest first: one logical id may begin with another.
  const ids = Object.entries(resources).map(([logicalId, { Type }]) => {
    counts[Type] = (counts[Type] ?? 0) + 1;
    return { logicalId, name: `${Type} ${counts[Type]}` };
  });
  for (const { logicalId, name } of ids.sort((left, right) => right.logicalId.length - left.logicalId.length)) {
    text = text.replaceAll(logicalId, name);
  }
  const renamed: { [name: string]: Resource } = JSON.parse(text).Resources;
  return Object.fromEntries(
    Object.entries(renamed).map(([name, resource]) => [
      name,
      resource.DependsOn ? { ...resource, DependsOn: [...resource.DependsOn].sort() } : resource,
    ]),
  );
}
