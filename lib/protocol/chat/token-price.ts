import type { TokenUsage } from './token-usage';

/** Token price in nano-USD per million tokens, so that prices below 1 nano-USD per token are exact. */
export interface TokenPrice {
  inputNanoUsdPerMillion: number;
  outputNanoUsdPerMillion: number;
  /** Price of input read from the server's cache. Default: the input price. */
  cachedInputNanoUsdPerMillion?: number;
  /** Price of input written to the server's cache. Default: the input price. */
  cacheWriteNanoUsdPerMillion?: number;
}

const MILLION = 1_000_000n;

/**
 * Returns the cost in nano-USD, rounded up.
 *
 * @throws {RangeError} beyond 2^53 - 1
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

/**
 * Returns a price that charges the highest input rate for all input tokens. This price bounds the cost while the number
 * of cached tokens is unknown.
 */
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

/** Returns how many completion tokens an amount buys after the prompt is paid; at least 0. */
export function affordableTokens(nanoUsd: number, promptTokens: number, price: TokenPrice): number {
  const left = BigInt(nanoUsd) * MILLION - BigInt(promptTokens) * BigInt(price.inputNanoUsdPerMillion);
  if (left <= 0n) return 0;
  if (price.outputNanoUsdPerMillion === 0) return Number.MAX_SAFE_INTEGER;
  return Number(left / BigInt(price.outputNanoUsdPerMillion));
}
