import type { ErrorRule } from './error-meaning';

const RATE_LIMIT_TEXT = /rate.?limit|too many requests|requests? (per|limit)|request limit|compute units|throughput/i;

/**
 * Meanings of Solana validators' errors (Agave, `rpc-client-api/src/custom_error.rs`). A program's text can occur only
 * in results and in errors -32002. The text of every other error is the node's own.
 */
export const SOLANA_ERRORS: readonly ErrorRule[] = [
  // Preflight and simulation, signatures, precompiles, transaction versions, epochs and rewards.
  {
    codes: [-32_002, -32_003, -32_006, -32_013, -32_015, -32_017, -32_018, -32_602, -32_600, -32_700],
    means: 'answer',
  },
  // One provider uses the code of a skipped slot for its rate limit.
  { codes: [-32_007], text: RATE_LIMIT_TEXT, means: 'rate-limited' },
  // Removed blocks, and missing transaction history, snapshots, indexes or long-term storage.
  { codes: [-32_001], means: 'pruned' },
  { codes: [-32_011], means: 'no-method' },
  { codes: [-32_008, -32_010, -32_012, -32_019], means: 'unable' },
  // Blocks that do not exist yet, and slots that were skipped or are missing on this node.
  { codes: [-32_004, -32_007, -32_009, -32_014, -32_016], means: 'missing' },
  { codes: [-32_005], text: RATE_LIMIT_TEXT, means: 'rate-limited' },
  { codes: [-32_005], means: 'missing' },
  { codes: [-32_601], means: 'no-method' },
  { codes: [429, -32_029, -32_097, -32_429], means: 'rate-limited' },
  { codes: [-32_053], means: 'quota' },
  {
    codes: [-32_603, -32_000],
    text: /^(rate limit|too many requests)/i,
    source: 'unless-executed',
    means: 'rate-limited',
  },
  {
    codes: [-32_603],
    text: /^(block|slot) .{0,40}not (available|found)|^node is (behind|unhealthy)/i,
    source: 'unless-executed',
    means: 'missing',
  },
];
