import type { TokenUsage } from '../chat/token-usage';

export type ChatPiece =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'refusal'; text: string }
  /** Beginning or continuation of a tool call. Id and name may arrive late. */
  | { type: 'tool-call'; index: number; id: string | null; name: string | null; argumentsText: string }
  | { type: 'finish'; reason: string }
  | ({ type: 'usage' } & TokenUsage);

/** Thrown if the model ended its answer with an error, or the answer is malformed. */
export class ChatAnswerFault extends Error {
  override readonly name = 'ChatAnswerFault';

  constructor(
    readonly code: 'REFUSED' | 'ANSWER_MALFORMED' | 'ANSWER_BROKEN',
    message: string,
  ) {
    super(message);
  }
}
