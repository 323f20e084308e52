/** Ends of clauses, the best points to split at. Commas and blanks are tried next. */
const CLAUSE_ENDS = /[;:;；：—–][\s"'”’)\]]*|[.!?。！？…][\s"'”’)\]]+/gu;
const LESSER_ENDS = /[,،、，)]\s*/gu;
const BLANKS = /\s+/gu;

/** Minimum length of a piece, as a share of the maximum length. */
const EARLIEST = 0.4;

/**
 * Splits text into pieces of at most `unitsMax` UTF-16 code units. The joined pieces equal the text. Splits at the end
 * of a clause if possible, else at a comma, a blank, a word boundary, or a grapheme boundary.
 *
 * @param unitsMax at least 2, so that a surrogate pair fits
 */
export function splitLongText(text: string, unitsMax: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > unitsMax) {
    const end = endOf(rest, unitsMax);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}

function endOf(text: string, unitsMax: number): number {
  const window = text.slice(0, unitsMax);
  const earliest = unitsMax * EARLIEST;
  for (const pattern of [CLAUSE_ENDS, LESSER_ENDS, BLANKS]) {
    const end = lastEnd(window, pattern);
    if (end >= earliest) return end;
  }
  return (
    boundaryBefore(text, unitsMax, 'word') || boundaryBefore(text, unitsMax, 'grapheme') || unitsBefore(text, unitsMax)
  );
}

function lastEnd(window: string, pattern: RegExp): number {
  let end = 0;
  for (const match of window.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

function boundaryBefore(text: string, unitsMax: number, granularity: 'word' | 'grapheme'): number {
  // Segments 2 × `unitsMax`, so that a word or grapheme that crosses `unitsMax` is complete.
  const segments = segmenter(granularity).segment(text.slice(0, unitsMax * 2));
  const last = segments.containing(unitsMax);
  return last === undefined ? 0 : last.index;
}

function unitsBefore(text: string, unitsMax: number): number {
  const isInPair =
    (text.charCodeAt(unitsMax) & 0xfc00) === 0xdc00 && (text.charCodeAt(unitsMax - 1) & 0xfc00) === 0xd800;
  return isInPair ? unitsMax - 1 : unitsMax;
}

const made = new Map<string, Intl.Segmenter>();

function segmenter(granularity: 'word' | 'grapheme'): Intl.Segmenter {
  let segmenter = made.get(granularity);
  if (!segmenter) made.set(granularity, (segmenter = new Intl.Segmenter('en', { granularity })));
  return segmenter;
}
