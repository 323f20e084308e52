import type { TokenUsage } from '../chat/token-usage';
import { ChatAnswerFault, type ChatPiece } from './chat-piece';

/** Maximum number of tool calls in an answer, equal to OpenAI's limit of tools per request. */
const CALLS_MAX = 128;

export interface CalledTool {
  id: string;
  name: string;
  /** JSON text from the model. */
  argumentsText: string;
}

export class CollectedAnswer {
  text = '';
  reasoning = '';
  finishReason: string | null = null;
  usage: TokenUsage | null = null;
  readonly #calls = new Map<number, CalledTool>();

  /** @param seed prefix of the ids made for calls without an id */
  constructor(
    private readonly seed = '',
    private readonly callsMax = CALLS_MAX,
  ) {}

  /** Returns the tool calls in the order in which they began. */
  get toolCalls(): readonly CalledTool[] {
    return [...this.#calls].map(([index, call]) =>
      call.id === '' ? { ...call, id: `call_${this.seed}${index}` } : call,
    );
  }

  /** Returns a tool call if its id and name are known, else null. */
  beganCall(index: number): CalledTool | null {
    const call = this.#calls.get(index);
    return call === undefined || call.id === '' || call.name === '' ? null : call;
  }

  /** @throws {ChatAnswerFault} for too many tool calls */
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

export async function collectPieces(pieces: AsyncIterable<ChatPiece>): Promise<CollectedAnswer> {
  const answer = new CollectedAnswer();
  for await (const piece of pieces) answer.add(piece);
  return answer;
}
