import { type AnswerHead, type NamedEvent, translatedEvents } from '../answer-translation';
import type { ChatPiece } from '../chat-piece';
import type { ChatRequestBody } from '../chat-turns';
import { collectPieces } from '../collected-answer';
import { type TranslatedApi, TRANSLATIONS } from '../translations';

const headOf = (chat: ChatRequestBody): AnswerHead => ({
  id: 'test',
  createdAtSeconds: 1,
  request: {},
  chat,
  leftOut: [],
});

/** Returns the whole answer of an API. Rejects if `pieces` rejects. */
export async function answerOf(
  api: TranslatedApi,
  chat: ChatRequestBody,
  pieces: AsyncIterable<ChatPiece>,
): Promise<object> {
  return TRANSLATIONS[api].answerOf(headOf(chat), await collectPieces(pieces));
}

export function eventsOf(
  api: TranslatedApi,
  chat: ChatRequestBody,
  pieces: AsyncIterable<ChatPiece>,
): AsyncGenerator<NamedEvent, void, undefined> {
  return translatedEvents(TRANSLATIONS[api].eventsOf(headOf(chat)), pieces);
}
