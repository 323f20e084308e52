import { errorOf, errorSentence } from '../chat/answer-error';
import { type CalledFragment, readAnswerParts } from '../chat/answer-parts';
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

/** Finds where a JSON object or list in chunks ends. Scans each character once. */
class JsonExtent {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasBegun = false;

  /** True if all brackets are closed. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; at++) this.#take(text.charAt(at));
  }

  #take(character: string): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
    } else if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') {
      this.#depth++;
      this.#hasBegun = true;
    } else if (character === '}' || character === ']') this.#depth--;
  }
}

interface OpenCall {
  id: string | null;
  name: string | null;
  serverIndex: number | null;
  argumentsExtent: JsonExtent;
}

/**
 * Converts chunks or a whole answer to pieces. Tells tool calls apart by id first, then by index, because some servers
 * give all tool calls index 0 or no index.
 */
export class ChatPieceReader {
  readonly #calls: OpenCall[] = [];

  /**
   * Parses a chunk or a whole completion.
   *
   * @param json null if it is not an object
   * @param member name of the member that contains the message, in each choice
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
    for (const call of calls) pieces.push(this.#callPiece(call, member === 'message'));
    if (finishReason !== null) pieces.push({ type: 'finish', reason: finishReason });
    return [...pieces, ...usagePieces(json)];
  }

  #callPiece(fragment: CalledFragment, isWhole: boolean): ChatPiece {
    const { id, name, argumentsText } = fragment;
    const found = isWhole ? -1 : this.#placeOf(fragment);
    const index = found < 0 ? this.#calls.length : found;
    const call = (this.#calls[index] ??= {
      id: null,
      name: null,
      serverIndex: fragment.index,
      argumentsExtent: new JsonExtent(),
    });
    call.id ??= id;
    call.name ??= name;
    call.argumentsExtent.push(argumentsText);
    return { type: 'tool-call', index, id, name, argumentsText };
  }

  /** Returns the index of the tool call that a fragment continues; negative for a new tool call. */
  #placeOf({ id, name, index, argumentsText }: CalledFragment): number {
    const known = id === null ? -1 : this.#calls.findIndex((call) => call.id === id);
    if (known >= 0) return known;
    const last =
      index === null ? this.#calls.length - 1 : this.#calls.findLastIndex((call) => call.serverIndex === index);
    const call = this.#calls[last];
    if (call === undefined) return -1;
    if (id !== null && call.id !== null) return -1;
    const isNamedAnew =
      name !== null &&
      call.name !== null &&
      (name !== call.name || (argumentsText !== '' && call.argumentsExtent.isWhole));
    return isNamedAnew ? -1 : last;
  }
}

export function usagePieces(json: Json): ChatPiece[] {
  const usage = readUsage(json['usage']);
  return usage === null ? [] : [{ type: 'usage', ...usage }];
}
