import { type SentencePiece, splitIntoPieces } from '@/lib/protocol/speech/split-sentences';
import { isBlank } from './silence';

/**
 * The pieces of a text that a stream asks for one by one; put together again they are the text. One with nothing to say
 * goes with the one before, so that it adds no silence of its own; a text of nothing else is one piece.
 */
export function spokenPieces(text: string): SentencePiece[] {
  const pieces: SentencePiece[] = [];
  for (const piece of splitIntoPieces(text)) {
    const last = pieces.at(-1);
    if (last === undefined || !(isBlank(piece.text) || isBlank(last.text))) pieces.push(piece);
    else pieces[pieces.length - 1] = { text: last.text + piece.text, endsSentence: piece.endsSentence };
  }
  return pieces;
}
