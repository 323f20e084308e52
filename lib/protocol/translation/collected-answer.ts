import type { TokenUsage } from '../chat/token-usage';
import { ChatAnswerFault, type ChatPiece } from './chat-piece';

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
  usage: TokenUsage | null = null;
  readonly #calls = new Map<number, CalledTool>();

  /**
   * @param seed of the ids of calls that come without one
   * @param callsMax calls that are taken; an answer that is bounded already needs no bound here
   */
  constructor(
    private readonly seed = '',
    private readonly callsMax = CALLS_MAX,
  ) {}

  /** In the order in which they were begun. */
  get toolCalls(): readonly CalledTool[] {
    return [...this.#calls].map(([index, call]) =>
      call.id === '' ? { ...call, id: `call_${this.seed}${index}` } : call,
    );
  }

  /** A call that has been begun; null before its id and its name are there. */
  beganCall(index: number): CalledTool | null {
    const call = this.#calls.get(index);
    return call === undefined || call.id === '' || call.name === '' ? null : call;
  }

  /** @throws {ChatAnswerFault} for more calls of tools than any model makes at once */
  add(piece: ChatPiece): void {
    if (piece.type === 'text' || piece.type === 'refusal') this.text += piece.text;
    else if (piece.type === 'reasoning') this.reasoning += piece.text;
    else if (piece.type === 'finish') this.finishReason = piece.reason;
    else if (piece.type === 'usage') {
      const { type: _type, ...usage } = piece;
      this.usage = usage;
    } else this.#addCall(piece);
  }

  #addCall({ index, id, name, argumentsText }: Extract<ChatPiece, { type: 'tool-call' }>): void {
    if (!this.#calls.has(index) && this.#calls.size >= this.callsMax)
      throw new ChatAnswerFault('ANSWER_MALFORMED', `The answer calls more than ${this.callsMax} tools.`);
    const call = this.#calls.get(index) ?? { id: '', name: '', argumentsText: '' };
    this.#calls.set(index, {
      id: call.id || (id ?? ''),
      name: call.name || (name ?? ''),
      argumentsText: call.argumentsText + argumentsText,
    });
  }
}

/** All pieces of an answer together. */
export async function collectPieces(pieces: AsyncIterable<ChatPiece>): Promise<CollectedAnswer> {
  const answer = new CollectedAnswer();
  for await (const piece of pieces) answer.add(piece);
  return answer;
}
