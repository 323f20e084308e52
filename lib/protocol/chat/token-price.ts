import type { TokenUsage } from './token-usage';

/** Nano-USD for a million tokens, so that prices below a nano-USD a token are exact. */
export interface TokenPrice {
  inputNanoUsdPerMillion: number;
  outputNanoUsdPerMillion: number;
  /** Of input tokens that the server read from its cache; as other input unless given. */
  cachedInputNanoUsdPerMillion?: number;
  /** Of input tokens that the server wrote into its cache; as other input unless given. */
  cacheWriteNanoUsdPerMillion?: number;
}

const MILLION = 1_000_000n;

/**
 * What these tokens cost, in nano-USD, rounded up to the next whole one.
 * @throws RangeError beyond 2^53 - 1.
 */
export function tokenCostNanoUsd(
  { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 }: TokenUsage,
  price: TokenPrice,
): number {
  const { inputNanoUsdPerMillion: input, outputNanoUsdPerMillion: output } = price;
  let millionths =
    BigInt(promptTokens - cachedTokens - cacheWriteTokens) * BigInt(input) + BigInt(completionTokens) * BigInt(output);
  if (cachedTokens > 0) millionths += BigInt(cachedTokens) * BigInt(price.cachedInputNanoUsdPerMillion ?? input);
  if (cacheWriteTokens > 0) millionths += BigInt(cacheWriteTokens) * BigInt(price.cacheWriteNanoUsdPerMillion ?? input);
  const cost = Number((millionths + MILLION - 1n) / MILLION);
  if (!Number.isSafeInteger(cost)) throw new RangeError('The cost is too large to be exact.');
  return cost;
}

/** The same price with every input token at its dearest: what a prompt can cost before it is known what of it is cached. */
export function dearestInput(price: TokenPrice): TokenPrice {
  const { inputNanoUsdPerMillion: input, outputNanoUsdPerMillion } = price;
  return {
    inputNanoUsdPerMillion: Math.max(
      input,
      price.cachedInputNanoUsdPerMillion ?? 0,
      price.cacheWriteNanoUsdPerMillion ?? 0,
    ),
    outputNanoUsdPerMillion,
  };
}

/** The most completion tokens that this much money pays for beside the prompt; 0 where the prompt alone costs more. */
export function affordableTokens(nanoUsd: number, promptTokens: number, price: TokenPrice): number {
  const left = BigInt(nanoUsd) * MILLION - BigInt(promptTokens) * BigInt(price.inputNanoUsdPerMillion);
  if (left <= 0n) return 0;
  if (price.outputNanoUsdPerMillion === 0) return Number.MAX_SAFE_INTEGER;
  return Number(left / BigInt(price.outputNanoUsdPerMillion));
}
