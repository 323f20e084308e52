import { splitIntoPieces } from '@/lib/protocol/speech/split-sentences';

/**
 * Splits a text into sentences. Joining them returns the text. A very long sentence counts as one, although the gateway
 * speaks it in pieces.
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
