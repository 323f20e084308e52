const PAGE = 10;

/** Returns the option to which a key moves; null if the key does not move. */
export function indexForKey(key: string, from: number, count: number): number | null {
  const last = count - 1;
  const moves: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + PAGE,
    PageUp: from - PAGE,
    Home: 0,
    End: last,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined || count === 0 ? null : Math.max(0, Math.min(last, next));
}

/** Returns whether a key writes a character. */
export function isTyping(key: string): boolean {
  return [...key].length === 1;
}

/**
 * Returns the option that begins with the typed text. Searches from `from` and wraps. Repeating a letter moves to the
 * next option that begins with it.
 */
export function matchTyped(typed: string, labels: readonly string[], from: number): number | null {
  const text = typed.toLowerCase();
  const isRepeated = [...text].every((letter) => letter === text[0]);
  const sought = isRepeated ? (text[0] ?? '') : text;
  const start = Math.max(0, from) + (isRepeated && from >= 0 ? 1 : 0);
  for (let step = 0; step < labels.length; step++) {
    const index = (start + step) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(sought)) return index;
  }
  return null;
}
