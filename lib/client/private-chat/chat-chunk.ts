import { errorOf, errorSentence } from '@/lib/protocol/chat/answer-error';
import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import { readUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import { isRecord } from '../answer-schema';
import { type FurtherFields, readFurtherFields } from './further-fields';
import { PrivateChatError } from './private-chat-error';

/** A chunk of a streamed completion, as far as a conversation needs it. Texts are as they came: encrypted, where they were. */
export interface ChatChunk {
  id: string | null;
  model: string | null;
  content: string | null;
  /** What a reasoning model thinks before it answers. */
  reasoning: string | null;
  /** Refusal, calls of tools and log probabilities; null where there are none. */
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
 * Reads the data of one event, or a whole answer.
 * @param options `member`: where a choice has what the model says; `isStrict`: refuses content in unusual forms, since what is encrypted has none
 * @throws {PrivateChatError} REPLY_MALFORMED for what is no chunk; REPLY_ERROR for an error, with its sentence
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
    // Azure's first and last chunks have an empty one.
    id: text(json['id'], 'id') || null,
    model: text(json['model'], 'model'),
    content: content || null,
    reasoning: reasoning || null,
    other: readFurtherFields(choice ?? {}, delta),
    finishReason,
    usage: readUsage(json['usage']),
  };
}

/** What a refusal in JSON says, in a sentence. Never throws. */
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
