import type { AnswerEvents, AnswerHead, WholeAnswerOf } from './answer-translation';
import type { ChatRequestBody, TranslationOptions } from './chat-turns';
import { messagesAnswer, MessagesEvents } from './messages-answer';
import { chatOfMessagesRequest } from './messages-request';
import { responsesAnswer, ResponsesEvents } from './responses-answer';
import { chatOfResponsesRequest } from './responses-request';

/** Translates an API's requests to chat requests, and chat answers back. */
interface Translation {
  /** @throws {Untranslatable} */
  chatOf: (request: unknown, options: TranslationOptions) => ChatRequestBody;
  answerOf: WholeAnswerOf;
  eventsOf: (head: AnswerHead, callsMax?: number) => AnswerEvents;
}

export const TRANSLATIONS = {
  responses: {
    chatOf: chatOfResponsesRequest,
    answerOf: responsesAnswer,
    eventsOf: (head, callsMax?: number) => new ResponsesEvents(head, callsMax),
  },
  messages: {
    chatOf: chatOfMessagesRequest,
    answerOf: messagesAnswer,
    eventsOf: (head, callsMax?: number) => new MessagesEvents(head, callsMax),
  },
} as const satisfies Record<string, Translation>;

export type TranslatedApi = keyof typeof TRANSLATIONS;
