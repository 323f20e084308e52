import { errorOf, errorSentence } from '@/lib/protocol/chat/answer-error';
import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import { readUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import { isRecord, recordOf } from '@/lib/protocol/json-record';
import { PrivateChatError } from './private-chat-error';

/** Log probability of a token and of its alternatives. */
export interface TokenLogprob {
  token: string;
  logprob: number | null;
  /** UTF-8 of the token; null if not stated. */
  bytes: readonly number[] | null;
  topLogprobs: readonly TokenLogprob[];
}

/** Members of a chunk besides text and reasoning. Texts are as received, possibly encrypted. */
interface FurtherFields {
  refusal: string | null;
  /** Names and arguments of tool calls. Private chats do not request tools. */
  calls: readonly string[];
  logprobs: readonly unknown[];
}

export interface OpenedFields {
  refusal: string;
  logprobs: readonly TokenLogprob[];
}

type Json = Readonly<Record<string, unknown>>;

/** OpenAI's API has one level of alternatives below each token. */
const LEVELS_MAX = 2;

function readFurtherFields(choice: Json, delta: Json): FurtherFields | null {
  const { refusal, tool_calls: toolCalls, function_call: functionCall } = delta;
  const { content, refusal: refused } = recordOf(choice['logprobs']);
  const fields = {
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : null,
    calls: [
      ...listOr(toolCalls).flatMap((call) => callTexts(recordOf(call)['function'] ?? call)),
      ...(functionCall == null ? [] : callTexts(functionCall)),
    ],
    logprobs: [...listOr(content), ...listOr(refused)],
  };
  return fields.refusal === null && fields.calls.length === 0 && fields.logprobs.length === 0 ? null : fields;
}

/**
 * Decrypts the fields besides text and reasoning, even those not shown, so that an intermediary cannot forge them.
 *
 * @throws {PrivateChatError} from `open`; REPLY_MALFORMED
 */
export function openFurtherFields(
  { refusal, calls, logprobs }: FurtherFields,
  open: (text: string) => string,
): OpenedFields {
  for (const call of calls) open(call);
  return {
    refusal: refusal === null ? '' : open(refusal),
    logprobs: logprobs.map((entry) => openLogprob(entry, open, 1)),
  };
}

/**
 * Returns the encrypted texts of a tool call. A call in an unknown format becomes JSON text, which then fails to
 * decrypt.
 */
function callTexts(call: unknown): string[] {
  const { name = '', arguments: given = '' } = recordOf(call);
  const isKnown = Object.keys(recordOf(call)).every((member) => member === 'name' || member === 'arguments');
  return isKnown && typeof name === 'string' && typeof given === 'string' ? [name, given] : [JSON.stringify(call)];
}

function openLogprob(entry: unknown, open: (text: string) => string, level: number): TokenLogprob {
  const { token, logprob, bytes, top_logprobs: top } = recordOf(entry);
  if (typeof token !== 'string' || level > LEVELS_MAX) throw malformed();
  return {
    token: open(token),
    logprob: typeof logprob === 'number' ? logprob : null,
    bytes: bytes == null ? null : openBytes(bytes, open),
    topLogprobs: listOr(top).map((each) => openLogprob(each, open, level + 1)),
  };
}

/** Decrypts the JSON list of a token's bytes. If encryption is required, `open` rejects a plaintext list. */
function openBytes(bytes: unknown, open: (text: string) => string): number[] {
  const text = open(typeof bytes === 'string' ? bytes : JSON.stringify(bytes));
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every(isByte)) return list;
  } catch {
    // Text that is not JSON causes the error below.
  }
  throw malformed();
}

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

function malformed(): PrivateChatError {
  return new PrivateChatError('REPLY_MALFORMED', 'The log probabilities of the reply have an unknown form.');
}

function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

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

const NO_REASON = 'The error has no message.';

interface ChunkOptions {
  member?: 'delta' | 'message';
  isStrict?: boolean;
}

/**
 * Parses an event's data or a whole answer.
 *
 * @param options `member`: the member of a choice that contains the message; `isStrict`: refuse forms that encrypted
 * content never has
 * @throws {PrivateChatError} REPLY_MALFORMED; REPLY_ERROR, with the message, if the text is an error
 */
export function readChatChunk(data: string, { member = 'delta', isStrict = false }: ChunkOptions = {}): ChatChunk {
  const json = parse(data);
  const error = errorOf(json);
  if (error !== null) throw new PrivateChatError('REPLY_ERROR', errorSentence(error) ?? NO_REASON);
  const choices = json['choices'] ?? [];
  if (!Array.isArray(choices)) throw malformedChunk('choices');
  const [choice, more] = (choices as unknown[]).map((each) => asObject(each, 'choices'));
  if (more !== undefined || (choice?.['index'] ?? 0) !== 0)
    throw new PrivateChatError('REPLY_MALFORMED', 'The reply has more than one choice.');
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

/** Returns the message of a JSON error. Never throws. */
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
      : new PrivateChatError('REPLY_MALFORMED', 'An event of the reply is not JSON.', null, { cause });
  }
}

function asObject(value: unknown, what: string): Json {
  if (!isRecord(value)) throw malformedChunk(what);
  return value;
}

function text(value: unknown, what: string): string | null {
  if (value != null && typeof value !== 'string') throw malformedChunk(what);
  return value ?? null;
}

function malformedChunk(what: string): PrivateChatError {
  return new PrivateChatError('REPLY_MALFORMED', `The "${what}" of the reply has an unknown form.`);
}
