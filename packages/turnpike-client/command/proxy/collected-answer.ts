import { TurnpikeError } from '../../src/turnpike-error';
import type { ChatPiece } from '../chat-pieces';

/** OpenAI's API takes as many tools in a request. */
const CALLS_MAX = 128;

/** A call of a tool that a model asks for. */
export interface CalledTool {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  argumentsText: string;
}

/** What has come of an answer. */
export class CollectedAnswer {
  text = '';
  reasoning = '';
  finishReason: string | null = null;
  usage: { promptTokens: number; completionTokens: number } | null = null;
  readonly #calls = new Map<number, CalledTool>();

  /** In the order in which they were begun. */
  get toolCalls(): readonly CalledTool[] {
    return [...this.#calls.values()];
  }

  /** @throws {TurnpikeError} ANSWER_MALFORMED for more calls of tools than any model makes at once */
  add(piece: ChatPiece): void {
    if (piece.type === 'text' || piece.type === 'refusal') this.text += piece.text;
    else if (piece.type === 'reasoning') this.reasoning += piece.text;
    else if (piece.type === 'finish') this.finishReason = piece.reason;
    else if (piece.type === 'usage') this.usage = { promptTokens: piece.promptTokens, completionTokens: piece.completionTokens };
    else this.#addCall(piece);
  }

  #addCall({ index, id, name, argumentsText }: Extract<ChatPiece, { type: 'tool-call' }>): void {
    if (!this.#calls.has(index) && this.#calls.size >= CALLS_MAX) throw new TurnpikeError('ANSWER_MALFORMED', { message: `The answer calls more than ${CALLS_MAX} tools.` });
    const call = this.#calls.get(index) ?? { id: '', name: '', argumentsText: '' };
    this.#calls.set(index, { id: call.id || (id ?? ''), name: call.name || (name ?? ''), argumentsText: call.argumentsText + argumentsText });
  }
}

/** All pieces of an answer together. */
export async function collectPieces(pieces: AsyncIterable<ChatPiece>): Promise<CollectedAnswer> {
  const answer = new CollectedAnswer();
  for await (const piece of pieces) answer.add(piece);
  return answer;
}
