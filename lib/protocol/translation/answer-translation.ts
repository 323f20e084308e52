import type { ChatPiece } from './chat-piece';
import type { ChatRequestBody, Json } from './chat-turns';
import type { CollectedAnswer } from './collected-answer';
import type { NamedEvent } from './named-event';

/** What an answer says of itself and of its request. */
export interface AnswerHead {
  /** Letters and digits that no other answer has. */
  id: string;
  createdAtSeconds: number;
  /** As it came. */
  request: Json;
  chat: ChatRequestBody;
  /** The parts of the request that the model was not sent. */
  leftOut: readonly string[];
}

/** Why an answer that has begun ends without its end. */
export interface AnswerFailure {
  message: string;
  code: string | null;
}

/** Writes an answer in the events of an API, as its pieces come. */
export interface AnswerEvents {
  begin(): NamedEvent[];
  /** @throws {ChatAnswerFault} for more than any model says */
  push(piece: ChatPiece): NamedEvent[];
  /** The answer is whole: clients may act on what it calls. */
  end(): NamedEvent[];
  fail(failure: AnswerFailure): NamedEvent[];
}

/** Makes the whole of an answer. */
export type WholeAnswerOf = (head: AnswerHead, answer: CollectedAnswer) => object;

/** Of a request, what an answer says of it: texts of at most 512 characters (OpenAI, "metadata"). */
const NOTE_CHARACTERS_MAX = 512;

/** The parts that were left out, as metadata of an answer; nothing where all were sent. */
export function leftOutNote(leftOut: readonly string[]): { left_out?: string } {
  return leftOut.length === 0 ? {} : { left_out: leftOut.join('; ').slice(0, NOTE_CHARACTERS_MAX) };
}

/** Yields the events of an answer from its pieces. @throws what the pieces throw */
export async function* translatedEvents(
  events: AnswerEvents,
  pieces: AsyncIterable<ChatPiece>,
): AsyncGenerator<NamedEvent, void, undefined> {
  yield* events.begin();
  for await (const piece of pieces) yield* events.push(piece);
  yield* events.end();
}
