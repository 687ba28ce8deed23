/** Those of both lists that stand in another order in the second, in the order of the first. No list holds a text twice. */
export function changedPlaces(before: string[], after: string[]): string[] {
  const now = after.filter((text) => before.includes(text));
  return before.filter((text) => after.includes(text)).filter((text, index) => now[index] !== text);
}

/** `a and b changed places`. */
export function changedPlacesText(names: string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} changed places`;
}
