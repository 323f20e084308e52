import { recordOf } from '@/lib/protocol/json-record';
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
export interface FurtherFields {
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

/** Reads the refusal and log probabilities of a choice and its delta; null if absent. */
export function readFurtherFields(choice: Json, delta: Json): FurtherFields | null {
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
 * Decrypts all further fields, including fields that are not shown, so that an intermediary cannot forge the enclave's
 * words.
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

/**
 * Decrypts a token's bytes, which are a JSON list. `open` gets a plaintext list too, and throws if encryption is
 * required.
 */
function openBytes(bytes: unknown, open: (text: string) => string): number[] {
  const text = open(typeof bytes === 'string' ? bytes : JSON.stringify(bytes));
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every(isByte)) return list;
  } catch {
    // Text that is not JSON gets the error below.
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
