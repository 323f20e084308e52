import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import type { Misfit } from './repair';

/** A reply that does not fit its schema, and was paid for. */
interface UnfitReply extends Misfit {
  usage: TokenUsage;
}

/** What the bytes of one begin with that is kept under an idempotency key: a completion begins otherwise. */
const KEPT_PREFIX = '{"unfitReply":';

/**
 * The error that a reply is which does not fit its schema. Clients repeat 409, 422 (LangChain) and 5xx by themselves, and
 * each repetition would be charged: it has a status that none repeats, and the header that OpenAI's client goes by. The
 * reply stands in `details`, which is a tree of texts, and its tokens in `usage`.
 */
export function unfitReplyError(
  { content, fault, usage }: UnfitReply,
  headers: Readonly<Record<string, string>>,
): ApiError {
  const { total_tokens: _total, ...counts } = usageJson(usage);
  return apiError('REPLY_SCHEMA_MISMATCH', {
    message: `The reply of the model does not fit the schema: ${fault}. Its tokens were charged.`,
    details: { _errors: [`${fault}.`], reply: { _errors: [content] } },
    fields: { usage: counts },
    headers: { 'x-should-retry': 'false', ...headers },
  });
}

/** What is kept of it for a repetition of its request. */
export function keptUnfitReply({ content, fault, usage }: UnfitReply): Uint8Array {
  return Buffer.from(`${KEPT_PREFIX}${JSON.stringify({ content, fault, usage })}}`);
}

/** The reply that was kept; null for what is a completion. */
export function readKeptUnfitReply(body: Uint8Array): UnfitReply | null {
  const kept = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (kept.subarray(0, KEPT_PREFIX.length).toString('latin1') !== KEPT_PREFIX) return null;
  return (JSON.parse(kept.toString('utf8')) as { unfitReply: UnfitReply }).unfitReply;
}
