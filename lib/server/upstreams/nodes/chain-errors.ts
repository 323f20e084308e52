import type { ErrorRule } from './error-meaning';

/** Codes that Geth and its forks use for any error. The message may come from a contract. */
const GENERAL = [-32_000, -32_603, -32_001, -32_002, 0] as const;
/** Codes for faulty requests. Providers also use these codes for calls that they do not offer. */
const REQUEST_FAULTS = [-32_600, -32_602] as const;

const RATE_LIMIT_TEXT =
  /rate.?limit|too many request|requests? (per|limit)|request rate exceeded|compute units|throughput|capacity exceeded|over capacity|daily request|call limit/i;
const QUOTA_TEXT =
  /quota|credits? (exhausted|exceeded|limit)|monthly (capacity|limit)|reached the free tier|daily request limit|plan limit/i;
const RANGE_TEXT =
  /block range|(range|interval) (is |too |exceed|limit|of blocks)|range of \d|(number of |requested |query |limit )[^.]{0,30}\bblocks\b|smaller than size|ranges over|max(imum)? (block )?range|exceeds? the range|limited to (a |an )?[\d,._]+ ?k?[- ]?(block|range)|up to an? [\d,._]+ ?k? block|blocks? distance|(query|request) (exceeds|timeout exceeded)|more than [\d,._]+ (results|logs|events)|response size|result set|logs matched|exceeds? max(imum)? (results|logs)|exceeded max|response (is )?too (large|big)|too many (blocks|logs|results)|specify less number of address/i;

/**
 * Matches errors about missing blocks and transactions from Geth, Erigon, Nethermind, Besu, Reth, Avalanche, Alchemy
 * and others. The pattern is anchored at the start, because the nodes' own messages begin with these words.
 */
const MISSING_TEXT = new RegExp(
  `^(?:${[
    'header (for hash )?not found',
    'could not find (block|header)',
    'block (with (number|hash|id) )?(0x\\w+ |#?\\d+ )?(is )?(not (found|available|yet available)|does not exist|unavailable)',
    'unknown block',
    'requested block is not available',
    'requested (to|from) block \\d+ (to block \\d+ )?after last accepted block',
    'requested data is not available',
    'cannot query unfinalized data',
    'block is out of range',
    'block height passed is invalid',
    'block range extends beyond current head block',
    'height is not available',
    'height must be less than or equal',
    '(from|to)Block .{0,80}greater than latest',
    'one of the blocks specified in filter',
    'invalid blockhash finalized',
    'expect block number from id',
    'genesis is not traceable',
    '(pending|safe|finalized) block (is )?not (found|available)',
    'resource (is )?not (found|available)',
    'requested resource (is )?not (found|available)',
    '(the )?node is (behind|syncing|not synced)',
    'transaction indexing is in progress',
    '(hash|block) 0x\\w+ is not currently canonical',
    'receipts? (is |are )?not available',
  ].join('|')})`,
  'i',
);

const PRUNED_TEXT = new RegExp(
  `^(?:(err(or)?: |returned error: )?(?:${[
    'missing trie node',
    '(the )?(required |requested |historical )*state (0x\\w+ |at block #?\\w+ |for block #?\\w+ |is |\\S+ is )*(not available|unavailable|is pruned|pruned)',
    'historical state ',
    'no state available',
    'world ?state unavailable',
    'trie does not (have|contain)',
    'pruned history unavailable',
    'old data not available due to pruning',
    'history has been pruned',
    '(the )?block .{0,40}(is|was|has been) pruned',
    'distance to target block exceeds maximum proof window',
    'no historical rpc is available',
    'archive (requests?|data|node|mode)',
    'this (rpc )?(server|node|endpoint) (doesn.t|does not) support archive',
    'project id does not have access to archive state',
    'missing (block|receipts?|body|header)( data)? for (block )?',
  ].join('|')}))`,
  'i',
);

const NO_METHOD_TEXT =
  /^(the )?(requested )?(rpc )?(method|namespace|module)\b.{0,80}(not (found|available|supported|whitelisted|allowed|enabled|exist|implemented)|does not exist|is disabled|unsupported|requires)|^unsupported method|^method not |not included in your current plan|^[a-z]+_[A-Za-z0-9]+ (is )?(not (available|supported)|disabled)|^trace (requests?|api) /i;

const REFUSED_SEND_TEXT =
  /nonce too|nonce is too|already known|known transaction|already imported|replacement transaction|underpriced|insufficient (funds|balance)|intrinsic gas|exceeds block gas limit|gas limit|gas too (low|high)|fee cap|max(imum)? (priority )?fee|tip above|transaction type not supported|tx type not supported|invalid sender|invalid transaction|exceeds the configured cap|sender is over rate limit|txpool is full|transaction (gas|nonce|rejected)|oversized data|invalid chain id|only replay-protected/i;

/**
 * Meanings of EVM nodes' errors. The first rule that matches applies. A rule for codes that no contract can cause
 * matches any text. A rule for general codes requires a node's own wording, or a method that runs no contract.
 */
export const EVM_ERRORS: readonly ErrorRule[] = [
  // Codes of particular providers. Each of these codes has only one meaning.
  { codes: [-39_001, 26], means: 'missing' },
  { codes: [4_444], means: 'pruned' },
  // Codes of aggregators, in this order: range too large, batches not allowed, no node for the call, temporary fault,
  // rate limit.
  { codes: [35, -32_614], means: 'range-limit' },
  { codes: [31], means: 'no-batches' },
  { codes: [12, 30], means: 'unable' },
  { codes: [19], means: 'failing' },
  { codes: [15], means: 'rate-limited' },
  // The provider refuses the call for legal reasons, such as sanctions.
  { codes: [-32_801], means: 'answer' },
  // Codes of EIP-1474 and of providers. The text distinguishes between range limits, quotas and rate limits.
  { codes: [-32_005, -32_012], text: RANGE_TEXT, means: 'range-limit' },
  { codes: [-32_005, -32_053, 429], text: QUOTA_TEXT, means: 'quota' },
  { codes: [-32_053], means: 'quota' },
  { codes: [-32_005, 429, -32_029, -32_090, -32_097, -32_429, -32_605, -32_607], means: 'rate-limited' },
  { codes: [-32_003], text: /^(daily|\d+\/\w+) request limit/i, means: 'quota' },
  { codes: [-32_007, -32_009, -32_012, -32_014, -32_016], text: RATE_LIMIT_TEXT, means: 'rate-limited' },
  {
    codes: [-32_014, -32_600, -32_000, -32_005, -32_010],
    text: /batch (limit|size|too)|too many .{0,20}(in|per) (a )?batch|batch requests? (is|are) (not|disabled)|batch(es|ing)? (is |are )?(not|disabled|unsupported)/i,
    source: 'unless-executed',
    means: 'no-batches',
  },
  { codes: [-32_014, -32_019], means: 'missing' },
  { codes: [-32_010], text: /^backend offline/i, means: 'failing' },
  { codes: [-32_011], text: /^no backends? /i, means: 'failing' },
  { codes: [-32_013], text: /^backend /i, means: 'failing' },
  { codes: [-32_015], text: /^gateway timeout/i, means: 'failing' },
  { codes: [-32_601, -32_004], means: 'no-method' },
  { codes: [-32_700], means: 'answer' },
  // This rule comes before other rules for text, because the error of a refused send may quote the transaction.
  { text: REFUSED_SEND_TEXT, means: 'answer' },
  { codes: REQUEST_FAULTS, text: /^invalid |unmarshal|expected/i, means: 'answer' },
  { codes: GENERAL, text: /^rpc method is not whitelisted/i, means: 'no-method' },
  { codes: [...GENERAL, ...REQUEST_FAULTS, -32_701], text: PRUNED_TEXT, means: 'pruned' },
  { codes: [...GENERAL, ...REQUEST_FAULTS], text: MISSING_TEXT, means: 'missing' },
  { codes: [...GENERAL, ...REQUEST_FAULTS], text: RANGE_TEXT, source: 'unless-executed', means: 'range-limit' },
  // Providers report range limits with many different codes.
  { text: RANGE_TEXT, source: 'of-ranges', means: 'range-limit' },
  { codes: [-32_008], text: /^response is too (big|large)/i, source: 'of-ranges', means: 'range-limit' },
  { codes: [...GENERAL, ...REQUEST_FAULTS], text: NO_METHOD_TEXT, source: 'unless-executed', means: 'no-method' },
  { codes: GENERAL, text: QUOTA_TEXT, source: 'unless-executed', means: 'quota' },
  { codes: GENERAL, text: RATE_LIMIT_TEXT, source: 'unless-executed', means: 'rate-limited' },
  // A contract may return exactly these words, so the gateway asks another node but does not pause this node.
  { codes: [-32_000, -32_603], text: /^(rate limit(ed| exceeded)?|too many requests)\.?$/i, means: 'unable' },
  { codes: REQUEST_FAULTS, means: 'answer' },
];

const SOLANA_RATE_LIMIT_TEXT =
  /rate.?limit|too many requests|requests? (per|limit)|request limit|compute units|throughput/i;

/**
 * Meanings of Solana validators' errors (Agave, `rpc-client-api/src/custom_error.rs`). Text from a program can occur
 * only in results and in errors with code -32002. All other errors contain only text from the node.
 */
export const SOLANA_ERRORS: readonly ErrorRule[] = [
  // Errors of preflight and simulation, signatures, precompiles, transaction versions, epochs and rewards.
  {
    codes: [-32_002, -32_003, -32_006, -32_013, -32_015, -32_017, -32_018, -32_602, -32_600, -32_700],
    means: 'answer',
  },
  // One provider reports its rate limit with the code of a skipped slot.
  { codes: [-32_007], text: SOLANA_RATE_LIMIT_TEXT, means: 'rate-limited' },
  // Blocks that were removed, and missing transaction history, snapshots, indexes or long-term storage.
  { codes: [-32_001], means: 'pruned' },
  { codes: [-32_011], means: 'no-method' },
  { codes: [-32_008, -32_010, -32_012, -32_019], means: 'unable' },
  // Blocks that do not exist yet, and slots that were skipped or that this node does not have.
  { codes: [-32_004, -32_007, -32_009, -32_014, -32_016], means: 'missing' },
  { codes: [-32_005], text: SOLANA_RATE_LIMIT_TEXT, means: 'rate-limited' },
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

/**
 * Meanings of Starknet nodes' errors (starknet-specs, `starknet_api_openrpc.json`). Contracts cannot choose a code.
 * Text from a contract can occur only in `data`, and only with the codes 40, 41 and 55.
 */
export const STARKNET_ERRORS: readonly ErrorRule[] = [
  { codes: [24, 32], means: 'missing' },
  // A transaction or trace that the node does not have, or does not have yet.
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
