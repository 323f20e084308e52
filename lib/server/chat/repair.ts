import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { isJsonSchemaFormat } from '@/lib/protocol/chat/response-format';
import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { type ChatBody, withMembers } from './chat-body';
import type { ChatModel } from './chat-model';
import type { ReplySchemas } from './reply-schema/reply-schemas';

interface Choice {
  message?: { content?: unknown; refusal?: unknown; tool_calls?: unknown } | null;
}

export interface Misfit {
  content: string;
  fault: string;
}

interface Judgement {
  /** First reply that does not match the schema; null if all match. */
  misfit: Misfit | null;
  isMended: boolean;
}

/**
 * Returns the maximum number of attempts for a request: one, plus the attempts to repair a reply. A stream cannot be
 * repaired.
 */
export function attemptsOf(
  { response_format: format, stream }: ChatRequest,
  { capabilities }: ChatModel,
  repairAttempts: number,
): number {
  return isJsonSchemaFormat(format) && !stream && !capabilities.supportsTeeAttestation ? 1 + repairAttempts : 1;
}

/**
 * Checks the replies in an answer against the request's schema. Skips refusals and function calls.
 *
 * @param answer changed in place if a reply is mended
 * @param caller account whose share of checking time is used
 * @param mends whether JSON found in a fenced block or after reasoning may replace the reply
 */
export async function judgeReplies(
  answer: unknown,
  { response_format: format }: ChatRequest,
  schemas: ReplySchemas,
  caller: number,
  mends: boolean,
): Promise<Judgement> {
  if (!isJsonSchemaFormat(format)) return { misfit: null, isMended: false };
  const { schema } = format.json_schema;
  let isMended = false;
  const choices = (answer as { choices?: unknown } | null)?.choices;
  if (!Array.isArray(choices)) return { misfit: { content: '', fault: 'there is none' }, isMended };
  for (const { message } of choices as Choice[]) {
    if (!message || typeof message.refusal === 'string') continue;
    if (Array.isArray(message.tool_calls) && message.tool_calls.length > 0) continue;
    const content = typeof message.content === 'string' ? message.content : '';
    const fault = await schemas.replyFault(content, schema, caller);
    if (fault === null) continue;
    const document = mends ? documentWithin(content) : null;
    if (document === null || (await schemas.replyFault(document, schema, caller)) !== null)
      return { misfit: { content, fault }, isMended };
    message.content = document;
    isMended = true;
  }
  return { misfit: null, isMended };
}

/** Returns a request that quotes the first reply, states its fault and asks for another reply. */
export function repairBody(
  body: ChatBody,
  { content, fault }: Misfit,
  changes: Readonly<Record<string, unknown>>,
): Uint8Array {
  const { request, bytes, members } = body;
  const place = members.get('messages') as { start: number; end: number };
  const messages = (changes['messages'] ??
    JSON.parse(Buffer.from(bytes.subarray(place.start, place.end)).toString('utf8'))) as unknown[];
  const more = [
    { role: 'assistant', content },
    {
      role: 'user',
      content: `That reply does not fit the JSON Schema "${isJsonSchemaFormat(request.response_format) ? request.response_format.json_schema.name : ''}": ${fault}. Reply again with nothing but a JSON document that fits it.`,
    },
  ];
  return withMembers(body, { ...changes, messages: [...messages, ...more] });
}

const THOUGHTS_END = '</think>';
const FENCE = '```';

/**
 * Removes reasoning, and text around a fenced block, from a reply that should be JSON. Returns null if there was
 * nothing to remove, or if nothing remains.
 */
function documentWithin(reply: string): string | null {
  const thoughtsEnd = reply.lastIndexOf(THOUGHTS_END);
  const said = (thoughtsEnd < 0 ? reply : reply.slice(thoughtsEnd + THOUGHTS_END.length)).trim();
  const document = fencedIn(said) ?? said;
  return document === reply || document === '' ? null : document;
}

/**
 * Returns the text between the first and the last fence; null if none. Without a second fence, it extends to the end of
 * the reply.
 */
function fencedIn(text: string): string | null {
  const open = text.indexOf(FENCE);
  if (open < 0) return null;
  const lineEnd = text.indexOf('\n', open);
  if (lineEnd < 0) return null;
  const close = text.lastIndexOf(FENCE);
  return text.slice(lineEnd + 1, close > lineEnd ? close : undefined).trim();
}

interface UnfitReply extends Misfit {
  usage: TokenUsage;
}

const KEPT_PREFIX = '{"unfitReply":';

/**
 * Returns the error for an unfit reply. Clients repeat calls after 409, 422 (LangChain) and 5xx, and each retry would
 * be charged. So the error has a different status, and `x-should-retry: false` for OpenAI's client. `details` contains
 * the reply, and `usage` contains its tokens.
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

/** Parses a stored unfit reply; null if a completion is stored. */
export function readKeptUnfitReply(body: Uint8Array): UnfitReply | null {
  const kept = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (kept.subarray(0, KEPT_PREFIX.length).toString('latin1') !== KEPT_PREFIX) return null;
  return (JSON.parse(kept.toString('utf8')) as { unfitReply: UnfitReply }).unfitReply;
}
