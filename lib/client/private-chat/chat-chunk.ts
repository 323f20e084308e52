import { isRecord } from '@/lib/protocol/json-record';
import { errorOf, errorSentence } from '@/lib/protocol/chat/answer-error';
import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import { readUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import { type FurtherFields, readFurtherFields } from './further-fields';
import { PrivateChatError } from './private-chat-error';

/** Parts of a streamed chunk that a conversation needs. Texts are as received, possibly encrypted. */
export interface ChatChunk {
  id: string | null;
  model: string | null;
  content: string | null;
  reasoning: string | null;
  /** Refusal, tool calls and log probabilities. */
  other: FurtherFields | null;
  finishReason: string | null;
  usage: TokenUsage | null;
}

const NO_REASON = 'It gives no reason.';

interface ChunkOptions {
  member?: 'delta' | 'message';
  isStrict?: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses an event's data or a whole answer.
 *
 * @param options `member`: the member of a choice that holds the message; `isStrict`: refuse forms that encrypted
 * content never has
 * @throws {PrivateChatError} REPLY_MALFORMED; REPLY_ERROR for an error, with its message
 */
export function readChatChunk(data: string, { member = 'delta', isStrict = false }: ChunkOptions = {}): ChatChunk {
  const json = parse(data);
  const error = errorOf(json);
  if (error !== null) throw new PrivateChatError('REPLY_ERROR', errorSentence(error) ?? NO_REASON);
  const choices = json['choices'] ?? [];
  if (!Array.isArray(choices)) throw malformed('choices');
  const [choice, more] = (choices as unknown[]).map((each) => asObject(each, 'choices'));
  if (more !== undefined || (choice?.['index'] ?? 0) !== 0)
    throw new PrivateChatError('REPLY_MALFORMED', 'It has more than one choice.');
  const delta = asObject(choice?.[member] ?? {}, member);
  for (const name of ['content', 'reasoning_content', 'reasoning'] as const)
    if (isStrict || !Array.isArray(delta[name])) text(delta[name], `${member}.${name}`);
  const { content, reasoning, finishReason } = readAnswerParts(choice, member);
  return {
    // Azure's first and last chunks have an empty id.
    id: text(json['id'], 'id') || null,
    model: text(json['model'], 'model'),
    content: content || null,
    reasoning: reasoning || null,
    other: readFurtherFields(choice ?? {}, delta),
    finishReason,
    usage: readUsage(json['usage']),
  };
}

/** Returns the message of an error in JSON. Never throws. */
export function refusalSentence(text: string): string {
  try {
    return errorSentence(errorOf(asObject(JSON.parse(text) as unknown, 'refusal'))) ?? NO_REASON;
  } catch {
    return NO_REASON;
  }
}

function parse(data: string): Json {
  try {
    return asObject(JSON.parse(data) as unknown, 'event');
  } catch (cause) {
    throw cause instanceof PrivateChatError
      ? cause
      : new PrivateChatError('REPLY_MALFORMED', 'One of its events is not JSON.', null, { cause });
  }
}

function asObject(value: unknown, what: string): Json {
  if (!isRecord(value)) throw malformed(what);
  return value;
}

function text(value: unknown, what: string): string | null {
  if (value != null && typeof value !== 'string') throw malformed(what);
  return value ?? null;
}

function malformed(what: string): PrivateChatError {
  return new PrivateChatError('REPLY_MALFORMED', `Its ${what} is not of the known form.`);
}
