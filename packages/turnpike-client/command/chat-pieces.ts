import { isRecord } from '@/lib/client/answer-schema';
import { boundedText } from '@/lib/client/bounded-body';
import { EventReader } from '@/lib/client/private-chat/event-stream';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { TurnpikeError } from '../src/turnpike-error';

/** No answer of a model is longer. */
const ANSWER_BYTES_MAX = 64 * 1_024 * 1_024;
const WHOLE_ANSWER_TIMEOUT_MS = 180_000;

/** What an answer of a chat consists of, as it comes. */
export type ChatPiece =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'refusal'; text: string }
  /** A call of a tool begins or goes on; id and name come with its beginning. */
  | { type: 'tool-call'; index: number; id: string | null; name: string | null; argumentsText: string }
  | { type: 'finish'; reason: string }
  | { type: 'usage'; promptTokens: number; completionTokens: number };

/**
 * Reads an answer of POST /chat/completions, streamed or whole, piece by piece.
 * @throws {TurnpikeError} ANSWER_BROKEN where a stream ends before its end; REFUSED for an error inside one; ANSWER_MALFORMED
 */
export async function* readChatPieces(response: Response): AsyncGenerator<ChatPiece, void, undefined> {
  if (!isEventStream(response.headers.get('content-type'))) return yield* piecesOf(parsed(await boundedText(response, ANSWER_BYTES_MAX, WHOLE_ANSWER_TIMEOUT_MS)), 'message');
  if (response.body === null) throw new TurnpikeError('ANSWER_BROKEN');
  let hasEnded = false;
  for await (const data of dataOfEvents(response.body)) {
    // What comes after the end is no part of the answer: programs that read the stream itself have stopped by then.
    if (hasEnded || isDone(data)) hasEnded = true;
    else yield* piecesOf(parsed(data), 'delta');
  }
  if (!hasEnded) throw new TurnpikeError('ANSWER_BROKEN');
}

async function* dataOfEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = new EventReader();
  let length = 0;
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    length += bytes.length;
    if (length > ANSWER_BYTES_MAX) throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The answer does not end.' });
    yield* reader.push(bytes);
  }
  yield* reader.end();
}

function* piecesOf(value: unknown, part: 'message' | 'delta'): Generator<ChatPiece, void, undefined> {
  const { choices, usage, error } = record(value);
  if (error !== undefined && error !== null) throw new TurnpikeError('REFUSED', { message: typeof error === 'string' ? error : String(record(error)['message'] ?? 'The model ended its answer with an error.') });
  const choice = record(Array.isArray(choices) ? choices[0] : undefined);
  const { content, reasoning_content: reasoning, refusal, tool_calls: calls } = record(choice[part]);
  if (typeof reasoning === 'string' && reasoning !== '') yield { type: 'reasoning', text: reasoning };
  if (typeof content === 'string' && content !== '') yield { type: 'text', text: content };
  if (typeof refusal === 'string' && refusal !== '') yield { type: 'refusal', text: refusal };
  for (const [at, call] of (Array.isArray(calls) ? calls : []).entries()) {
    const { index, id, function: called } = record(call);
    const { name, arguments: argumentsText } = record(called);
    yield { type: 'tool-call', index: typeof index === 'number' ? index : at, id: text(id), name: text(name), argumentsText: text(argumentsText) ?? '' };
  }
  if (typeof choice['finish_reason'] === 'string') yield { type: 'finish', reason: choice['finish_reason'] };
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = record(usage);
  if (typeof promptTokens === 'number' && typeof completionTokens === 'number') yield { type: 'usage', promptTokens, completionTokens };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    throw new TurnpikeError('ANSWER_MALFORMED', { cause });
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
