import type { TokenUsage } from './token-usage';

/** Nano-USD for a million tokens, so that prices below a nano-USD a token are exact. */
export interface TokenPrice {
  inputNanoUsdPerMillion: number;
  outputNanoUsdPerMillion: number;
}

const MILLION = 1_000_000n;

/**
 * What these tokens cost, in nano-USD, rounded up to the next whole one.
 * @throws RangeError beyond 2^53 - 1.
 */
export function tokenCostNanoUsd({ promptTokens, completionTokens }: TokenUsage, price: TokenPrice): number {
  const millionths = BigInt(promptTokens) * BigInt(price.inputNanoUsdPerMillion) + BigInt(completionTokens) * BigInt(price.outputNanoUsdPerMillion);
  const cost = Number((millionths + MILLION - 1n) / MILLION);
  if (!Number.isSafeInteger(cost)) throw new RangeError('The cost is too large to be exact.');
  return cost;
}

/** The most completion tokens that this much money pays for beside the prompt; 0 where the prompt alone costs more. */
export function affordableTokens(nanoUsd: number, promptTokens: number, price: TokenPrice): number {
  const left = BigInt(nanoUsd) * MILLION - BigInt(promptTokens) * BigInt(price.inputNanoUsdPerMillion);
  if (left <= 0n) return 0;
  if (price.outputNanoUsdPerMillion === 0) return Number.MAX_SAFE_INTEGER;
  return Number(left / BigInt(price.outputNanoUsdPerMillion));
}
