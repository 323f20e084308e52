/**
 * Returns the name that differs from an unknown word by the fewest single-character edits and swaps (optimal string
 * alignment), ignoring case. Null if all differ too much.
 */
export function nearestName(word: string, names: Iterable<string>): string | null {
  let nearest: string | null = null;
  let least = editsAllowed(word) + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= least) continue;
    const edits = editsBetween(word.toLowerCase(), name.toLowerCase());
    if (edits >= least) continue;
    nearest = name;
    least = edits;
  }
  return nearest;
}

/** Returns the maximum number of edits that count as a typing error: a quarter of the word's length, from 1 to 3. */
function editsAllowed(word: string): number {
  return Math.min(3, Math.max(1, Math.floor(word.length / 4)));
}

const WORD_LENGTH_MAX = 100;

function editsBetween(left: string, right: string): number {
  if (left.length > WORD_LENGTH_MAX || right.length > WORD_LENGTH_MAX) return WORD_LENGTH_MAX;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_none, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let edits = Math.min(
        (previous[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (previous[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      row.push(edits);
    }
    before = previous;
    previous = row;
  }
  return previous[right.length] as number;
}

/** Returns a question that suggests the nearest name, or an empty text if no name is near. */
export function meant(word: string, names: Iterable<string>): string {
  const name = nearestName(word, names);
  return name === null ? '' : `; did you mean ${name}?`;
}
