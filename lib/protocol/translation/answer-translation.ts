import type { ChatPiece } from './chat-piece';
import type { ChatRequestBody, Json } from './chat-turns';
import type { CollectedAnswer } from './collected-answer';

/** Event of a stream. Chat streams have no event names. */
export interface NamedEvent {
  event: string | null;
  data: object;
}

export function eventText({ event, data }: NamedEvent): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Data from the request, for translating the answer. */
export interface AnswerHead {
  /** Letters and digits, unique per answer. */
  id: string;
  createdAtSeconds: number;
  request: Json;
  chat: ChatRequestBody;
  /** Parts of the request that the gateway did not forward. */
  leftOut: readonly string[];
}

export interface AnswerFailure {
  message: string;
  code: string | null;
}

export interface AnswerEvents {
  begin(): NamedEvent[];
  /** @throws {ChatAnswerFault} for too many tool calls */
  push(piece: ChatPiece): NamedEvent[];
  /** Ends a complete answer. Clients may then run its tool calls. */
  end(): NamedEvent[];
  fail(failure: AnswerFailure): NamedEvent[];
}

export type WholeAnswerOf = (head: AnswerHead, answer: CollectedAnswer) => object;

/** Longest metadata value (OpenAI, "metadata"). */
const NOTE_CHARACTERS_MAX = 512;

/** Returns answer metadata that lists the omitted parts, or an empty object. */
export function leftOutNote(leftOut: readonly string[]): { left_out?: string } {
  return leftOut.length === 0 ? {} : { left_out: leftOut.join('; ').slice(0, NOTE_CHARACTERS_MAX) };
}

/** Yields an answer's events. Rejects if `pieces` rejects. */
export async function* translatedEvents(
  events: AnswerEvents,
  pieces: AsyncIterable<ChatPiece>,
): AsyncGenerator<NamedEvent, void, undefined> {
  yield* events.begin();
  for await (const piece of pieces) yield* events.push(piece);
  yield* events.end();
}
