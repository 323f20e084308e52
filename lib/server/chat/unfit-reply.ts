import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import type { Misfit } from './repair';

interface UnfitReply extends Misfit {
  usage: TokenUsage;
}

/** Prefix of a stored unfit reply. No completion begins with this text. */
const KEPT_PREFIX = '{"unfitReply":';

/**
 * Returns the error for an unfit reply. Clients repeat calls after 409, 422 (LangChain) and 5xx, and each repetition
 * would be charged. So the error has another status, and `x-should-retry: false` for OpenAI's client. `details` has the
 * reply, and `usage` its tokens.
 */
export function unfitReplyError(
  { content, fault, usage }: UnfitReply,
  headers: Readonly<Record<string, string>>,
): ApiError {
  const { total_tokens: _total, ...counts } = usageJson(usage);
  return apiError('REPLY_SCHEMA_MISMATCH', {
    message: `The model's reply does not match the schema: ${fault}. Its tokens were charged.`,
    details: { _errors: [`${fault}.`], reply: { _errors: [content] } },
    fields: { usage: counts },
    headers: { 'x-should-retry': 'false', ...headers },
  });
}

export function keptUnfitReply({ content, fault, usage }: UnfitReply): Uint8Array {
  return Buffer.from(`${KEPT_PREFIX}${JSON.stringify({ content, fault, usage })}}`);
}

/** Parses a stored unfit reply; null for a completion. */
export function readKeptUnfitReply(body: Uint8Array): UnfitReply | null {
  const kept = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (kept.subarray(0, KEPT_PREFIX.length).toString('latin1') !== KEPT_PREFIX) return null;
  return (JSON.parse(kept.toString('utf8')) as { unfitReply: UnfitReply }).unfitReply;
}
