import type { TokenUsage } from '../chat/token-usage';
import {
  type AnswerEvents,
  type AnswerFailure,
  type AnswerHead,
  leftOutNote,
  type NamedEvent,
} from './answer-translation';
import { errorTypeOf } from './error-forms';
import type { ChatPiece } from './chat-piece';
import { record } from './chat-turns';
import { CollectedAnswer } from './collected-answer';

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};
const FAILURE_STATUS = 500;

/** A tool call that was cut off at the token limit must not run. */
const stopReasonOf = ({ finishReason, toolCalls }: CollectedAnswer): string =>
  toolCalls.length > 0 && finishReason !== 'length' ? 'tool_use' : (STOP_REASONS[finishReason ?? 'stop'] ?? 'end_turn');

function usageObject(usage: TokenUsage | null): object {
  const { promptTokens = 0, completionTokens = 0, cachedTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  const cache = {
    ...(cachedTokens > 0 && { cache_read_input_tokens: cachedTokens }),
    ...(cacheWriteTokens > 0 && { cache_creation_input_tokens: cacheWriteTokens }),
  };
  return { input_tokens: promptTokens - cachedTokens - cacheWriteTokens, ...cache, output_tokens: completionTokens };
}

function messageObject(
  { id, chat, leftOut }: AnswerHead,
  content: readonly object[],
  stopReason: string | null,
  usage: TokenUsage | null,
): object {
  const note = leftOutNote(leftOut);
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: chat.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: usageObject(usage),
    ...(note.left_out !== undefined && { metadata: note }),
  };
}

function showsThoughts({ request }: AnswerHead): boolean {
  const { type } = record(request['thinking']);
  return type === 'enabled' || type === 'adaptive';
}

export function messagesAnswer(head: AnswerHead, answer: CollectedAnswer): object {
  const thoughts =
    answer.reasoning !== '' && showsThoughts(head)
      ? [{ type: 'thinking', thinking: answer.reasoning, signature: '' }]
      : [];
  const calls = answer.toolCalls.map(({ id, name, argumentsText }) => ({
    type: 'tool_use',
    id,
    name,
    input: inputOf(argumentsText),
  }));
  const content = answer.text === '' && calls.length > 0 ? calls : [{ type: 'text', text: answer.text }, ...calls];
  return messageObject(head, [...thoughts, ...content], stopReasonOf(answer), answer.usage);
}

function inputOf(argumentsText: string): unknown {
  try {
    return argumentsText === '' ? {} : JSON.parse(argumentsText);
  } catch {
    return { arguments: argumentsText };
  }
}

/**
 * Streams an answer as events of the Messages API. Clients run a tool as soon as its block is closed
 * (`content_block_stop`). The client's proxy checks an answer's signature at the end, so tool blocks close only then.
 * Streams everything through the first tool call; sends the rest at the end.
 */
export class MessagesEvents implements AnswerEvents {
  readonly #answer: CollectedAnswer;
  readonly #showsThoughts: boolean;
  #index = -1;
  /** Type of the open block, or index of the open tool call. */
  #open: 'text' | 'thinking' | number | null = null;
  #laterText = '';
  /** Index of the first tool call while its id or name is missing. */
  #waiting: number | null = null;
  #waitingArguments = '';

  constructor(
    private readonly head: AnswerHead,
    callsMax?: number,
  ) {
    this.#answer = new CollectedAnswer(head.id, callsMax);
    this.#showsThoughts = showsThoughts(head);
  }

  begin(): NamedEvent[] {
    return [event('message_start', { message: messageObject(this.head, [], null, null) })];
  }

  push(piece: ChatPiece): NamedEvent[] {
    this.#answer.add(piece);
    if (piece.type === 'text' || piece.type === 'refusal') return this.#text(piece.text);
    if (piece.type === 'tool-call') return this.#call(piece.index, piece.argumentsText);
    if (piece.type !== 'reasoning' || !this.#showsThoughts || this.#hasCall || this.#open === 'text') return [];
    const begins =
      this.#open === null ? this.#starts('thinking', { type: 'thinking', thinking: '', signature: '' }) : [];
    return [...begins, this.#delta({ type: 'thinking_delta', thinking: piece.text })];
  }

  end(): NamedEvent[] {
    const events: NamedEvent[] = [];
    const calls = this.#answer.toolCalls;
    const streamed = typeof this.#open === 'number' ? 1 : 0;
    events.push(...this.#stops());
    if (this.#laterText !== '')
      events.push(
        ...this.#starts('text', { type: 'text', text: '' }),
        this.#delta({ type: 'text_delta', text: this.#laterText }),
        ...this.#stops(),
      );
    for (const { id, name, argumentsText } of calls.slice(streamed)) {
      events.push(...this.#starts(0, { type: 'tool_use', id, name, input: {} }));
      if (argumentsText !== '') events.push(this.#delta({ type: 'input_json_delta', partial_json: argumentsText }));
      events.push(...this.#stops());
    }
    return [
      ...events,
      event('message_delta', {
        delta: { stop_reason: stopReasonOf(this.#answer), stop_sequence: null },
        usage: usageObject(this.#answer.usage),
      }),
      event('message_stop', {}),
    ];
  }

  fail({ message, code }: AnswerFailure): NamedEvent[] {
    return [event('error', { error: { type: errorTypeOf(FAILURE_STATUS), message, ...(code !== null && { code }) } })];
  }

  get #hasCall(): boolean {
    return typeof this.#open === 'number' || this.#waiting !== null;
  }

  #text(text: string): NamedEvent[] {
    if (this.#hasCall) {
      this.#laterText += text;
      return [];
    }
    const begins = this.#open === 'text' ? [] : [...this.#stops(), ...this.#starts('text', { type: 'text', text: '' })];
    return [...begins, this.#delta({ type: 'text_delta', text })];
  }

  #call(index: number, argumentsText: string): NamedEvent[] {
    if (this.#open === index)
      return argumentsText === '' ? [] : [this.#delta({ type: 'input_json_delta', partial_json: argumentsText })];
    if (typeof this.#open === 'number' || (this.#waiting !== null && this.#waiting !== index)) return [];
    this.#waiting = index;
    this.#waitingArguments += argumentsText;
    const call = this.#answer.beganCall(index);
    if (call === null) return [];
    this.#waiting = null;
    const begins = [
      ...this.#stops(),
      ...this.#starts(index, { type: 'tool_use', id: call.id, name: call.name, input: {} }),
    ];
    return this.#waitingArguments === ''
      ? begins
      : [...begins, this.#delta({ type: 'input_json_delta', partial_json: this.#waitingArguments })];
  }

  #starts(open: 'text' | 'thinking' | number, block: object): NamedEvent[] {
    this.#open = open;
    return [event('content_block_start', { index: ++this.#index, content_block: block })];
  }

  #delta(delta: object): NamedEvent {
    return event('content_block_delta', { index: this.#index, delta });
  }

  #stops(): NamedEvent[] {
    if (this.#open === null) return [];
    this.#open = null;
    return [event('content_block_stop', { index: this.#index })];
  }
}

function event(type: string, fields: object): NamedEvent {
  return { event: type, data: { type, ...fields } };
}
