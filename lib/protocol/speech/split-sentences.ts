import { endsInAbbreviation } from './abbreviations';
import { splitLongText } from './split-long-text';

/** UTF-16 units of a piece at most. A sentence that is longer is split at a clause, a word, or at worst a character. */
export const SENTENCE_UNITS_MAX = 320;

/** Beginning with a small letter: it goes on with the sentence before. */
const GOES_ON = /^\s*["'“‘«(\[–—-]*\p{Ll}/u;
const ENDS_LINE = /(?:\r\n|[\n\r\u0085])$/u;
const ENDS_PARAGRAPH = /(?:\r\n|[\n\r\u0085])[ \t]*(?:\r\n|[\n\r\u0085])|\u2029/u;
/** Something to say: a letter or a digit. */
const SPOKEN = /[\p{L}\p{N}]/u;
/** Brackets and quotation marks that close, alone at the beginning: they belong to the sentence before. */
const CLOSES = /^\s*["'”’»)\]]+(?:\s|$)/u;

/**
 * The sentences of a text, in order; put together again they are the text, to the last blank. Abbreviations, initials,
 * decimals and ellipses end none; scripts that put no blanks between words are split by their own stops. A piece without
 * anything to say goes with one that has something. No piece is longer than SENTENCE_UNITS_MAX, and none splits a
 * surrogate pair; of an empty text there is none.
 *
 * The boundaries are those of UAX #29, as Intl.Segmenter finds them, less those that abbreviations feign.
 */
export function splitSentences(text: string): string[] {
  return splitIntoPieces(text).map((piece) => piece.text);
}

export interface SentencePiece {
  text: string;
  /** False where a long sentence was cut. */
  endsSentence: boolean;
}

/** The same, and where a sentence ends. */
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
  // Whatever stands in a line of its own, such as a heading, is said by itself.
  if (ENDS_LINE.test(piece)) return true;
  return !endsInAbbreviation(piece, next);
}

/** Puts pieces of nothing but marks and blanks to the one before; those at the very beginning to the one after. */
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

/** Made once: that takes longer than splitting a text. Boundaries of sentences do not depend on the language. */
function segmenter(): Intl.Segmenter {
  return (made ??= new Intl.Segmenter('en', { granularity: 'sentence' }));
}
