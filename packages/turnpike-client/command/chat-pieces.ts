import { boundedText } from '@/lib/client/bounded-answer';
import { EventReader } from '@/lib/client/private-chat/event-stream';
import { chunkReader, streamChunks } from '@/lib/client/stream-chunks';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { type BodyForm, bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { parsedRecord } from '@/lib/protocol/json-record';
import { ChatAnswerFault, type ChatPiece, ChatPieceReader, usagePieces } from '@/lib/protocol/translation/chat-piece';
import { TurnpikeError } from '../src/turnpike-error';

/** Maximum size of an answer. All models' answers are smaller. */
const ANSWER_BYTES_MAX = 64 * 1_024 * 1_024;
const WHOLE_ANSWER_TIMEOUT_MS = 180_000;

/**
 * Parses an answer of POST /chat/completions, streamed or whole, piece by piece.
 * @throws {TurnpikeError} ANSWER_BROKEN for a truncated stream; REFUSED for an error inside a stream; ANSWER_MALFORMED
 * for an answer that cannot be parsed
 */
export async function* readChatPieces(response: Response): AsyncGenerator<ChatPiece, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new TurnpikeError('ANSWER_BROKEN');
  try {
    const { form, bytes } = await beginningOf(response, reader);
    if (form === 'events') yield* streamedPieces(bytes, reader);
    else
      yield* piecesOf(
        new ChatPieceReader(),
        await boundedText(new Response(resumed(bytes, reader)), ANSWER_BYTES_MAX, WHOLE_ANSWER_TIMEOUT_MS),
        'message',
      );
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function beginningOf(
  { headers }: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ form: BodyForm; bytes: Uint8Array<ArrayBuffer> }> {
  const contentType = headers.get('content-type');
  const beginning = new GrowingBytes();
  let form: BodyForm | null = null;
  for (const next = chunkReader(reader); form === null;) {
    const chunk = await next();
    // An empty body counts as a truncated stream.
    if (chunk === null) form = 'events';
    else {
      beginning.append(chunk);
      form = beginning.length > ANSWER_BYTES_MAX ? 'whole' : bodyFormOf(contentType, chunk);
    }
  }
  return { form, bytes: beginning.bytes };
}

function resumed(
  beginning: Uint8Array<ArrayBuffer>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
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

async function* streamedPieces(
  beginning: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<ChatPiece, void, undefined> {
  const events = new EventReader();
  const pieces = new ChatPieceReader();
  let length = beginning.length;
  let [isOver, hasFinished] = [false, false];
  function* read(found: readonly string[]): Generator<ChatPiece, void, undefined> {
    for (const data of found) {
      if (isDone(data)) isOver = true;
      else if (isOver) yield* usagePieces(parsedRecord(data) ?? {});
      else {
        for (const piece of piecesOf(pieces, data, 'delta')) {
          hasFinished ||= piece.type === 'finish';
          yield piece;
        }
      }
    }
  }
  yield* read(events.push(beginning));
  for await (const bytes of streamChunks(chunkReader(reader), () => isOver)) {
    length += bytes.length;
    if (length > ANSWER_BYTES_MAX)
      throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The answer is longer than this client accepts.' });
    yield* read(events.push(bytes));
  }
  // Ignores an incomplete event after the end marker.
  if (!isOver) yield* read(events.end());
  if (!isOver && !hasFinished) throw new TurnpikeError('ANSWER_BROKEN');
}

function piecesOf(reader: ChatPieceReader, text: string, member: 'message' | 'delta'): ChatPiece[] {
  try {
    return reader.read(parsedRecord(text), member);
  } catch (error) {
    throw error instanceof ChatAnswerFault
      ? new TurnpikeError(error.code, error.message === '' ? {} : { message: error.message })
      : error;
  }
}
