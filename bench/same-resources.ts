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
  const found = differences(normalize(floor), normalize(library), []);
  if (found.length > 0) {
    throw new Error(
      `bench/floor/ must create the resources of bin/user-events.ts, no less and no more (--update takes over its texts):\n${found.join('\n')}`,
    );
  }
}

/** Resources by type and number. */
function normalize(path: string): object {
  let text = readFileSync(path, 'utf8');
  const resources: { [logicalId: string]: Resource } = JSON.parse(text).Resources;
  const counts: { [type: string]: number } = {};
  for (const [logicalId, { Type }] of Object.entries(resources)) {
    counts[Type] = (counts[Type] ?? 0) + 1;
    text = text.replaceAll(`"${logicalId}"`, `"${Type} ${counts[Type]}"`);
  }
  const renamed: { [name: string]: Resource } = JSON.parse(text).Resources;
  return Object.fromEntries(
    Object.entries(renamed).map(([name, resource]) => [name, { ...resource, DependsOn: [...(resource.DependsOn ?? [])].sort() }]),
  );
}

function differences(floor: unknown, library: unknown, path: string[]): string[] {
  if (typeof floor === 'object' && floor !== null && typeof library === 'object' && library !== null) {
    const keys = new Set([...Object.keys(floor), ...Object.keys(library)]);
    return [...keys].flatMap((key) => differences(floor[key as never], library[key as never], [...path, key]));
  }
  if (floor === library) {
    return [];
  }
  const [left, right] = [JSON.stringify(floor) ?? 'nothing', JSON.stringify(library) ?? 'nothing'];
  let start = 0;
  while (left[start] === right[start]) {
    start += 1;
  }
  const excerpt = (text: string) => text.slice(Math.max(0, start - 40), start + 60);
  return [`  ${path.join(' / ')}: the floor has …${excerpt(left)}…, the library …${excerpt(right)}…`];
}
