import type { ErrorRule } from './error-meaning';

/**
 * Meanings of Starknet nodes' errors (starknet-specs, `starknet_api_openrpc.json`). Contracts cannot choose a code. A
 * contract's text can occur only in `data` of codes 40, 41 and 55.
 */
export const STARKNET_ERRORS: readonly ErrorRule[] = [
  { codes: [24, 32], means: 'missing' },
  // A transaction or trace that the node has not seen (yet).
  { codes: [10, 29], means: 'missing' },
  { codes: [42], means: 'pruned' },
  { codes: [-32_601], means: 'no-method' },
  { codes: [429, -32_005, -32_029, -32_097], means: 'rate-limited' },
  { codes: [-32_053], means: 'quota' },
  {
    codes: [-32_603, -32_000],
    text: /^(rate limit|too many requests)/i,
    source: 'unless-executed',
    means: 'rate-limited',
  },
];
