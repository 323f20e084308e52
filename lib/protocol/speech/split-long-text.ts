/** Where a sentence can be taken apart, best first: after a clause, after a lesser mark, at a blank. */
const CLAUSE_ENDS = /[;:;；：—–][\s"'”’)\]]*|[.!?。！？…][\s"'”’)\]]+/gu;
const LESSER_ENDS = /[,،、，)]\s*/gu;
const BLANKS = /\s+/gu;

/** The earliest that a piece may end, as a share of the most it may have, so that pieces are not tiny. */
const EARLIEST = 0.4;

/**
 * The text in pieces of at most so many UTF-16 units; put together again they are the text. Split at a clause where
 * there is one, else at a comma, a blank, the end of a word (as scripts without blanks have), or between two characters
 * as people see them.
 * @param unitsMax 2 or more, so that a surrogate pair fits
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

/** The last boundary that is no later than this, past the text's beginning; 0 where there is none. */
function boundaryBefore(text: string, unitsMax: number, granularity: 'word' | 'grapheme'): number {
  // Characters that go on beyond the window are seen whole, however far a window reaches.
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
