import { isRecord } from '../answer-schema';
import { PrivateChatError } from './private-chat-error';

/** The log probability of a token, and of those that came next to it. */
export interface TokenLogprob {
  token: string;
  logprob: number | null;
  /** UTF-8 of the token; null where the model does not say. */
  bytes: readonly number[] | null;
  topLogprobs: readonly TokenLogprob[];
}

/** What a chunk has beside text and reasoning. Texts are as they came: encrypted where all fields are. */
export interface FurtherFields {
  /** A refusal in the model's own words. */
  refusal: string | null;
  /** Names and arguments of called tools, which a private chat does not ask for. */
  calls: readonly string[];
  logprobs: readonly unknown[];
}

/** The same in plain text. */
export interface OpenedFields {
  refusal: string;
  logprobs: readonly TokenLogprob[];
}

type Json = Readonly<Record<string, unknown>>;

/** Tokens at one place, and levels of them: OpenAI's API has 20 and one. */
const LEVELS_MAX = 2;

/** Reads them from a choice and its delta; null where it has none of them. */
export function readFurtherFields(choice: Json, delta: Json): FurtherFields | null {
  const { refusal, tool_calls: toolCalls, function_call: functionCall } = delta;
  const { content, refusal: refused } = objectOr(choice['logprobs']);
  const fields = {
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : null,
    calls: [
      ...listOr(toolCalls).flatMap((call) => callTexts(objectOr(call)['function'] ?? call)),
      ...(functionCall == null ? [] : callTexts(functionCall)),
    ],
    logprobs: [...listOr(content), ...listOr(refused)],
  };
  return fields.refusal === null && fields.calls.length === 0 && fields.logprobs.length === 0 ? null : fields;
}

/**
 * Decrypts all of them. Those that are not shown are opened as well: nobody on the way may speak in the enclave's name.
 * @throws {PrivateChatError} what `open` throws; REPLY_MALFORMED
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

/** The encrypted texts of a call; a call of another form as text, which no encrypted chat lets through. */
function callTexts(call: unknown): string[] {
  const { name = '', arguments: given = '' } = objectOr(call);
  const isKnown = Object.keys(objectOr(call)).every((member) => member === 'name' || member === 'arguments');
  return isKnown && typeof name === 'string' && typeof given === 'string' ? [name, given] : [JSON.stringify(call)];
}

function openLogprob(entry: unknown, open: (text: string) => string, level: number): TokenLogprob {
  const { token, logprob, bytes, top_logprobs: top } = objectOr(entry);
  if (typeof token !== 'string' || level > LEVELS_MAX) throw malformed();
  return {
    token: open(token),
    logprob: typeof logprob === 'number' ? logprob : null,
    bytes: bytes == null ? null : openBytes(bytes, open),
    topLogprobs: listOr(top).map((each) => openLogprob(each, open, level + 1)),
  };
}

/** Encrypted as the JSON of a list; a list in the clear is opened as text, which fails where it has to be encrypted. */
function openBytes(bytes: unknown, open: (text: string) => string): number[] {
  const text = open(typeof bytes === 'string' ? bytes : JSON.stringify(bytes));
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every(isByte)) return list;
  } catch {
    // Said below.
  }
  throw malformed();
}

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

function malformed(): PrivateChatError {
  return new PrivateChatError('REPLY_MALFORMED', 'Its log probabilities are not of the known form.');
}

function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOr(value: unknown): Json {
  return isRecord(value) ? value : {};
}
