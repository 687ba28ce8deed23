/**
 * Compare dotted version numbers by their numbers, not as text: 1.9 comes before 1.13.
 *
 * A missing number counts as zero, whatever follows the numbers (`-2.2`) is left out of account.
 *
 * @returns a negative number, zero or a positive number, as `Array.sort` takes it
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [numbers(left), numbers(right)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split('-')[0].split('.').map(Number);
}
