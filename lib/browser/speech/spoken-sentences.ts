import { splitIntoPieces } from '@/lib/protocol/speech/split-sentences';

/**
 * The sentences of a text as one hears them, put together again the text. The gateway cuts a very long sentence into
 * pieces, between which there is no pause; here it stays one.
 */
export function spokenSentences(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const piece of splitIntoPieces(text)) {
    open += piece.text;
    if (!piece.endsSentence) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}
