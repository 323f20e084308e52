/**
 * Abbreviations whose full stop does not end a sentence. Written in lower case, without that full stop. The languages
 * are English, German, French, Spanish, Italian and Portuguese. Leaves out words that often end a sentence, such as
 * "etc" or "inc".
 */
const ALWAYS = new Set(
  [
    // Mostly titles, which come before a name.
    'mr mrs ms mx dr prof rev hon st sr jr gen col lt maj capt cmdr sgt cpl pvt gov sen rep pres supt fr mme mlle messrs esq',
    'hr fr frl hrn dipl ing bzw usw ca evtl ggf inkl zzgl vgl sog',
    'sra srta dra dna ud uds vd vds sig sigg dott avv',
    // Abbreviations that introduce an explanation.
    'e.g i.e eg ie vs cf viz al approx ca c.f resp p.s n.b a.k.a z.b d.h u.a s.o s.u p.ex',
    // Abbreviations for places and departments. A capital letter after them need not start a sentence.
    'mt ft ave blvd rd dept univ assn bros u.s u.k u.n e.u',
  ]
    .join(' ')
    .split(' '),
);

/** Abbreviations whose full stop does not end a sentence if a digit follows: "No. 5", "Fig. 2", "pp. 10". */
const BEFORE_NUMBERS = new Set(
  'no nos nr n° num núm fig figs vol vols ch chap sec sect art p pp pg par para ver v op ed eq ex ext tel approx ca jan feb mar apr jun jul aug sep sept oct nov dec ab bd s st'.split(
    ' ',
  ),
);

const LAST_WORD = /(?<word>[\p{L}\p{M}°.'’-]*[\p{L}\p{M}°])\.\s*$/u;
const INITIAL = /(?:^|[\s("'“‘«.-])\p{Lu}\.\s*$/u;
const STARTS_WITH_DIGIT = /^\s*\p{Nd}/u;
const ENTRY_MARK = /^\s*(?:\p{Nd}{1,4}|[\p{L}])[.)]\s*$/u;

/**
 * Returns whether the full stop at the text's end belongs to an abbreviation, an initial or a list number.
 *
 * @param next text after the full stop
 */
function endsInAbbreviation(piece: string, next: string): boolean {
  if (ENTRY_MARK.test(piece) || INITIAL.test(piece)) return true;
  const word = LAST_WORD.exec(piece)?.groups?.['word']?.toLowerCase();
  if (word === undefined) return false;
  return ALWAYS.has(word) || (BEFORE_NUMBERS.has(word) && STARTS_WITH_DIGIT.test(next));
}

/** Ends of clauses, where a split sounds best. Commas and spaces are tried next. */
const CLAUSE_ENDS = /[;:;；：—–][\s"'”’)\]]*|[.!?。！？…][\s"'”’)\]]+/gu;
const LESSER_ENDS = /[,،、，)]\s*/gu;
const BLANKS = /\s+/gu;

/** Minimum length of a piece, as a share of the maximum length. */
const EARLIEST = 0.4;

/**
 * Splits text into pieces of at most `unitsMax` UTF-16 code units. The joined pieces equal the text. Splits at the end
 * of a clause if possible, else at a comma, a space, a word boundary, or a grapheme boundary.
 *
 * @param unitsMax maximum length, at least 2, so that a surrogate pair fits
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
  // Segments a part of 2 × `unitsMax` units, so that a word or grapheme that crosses `unitsMax` is complete.
  const segments = segmenter(granularity).segment(text.slice(0, unitsMax * 2));
  const last = segments.containing(unitsMax);
  return last === undefined ? 0 : last.index;
}

function unitsBefore(text: string, unitsMax: number): number {
  const isInPair =
    (text.charCodeAt(unitsMax) & 0xfc00) === 0xdc00 && (text.charCodeAt(unitsMax - 1) & 0xfc00) === 0xd800;
  return isInPair ? unitsMax - 1 : unitsMax;
}

/** Maximum length of a piece in UTF-16 code units. A longer sentence is split at a clause, a word or a character. */
export const SENTENCE_UNITS_MAX = 320;

/** Matches a lower-case start. Such a piece continues the previous sentence. */
const GOES_ON = /^\s*["'“‘«(\[–—-]*\p{Ll}/u;
const ENDS_LINE = /(?:\r\n|[\n\r\u0085])$/u;
const ENDS_PARAGRAPH = /(?:\r\n|[\n\r\u0085])[ \t]*(?:\r\n|[\n\r\u0085])|\u2029/u;
/** Matches a letter or digit. Text without either is not spoken. */
const SPOKEN = /[\p{L}\p{N}]/u;
/** Matches closing brackets or quotation marks at the start of a piece. They belong to the previous sentence. */
const CLOSES = /^\s*["'”’»)\]]+(?:\s|$)/u;

/**
 * Splits a text into sentences. The joined sentences equal the text. Uses the boundaries of UAX #29 (Intl.Segmenter),
 * but does not split after abbreviations, initials, decimals and ellipses. Joins text without words to a neighboring
 * sentence. Splits sentences longer than SENTENCE_UNITS_MAX, but never inside a surrogate pair.
 */
export function splitSentences(text: string): string[] {
  return splitIntoPieces(text).map((piece) => piece.text);
}

export interface SentencePiece {
  text: string;
  /** False if the piece ends inside a long sentence. */
  endsSentence: boolean;
}

export function splitIntoPieces(text: string): SentencePiece[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of segmenter('sentence').segment(text)) {
    if (open !== '' && isEnd(open, segment)) {
      sentences.push(open);
      open = segment;
    } else {
      open += segment;
    }
  }
  if (open !== '') sentences.push(open);
  return joinUnspoken(sentences).flatMap((sentence) => {
    const pieces = splitLongText(sentence, SENTENCE_UNITS_MAX);
    return pieces.map((piece, index) => ({ text: piece, endsSentence: index === pieces.length - 1 }));
  });
}

function isEnd(piece: string, next: string): boolean {
  if (ENDS_PARAGRAPH.test(piece)) return true;
  if (CLOSES.test(next)) return false;
  if (GOES_ON.test(next)) return false;
  // A line end ends a sentence, so that a heading is spoken separately.
  if (ENDS_LINE.test(piece)) return true;
  return !endsInAbbreviation(piece, next);
}

/** Joins a piece without words to the previous piece or, if it is the first, to the next. */
function joinUnspoken(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isLastUnspoken = last !== undefined && joined.length === 1 && !SPOKEN.test(last);
    if (last !== undefined && (isLastUnspoken || !SPOKEN.test(piece))) joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

const made = new Map<string, Intl.Segmenter>();

/** Returns a shared segmenter, because constructing one takes longer than splitting a text. */
function segmenter(granularity: 'sentence' | 'word' | 'grapheme'): Intl.Segmenter {
  let segmenter = made.get(granularity);
  if (!segmenter) made.set(granularity, (segmenter = new Intl.Segmenter('en', { granularity })));
  return segmenter;
}
