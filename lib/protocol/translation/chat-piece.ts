import type { TokenUsage } from '../chat/token-usage';

/** What an answer of a chat consists of, as it comes. */
export type ChatPiece =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'refusal'; text: string }
  /** A call of a tool begins or goes on; id and name come with its beginning, or later. */
  | { type: 'tool-call'; index: number; id: string | null; name: string | null; argumentsText: string }
  | { type: 'finish'; reason: string }
  | ({ type: 'usage' } & TokenUsage);

/** Why the pieces of an answer cannot be read: the model ended it with an error, or it has no form of an answer. */
export class ChatAnswerFault extends Error {
  override readonly name = 'ChatAnswerFault';

  constructor(
    readonly code: 'REFUSED' | 'ANSWER_MALFORMED' | 'ANSWER_BROKEN',
    message: string,
  ) {
    super(message);
  }
}
