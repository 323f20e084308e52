import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { formatCost } from '../amounts';
import type { ChatMessage } from './conversation';

/** Of English, with the usual tokenizers; other scripts take more. */
const CHARACTERS_PER_TOKEN = 4;
/** Some 500 words. */
const ANSWER_TOKENS = 667;

/**
 * What a question is going to cost, to two digits, as `$0.0003`: all that is sent with it, and an answer of some 500
 * words. A guess, since nobody knows how long an answer will be; what was charged stands below each answer.
 *
 * @param messages what is sent before the question
 * @param characters of the question, and of what is attached to it
 */
export function expectedCost(
  messages: readonly ChatMessage[],
  characters: number,
  { inputNanoUsdPerMillion, outputNanoUsdPerMillion }: TokenPrice,
): string {
  const sent = messages.reduce((sum, { content }) => sum + content.length, characters);
  const nanoUsd =
    ((sent / CHARACTERS_PER_TOKEN) * inputNanoUsdPerMillion + ANSWER_TOKENS * outputNanoUsdPerMillion) / 1e6;
  return formatCost(Number((nanoUsd / 1e9).toPrecision(2)).toFixed(9));
}
