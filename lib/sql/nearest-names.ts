/**
 * The names nearest to one that nobody knows, for "did you mean" in an error: all that are equally near, best first.
 *
 * Near is a few letters off (inserted, left out, exchanged or swapped), the same words in another order or case, or the end
 * of a longer name (`numberOfTaskSlots`). Empty where nothing is near enough to be meant.
 *
 * @param name the unknown name
 * @param known all names
 */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  const candidates = [...known];
  const letters = lettersOf(name);
  const spelledAlike = candidates.filter((candidate) => lettersOf(candidate) === letters);
  if (spelledAlike.length > 0) {
    return spelledAlike.sort();
  }
  const byLetters = nearestByLetters(name, candidates);
  if (byLetters.length > 0) {
    return byLetters;
  }
  const ends = candidates.filter((candidate) => candidate.toLowerCase().endsWith(`.${name.toLowerCase()}`));
  if (ends.length > 0 && ends.length <= MOST_SUGGESTIONS) {
    return ends.sort();
  }
  return nearestByWords(name, candidates);
}

/** `; did you mean 'a' or 'b'?`, empty where nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = nearestNames(name, known);
  return names.length === 0 ? '' : `; did you mean ${quotedAlternatives(names)}?`;
}

/** `'a', 'b' or 'c'`. */
export function quotedAlternatives(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted[quoted.length - 1]}`;
}

const MOST_SUGGESTIONS = 5;

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function nearestByLetters(name: string, candidates: string[]): string[] {
  // One slip for each four letters, never more than four: beyond that two names of one prefix would always be near.
  const most = Math.min(4, Math.max(1, Math.floor(name.length / 4)));
  for (let slips = 1; slips <= most; slips++) {
    const nearest = candidates.filter((candidate) => withinSlips(name, candidate, slips));
    if (nearest.length > 0) {
      return nearest.sort().slice(0, MOST_SUGGESTIONS);
    }
  }
  return [];
}

/** Whether `most` letters inserted, left out, exchanged or swapped with their neighbour make one text the other. */
function withinSlips(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) {
    return false;
  }
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(most + 1);
    current[0] = row;
    let least = row;
    // Outside of this band the difference of the lengths alone is more than `most`.
    for (let column = Math.max(1, row - most); column <= Math.min(b.length, row + most); column++) {
      const exchanged = previous[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
      let slips = Math.min(previous[column] + 1, current[column - 1] + 1, exchanged);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        slips = Math.min(slips, beforePrevious[column - 2] + 1);
      }
      current[column] = slips;
      least = Math.min(least, slips);
    }
    if (least > most) {
      return false;
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] <= most;
}

function nearestByWords(name: string, candidates: string[]): string[] {
  const words = wordsOf(name);
  // Two thirds of all words in common: `state.rocksdb.backend.localdir` finds its key, a bare `state` finds nothing.
  let best = 2 / 3;
  let nearest: string[] = [];
  for (const candidate of candidates) {
    const others = wordsOf(candidate);
    const shared = [...words].filter((word) => others.has(word)).length;
    const likeness = shared / (words.size + others.size - shared);
    if (likeness > best) {
      best = likeness;
      nearest = [candidate];
    } else if (likeness === best) {
      nearest.push(candidate);
    }
  }
  return nearest.length > MOST_SUGGESTIONS ? [] : nearest.sort();
}

function wordsOf(name: string): Set<string> {
  return new Set(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1.$2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== ''),
  );
}
