import { endsInAbbreviation } from './abbreviations';
import { splitLongText } from './split-long-text';

/** Maximum UTF-16 code units per piece. A longer sentence is split at a clause, a word or a character. */
export const SENTENCE_UNITS_MAX = 320;

/** Matches a lower-case start, which continues the previous sentence. */
const GOES_ON = /^\s*["'“‘«(\[–—-]*\p{Ll}/u;
const ENDS_LINE = /(?:\r\n|[\n\r\u0085])$/u;
const ENDS_PARAGRAPH = /(?:\r\n|[\n\r\u0085])[ \t]*(?:\r\n|[\n\r\u0085])|\u2029/u;
/** Matches a letter or digit. Text without either is not spoken. */
const SPOKEN = /[\p{L}\p{N}]/u;
/** Matches closing brackets or quotation marks at the start, which belong to the previous sentence. */
const CLOSES = /^\s*["'”’»)\]]+(?:\s|$)/u;

/**
 * Splits a text into sentences; joined, they equal the text. Uses the boundaries of UAX #29 (Intl.Segmenter), except
 * those after abbreviations, initials, decimals and ellipses. Joins text without words to a neighboring sentence.
 * Splits sentences longer than SENTENCE_UNITS_MAX, but never a surrogate pair.
 */
export function splitSentences(text: string): string[] {
  return splitIntoPieces(text).map((piece) => piece.text);
}

export interface SentencePiece {
  text: string;
  /** False if the piece ends inside a long sentence. */
  endsSentence: boolean;
}

/** Splits a text into pieces and marks the pieces that end a sentence. */
export function splitIntoPieces(text: string): SentencePiece[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of segmenter().segment(text)) {
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

let made: Intl.Segmenter | undefined;

/** Returns a shared segmenter, because constructing one takes longer than splitting a text. */
function segmenter(): Intl.Segmenter {
  return (made ??= new Intl.Segmenter('en', { granularity: 'sentence' }));
}
