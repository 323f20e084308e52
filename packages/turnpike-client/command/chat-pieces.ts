import { boundedText } from '@/lib/client/bounded-body';
import { EventReader } from '@/lib/client/private-chat/event-stream';
import { chunkReader, streamChunks } from '@/lib/client/stream-chunks';
import { errorOf, errorSentence } from '@/lib/protocol/chat/answer-error';
import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { readUsage } from '@/lib/protocol/chat/token-usage';
import { type BodyForm, bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { parsedRecord } from '@/lib/protocol/json-record';
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
  const reader = response.body?.getReader();
  if (reader === undefined) throw new TurnpikeError('ANSWER_BROKEN');
  try {
    const { form, bytes } = await beginningOf(response, reader);
    if (form === 'events') yield* streamedPieces(bytes, reader);
    else yield* piecesOf(await boundedText(new Response(resumed(bytes, reader)), ANSWER_BYTES_MAX, WHOLE_ANSWER_TIMEOUT_MS), 'message');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The bytes up to the first that tells a stream from a whole answer. */
async function beginningOf({ headers }: Response, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<{ form: BodyForm; bytes: Uint8Array<ArrayBuffer> }> {
  const contentType = headers.get('content-type');
  const beginning = new GrowingBytes();
  let form: BodyForm | null = null;
  for (const next = chunkReader(reader); form === null; ) {
    const chunk = await next();
    // A body of nothing is a stream that breaks off.
    if (chunk === null) form = 'events';
    else {
      beginning.append(chunk);
      form = beginning.length > ANSWER_BYTES_MAX ? 'whole' : bodyFormOf(contentType, chunk);
    }
  }
  return { form, bytes: beginning.bytes };
}

function resumed(beginning: Uint8Array<ArrayBuffer>, reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(beginning),
    async pull(controller) {
      const { value } = await reader.read();
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
}

async function* streamedPieces(beginning: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<ChatPiece, void, undefined> {
  const events = new EventReader();
  let length = beginning.length;
  let [isOver, hasFinished] = [false, false];
  function* read(found: readonly string[]): Generator<ChatPiece, void, undefined> {
    for (const data of found) {
      if (isDone(data)) isOver = true;
      else if (isOver) yield* usageOf(parsedRecord(data) ?? {});
      else {
        for (const piece of piecesOf(data, 'delta')) {
          hasFinished ||= piece.type === 'finish';
          yield piece;
        }
      }
    }
  }
  yield* read(events.push(beginning));
  for await (const bytes of streamChunks(chunkReader(reader), () => isOver)) {
    length += bytes.length;
    if (length > ANSWER_BYTES_MAX) throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The answer does not end.' });
    yield* read(events.push(bytes));
  }
  // What comes after the end is no part of the answer: programs that read the stream itself have stopped by then.
  if (!isOver) yield* read(events.end());
  if (!isOver && !hasFinished) throw new TurnpikeError('ANSWER_BROKEN');
}

function* piecesOf(text: string, member: 'message' | 'delta'): Generator<ChatPiece, void, undefined> {
  const json = parsedRecord(text);
  if (json === null) throw new TurnpikeError('ANSWER_MALFORMED');
  const error = errorOf(json);
  if (error !== null) throw new TurnpikeError('REFUSED', { message: errorSentence(error) ?? 'The model ended its answer with an error.' });
  const { choices } = json;
  const { content, reasoning, refusal, calls, finishReason } = readAnswerParts(Array.isArray(choices) ? choices[0] : undefined, member);
  if (reasoning !== '') yield { type: 'reasoning', text: reasoning };
  if (content !== '') yield { type: 'text', text: content };
  if (refusal !== '') yield { type: 'refusal', text: refusal };
  for (const [at, { index, ...call }] of calls.entries()) yield { type: 'tool-call', index: index ?? at, ...call };
  if (finishReason !== null) yield { type: 'finish', reason: finishReason };
  yield* usageOf(json);
}

function* usageOf(json: Readonly<Record<string, unknown>>): Generator<ChatPiece, void, undefined> {
  const usage = readUsage(json['usage']);
  if (usage !== null) yield { type: 'usage', ...usage };
}
