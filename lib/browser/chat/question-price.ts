import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { formatCost } from '../amounts';
import type { ChatMessage } from './conversation';

/** Characters per token of English with common tokenizers. Other scripts have fewer characters per token. */
const CHARACTERS_PER_TOKEN = 4;
/** Assumed length of an answer, about 500 words. */
const ANSWER_TOKENS = 667;

/**
 * Estimates the cost of a message to two digits, such as `$0.0003`. Includes earlier messages, attachments, and an
 * answer.
 * @param messages sent before the message
 * @param characters of the message and its attachments
 * @param maxTokens bound of the answer; null for none
 */
export function expectedCost(
  messages: readonly ChatMessage[],
  characters: number,
  { inputNanoUsdPerMillion, outputNanoUsdPerMillion }: TokenPrice,
  maxTokens: number | null = null,
): string {
  const sent = messages.reduce((sum, { content }) => sum + content.length, characters);
  const nanoUsd =
    ((sent / CHARACTERS_PER_TOKEN) * inputNanoUsdPerMillion +
      Math.min(ANSWER_TOKENS, maxTokens ?? ANSWER_TOKENS) * outputNanoUsdPerMillion) /
    1e6;
  return formatCost(Number((nanoUsd / 1e9).toPrecision(2)).toFixed(9));
}
