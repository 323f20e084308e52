import { isJsonSchemaFormat } from '@/lib/protocol/chat/response-format';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { type ChatBody, withMembers } from './chat-body';
import type { ChatModel } from './chat-model';
import { documentWithin } from './document-within';
import type { ReplySchemas } from './reply-schema/reply-schemas';

interface Choice {
  message?: { content?: unknown; refusal?: unknown; tool_calls?: unknown } | null;
}

/** A reply that does not fit its schema. */
export interface Misfit {
  content: string;
  /** A clause. */
  fault: string;
}

export interface Judgement {
  /** The first reply that does not fit; null where all do. */
  misfit: Misfit | null;
  isMended: boolean;
}

/** How many completions a request may take: one, and a repair where the operator wants it and the reply can be asked for again. */
export function attemptsOf(
  { response_format: format, stream }: ChatRequest,
  { capabilities }: ChatModel,
  repairAttempts: number,
): number {
  return isJsonSchemaFormat(format) && !stream && !capabilities.supportsTeeAttestation ? 1 + repairAttempts : 1;
}

/**
 * Holds the replies of an answer to the schema of its request. Refusals and calls of functions are no documents.
 * @param answer what is mended of it is changed in place
 * @param caller whose time checking takes
 * @param mends whether a document in a fenced block, or after thoughts, may take the place of its reply
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

/** The bytes that ask for the reply once more, saying what was wrong with it. */
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
