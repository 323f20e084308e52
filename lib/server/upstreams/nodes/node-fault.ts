/** What keeps a node from serving a call that another node of the same network may serve. */
export type NodeFault = 'rate-limited' | 'behind';

/** EIP-1474: limit exceeded. Solana uses the same code for "node is behind" and "node is unhealthy". */
const LIMIT_EXCEEDED = -32_005;
/** Codes of single providers for "too many requests". */
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32_007, -32_029, -32_097]);
/** Solana: block not available for slot; minimum context slot has not been reached. */
const SOLANA_BEHIND_CODES: ReadonlySet<number> = new Set([-32_004, -32_016]);

const RATE_LIMIT_TEXT = /rate.?limit|too many requests|requests? (per|limit)|compute units|throughput|capacity exceeded|quota|daily request/i;
const BEHIND_TEXT = /missing trie node|header not found|state .*(not available|is pruned|unavailable)|historical state|node is (behind|unhealthy)|block not available|minimum context slot/i;
/** A limit on what may be asked for at once, which is an answer: another node would say the same. */
const SIZE_LIMIT_TEXT = /more than \d+ results|response size|block range|result set|logs matched/i;

const ERROR_BYTES_MAX = 16_384;

/**
 * Whether a JSON-RPC error says that the node itself cannot serve the call, by a short list: rate limits, and state
 * or blocks that it does not have (yet). Everything else is an answer. docs/upstreams.md has the list.
 * @param bytes the text of the error object.
 */
export function nodeFaultOf(bytes: Buffer): NodeFault | null {
  if (bytes.length > ERROR_BYTES_MAX) return null;
  let error: { code?: unknown; message?: unknown };
  try {
    error = JSON.parse(bytes.toString('utf8')) as typeof error;
  } catch {
    return null;
  }
  const code = typeof error.code === 'number' ? error.code : 0;
  const message = typeof error.message === 'string' ? error.message : '';
  if (SIZE_LIMIT_TEXT.test(message)) return null;
  if (SOLANA_BEHIND_CODES.has(code) || BEHIND_TEXT.test(message)) return 'behind';
  return RATE_LIMIT_CODES.has(code) || code === LIMIT_EXCEEDED || RATE_LIMIT_TEXT.test(message) ? 'rate-limited' : null;
}
