import { estimateTokens } from '../chat/token-usage';
import type { EmbeddingInput } from './embeddings-request';

/** Special tokens that models add at the beginning and end of an input. */
const MARKS = 4;

const encoder = new TextEncoder();

/** Maximum tokens of an input. No text has more tokens than bytes, and no model reads beyond its context. */
export function inputTokensMax(input: EmbeddingInput, contextTokens: number): number {
  return Math.min(sizeOf(input) + MARKS, contextTokens);
}

/** Estimates tokens for an upstream that reports none. */
export function estimatedInputTokens(input: EmbeddingInput): number {
  return typeof input === 'string' ? estimateTokens(sizeOf(input)) : input.length;
}

/** Returns the bytes of a text, or the number of token ids. */
export function sizeOf(input: EmbeddingInput): number {
  return typeof input === 'string' ? encoder.encode(input).length : input.length;
}
