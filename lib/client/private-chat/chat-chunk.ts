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

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the data of one event.
 * @throws {PrivateChatError} REPLY_MALFORMED for what is no chunk; REPLY_ERROR for an error, with its sentence
 */
export function readChatChunk(data: string): ChatChunk {
  const json = parse(data);
  if (json['error'] != null) throw new PrivateChatError('REPLY_ERROR', errorSentence(json['error']));
  const { choices = [] } = json;
  if (!Array.isArray(choices)) throw malformed('choices');
  const [choice, more] = choices.map((each: unknown) => asObject(each, 'choices'));
  if (more !== undefined || (choice?.['index'] ?? 0) !== 0) throw new PrivateChatError('REPLY_MALFORMED', 'It has more than one choice.');
  const delta = asObject(choice?.['delta'] ?? {}, 'delta');
  return {
    id: text(json['id'], 'id'),
    model: text(json['model'], 'model'),
    content: text(delta['content'], 'delta.content'),
    reasoning: text(delta['reasoning_content'] ?? delta['reasoning'], 'delta.reasoning_content'),
    other: readFurtherFields(choice ?? {}, delta),
    finishReason: text(choice?.['finish_reason'], 'finish_reason'),
    usage: readUsage(json['usage']),
  };
}

/** What a refusal in JSON says, in a sentence. Never throws. */
export function refusalSentence(text: string): string {
  try {
    return errorSentence(asObject(JSON.parse(text) as unknown, 'refusal')['error']);
  } catch {
    return errorSentence(null);
  }
}

function parse(data: string): Json {
  try {
    return asObject(JSON.parse(data) as unknown, 'event');
  } catch (cause) {
    throw cause instanceof PrivateChatError ? cause : new PrivateChatError('REPLY_MALFORMED', 'One of its events is not JSON.', null, { cause });
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

function errorSentence(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = isRecord(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : 'It gives no reason.';
}
