import { errorOf, errorSentence } from '../chat/answer-error';
import { readAnswerParts } from '../chat/answer-parts';
import { CallPlaces } from '../chat/call-places';
import { readUsage, type TokenUsage } from '../chat/token-usage';
import { recordOf } from '../json-record';
import type { Json } from './chat-turns';

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

/** Converts chunks or a whole answer to pieces. */
export class ChatPieceReader {
  readonly #calls = new CallPlaces();

  /**
   * Parses a chunk or a whole completion.
   *
   * @param json parsed text, or null if it is not an object
   * @param member name of the member that contains a choice's message
   * @throws {ChatAnswerFault} for an error, or a malformed answer
   */
  read(json: Json | null, member: 'message' | 'delta'): ChatPiece[] {
    if (json === null) throw new ChatAnswerFault('ANSWER_MALFORMED', "The model's answer could not be parsed.");
    const error = errorOf(json);
    if (error !== null)
      throw new ChatAnswerFault(
        recordOf(error)['code'] === 'ANSWER_BROKEN' ? 'ANSWER_BROKEN' : 'REFUSED',
        errorSentence(error) ?? 'The model ended its answer with an error.',
      );
    const { choices } = json;
    const { content, reasoning, refusal, calls, finishReason } = readAnswerParts(
      Array.isArray(choices) ? choices[0] : undefined,
      member,
    );
    const pieces: ChatPiece[] = [];
    if (reasoning !== '') pieces.push({ type: 'reasoning', text: reasoning });
    if (content !== '') pieces.push({ type: 'text', text: content });
    if (refusal !== '') pieces.push({ type: 'refusal', text: refusal });
    for (const call of calls) {
      const index = member === 'message' ? this.#calls.placeOfWhole(call) : this.#calls.placeOf(call);
      const { id, name, argumentsText } = call;
      pieces.push({ type: 'tool-call', index, id, name, argumentsText });
    }
    if (finishReason !== null) pieces.push({ type: 'finish', reason: finishReason });
    return [...pieces, ...usagePieces(json)];
  }
}

export function usagePieces(json: Json): ChatPiece[] {
  const usage = readUsage(json['usage']);
  return usage === null ? [] : [{ type: 'usage', ...usage }];
}
