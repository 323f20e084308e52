import { customInput, type OfferedTool, offeredTools } from './additional-tools';
import {
  type AnswerEvents,
  type AnswerFailure,
  type AnswerHead,
  leftOutNote,
  type NamedEvent,
} from './answer-translation';
import type { ChatPiece } from './chat-piece';
import { record } from './chat-turns';
import { type CalledTool, CollectedAnswer } from './collected-answer';

/** The Responses API's reason for an incomplete answer, by the chat's finish reason. */
const INCOMPLETE: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' };

type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

function responseObject(
  { id, createdAtSeconds, request, chat, leftOut }: AnswerHead,
  status: Status,
  output: readonly object[],
  answer: CollectedAnswer | null,
): object {
  const reason = answer === null ? undefined : INCOMPLETE[answer.finishReason ?? ''];
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAtSeconds,
    status,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    metadata: { ...record(request['metadata']), ...leftOutNote(leftOut) },
    model: chat.model,
    output,
    parallel_tool_calls: chat['parallel_tool_calls'] ?? true,
    temperature: chat['temperature'] ?? null,
    tool_choice: chat['tool_choice'] ?? 'auto',
    tools: [],
    top_p: chat['top_p'] ?? null,
    max_output_tokens: chat['max_tokens'] ?? null,
    previous_response_id: null,
    store: false,
    usage: usageObject(answer),
  };
}

function usageObject(answer: CollectedAnswer | null): object | null {
  if (!answer?.usage) return null;
  const { promptTokens, completionTokens, cachedTokens = 0, reasoningTokens = 0 } = answer.usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

const statusOf = (answer: CollectedAnswer): Status =>
  Object.hasOwn(INCOMPLETE, answer.finishReason ?? '') ? 'incomplete' : 'completed';
const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const summaryPart = (text: string): object => ({ type: 'summary_text', text });
const messageItem = (id: string, status: string, content: readonly object[]): object => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  status,
  content,
});
const reasoningItem = (id: string, summary: readonly object[]): object => ({
  id: `rs_${id}`,
  type: 'reasoning',
  summary,
});

/** Tools by their names in the chat. */
type OfferedTools = ReadonlyMap<string, OfferedTool>;
const offeredToolsOf = ({ request }: AnswerHead): OfferedTools =>
  new Map(offeredTools(request).map((tool) => [tool.function.name, tool]));

function callItem(id: string, at: number, status: string, call: CalledTool, tools: OfferedTools): object {
  const tool = tools.get(call.name);
  const named = {
    status,
    call_id: call.id,
    name: tool?.name ?? call.name,
    ...(tool?.namespace != null && { namespace: tool.namespace }),
  };
  if (tool?.isCustom)
    return { id: `ctc_${id}${at}`, type: 'custom_tool_call', ...named, input: customInput(call.argumentsText) };
  return { id: `fc_${id}${at}`, type: 'function_call', ...named, arguments: call.argumentsText };
}

export function responsesAnswer(head: AnswerHead, answer: CollectedAnswer): object {
  const { id } = head;
  const thoughts = answer.reasoning === '' ? [] : [reasoningItem(id, [summaryPart(answer.reasoning)])];
  const message =
    answer.text === '' && answer.toolCalls.length > 0 ? [] : [messageItem(id, 'completed', [textPart(answer.text)])];
  const tools = offeredToolsOf(head);
  const calls = answer.toolCalls.map((call, at) => callItem(id, at, 'completed', call, tools));
  return responseObject(head, statusOf(answer), [...thoughts, ...message, ...calls], answer);
}

/** Streams an answer as events of the Responses API. Items are reported as done only at the answer's end. */
export class ResponsesEvents implements AnswerEvents {
  readonly #answer: CollectedAnswer;
  readonly #tools: OfferedTools;
  #sequence = 0;
  #items = 0;
  /** Output index of the reasoning item; negative before the item begins. */
  #reasoningAt = -1;
  #messageAt = -1;
  /** Tool calls by the `index` of their fragments, in order of arrival. */
  readonly #calls = new Map<number, { at: number; outputAt: number | null; waitingArguments: string }>();

  constructor(
    private readonly head: AnswerHead,
    callsMax?: number,
  ) {
    this.#answer = new CollectedAnswer(head.id, callsMax);
    this.#tools = offeredToolsOf(head);
  }

  begin(): NamedEvent[] {
    const response = responseObject(this.head, 'in_progress', [], null);
    return [this.#event('response.created', { response }), this.#event('response.in_progress', { response })];
  }

  push(piece: ChatPiece): NamedEvent[] {
    this.#answer.add(piece);
    if (piece.type === 'text' || piece.type === 'refusal') return this.#text(piece.text);
    if (piece.type === 'reasoning') return this.#thought(piece.text);
    return piece.type === 'tool-call' ? this.#call(piece.index, piece.argumentsText) : [];
  }

  end(): NamedEvent[] {
    const output: object[] = [];
    const events = [...this.#endThought(output), ...this.#endText(output), ...this.#endCalls(output)];
    const status = statusOf(this.#answer);
    return [
      ...events,
      this.#event(status === 'incomplete' ? 'response.incomplete' : 'response.completed', {
        response: responseObject(this.head, status, output, this.#answer),
      }),
    ];
  }

  fail({ message, code }: AnswerFailure): NamedEvent[] {
    const error = { type: 'server_error', code: code ?? 'server_error', message, param: null };
    // Sends two events, because clients differ. OpenAI's client treats response.failed as a complete answer and throws
    // only for an error event. OpenAI's Agents SDK sees the error event only if it comes first. Unless the code is
    // `invalid_prompt`, Codex retries at its user's expense.
    return [
      this.#event('error', { ...error, type: 'error', error }),
      this.#event('response.failed', {
        response: { ...responseObject(this.head, 'failed', [], null), error: { code: 'invalid_prompt', message } },
      }),
    ];
  }

  #event(type: string, fields: object): NamedEvent {
    return { event: type, data: { type, sequence_number: this.#sequence++, ...fields } };
  }

  #added(outputAt: number, item: object): NamedEvent {
    return this.#event('response.output_item.added', { output_index: outputAt, item });
  }

  #done(outputAt: number, item: object): NamedEvent {
    return this.#event('response.output_item.done', { output_index: outputAt, item });
  }

  #thought(delta: string): NamedEvent[] {
    const begins: NamedEvent[] = [];
    if (this.#reasoningAt < 0) {
      this.#reasoningAt = this.#items++;
      begins.push(
        this.#added(this.#reasoningAt, reasoningItem(this.head.id, [])),
        this.#event('response.reasoning_summary_part.added', { ...this.#thoughtPlace, part: summaryPart('') }),
      );
    }
    return [...begins, this.#event('response.reasoning_summary_text.delta', { ...this.#thoughtPlace, delta })];
  }

  #endThought(output: object[]): NamedEvent[] {
    if (this.#reasoningAt < 0) return [];
    const part = summaryPart(this.#answer.reasoning);
    const item = reasoningItem(this.head.id, [part]);
    output[this.#reasoningAt] = item;
    return [
      this.#event('response.reasoning_summary_text.done', { ...this.#thoughtPlace, text: this.#answer.reasoning }),
      this.#event('response.reasoning_summary_part.done', { ...this.#thoughtPlace, part }),
      this.#done(this.#reasoningAt, item),
    ];
  }

  get #thoughtPlace(): object {
    return { item_id: `rs_${this.head.id}`, output_index: this.#reasoningAt, summary_index: 0 };
  }

  #text(delta: string): NamedEvent[] {
    const begins: NamedEvent[] = [];
    if (this.#messageAt < 0) {
      this.#messageAt = this.#items++;
      begins.push(
        this.#added(this.#messageAt, messageItem(this.head.id, 'in_progress', [])),
        this.#event('response.content_part.added', { ...this.#textPlace, part: textPart('') }),
      );
    }
    return [...begins, this.#event('response.output_text.delta', { ...this.#textPlace, delta, logprobs: [] })];
  }

  #endText(output: object[]): NamedEvent[] {
    if (this.#messageAt < 0) return [];
    const { text } = this.#answer;
    const part = textPart(text);
    const item = messageItem(this.head.id, 'completed', [part]);
    output[this.#messageAt] = item;
    return [
      this.#event('response.output_text.done', { ...this.#textPlace, text, logprobs: [] }),
      this.#event('response.content_part.done', { ...this.#textPlace, part }),
      this.#done(this.#messageAt, item),
    ];
  }

  get #textPlace(): object {
    return { item_id: `msg_${this.head.id}`, output_index: this.#messageAt, content_index: 0 };
  }

  /** A tool call begins once its id and name are known. */
  #call(index: number, argumentsText: string): NamedEvent[] {
    const call = this.#calls.get(index) ?? { at: this.#calls.size, outputAt: null, waitingArguments: '' };
    this.#calls.set(index, call);
    call.waitingArguments += argumentsText;
    const begun = this.#answer.beganCall(index);
    if (begun === null) return [];
    const begins: NamedEvent[] = [];
    if (call.outputAt === null) {
      call.outputAt = this.#items++;
      begins.push(
        this.#added(
          call.outputAt,
          callItem(this.head.id, call.at, 'in_progress', { ...begun, argumentsText: '' }, this.#tools),
        ),
      );
    }
    // The text for a custom tool is known only when the arguments are complete.
    if (this.#tools.get(begun.name)?.isCustom) return begins;
    const delta = call.waitingArguments;
    call.waitingArguments = '';
    return delta === ''
      ? begins
      : [
          ...begins,
          this.#event('response.function_call_arguments.delta', {
            item_id: `fc_${this.head.id}${call.at}`,
            output_index: call.outputAt,
            delta,
          }),
        ];
  }

  #endCalls(output: object[]): NamedEvent[] {
    return [...this.#calls.values()].flatMap(({ at, outputAt, waitingArguments }) => {
      const call = this.#answer.toolCalls[at] ?? { id: '', name: '', argumentsText: '' };
      const item = callItem(this.head.id, at, 'completed', call, this.#tools);
      const tool = this.#tools.get(call.name);
      const [place, itemId] = [outputAt ?? this.#items++, `fc_${this.head.id}${at}`];
      output[place] = item;
      const begins =
        outputAt === null
          ? [this.#added(place, callItem(this.head.id, at, 'in_progress', { ...call, argumentsText: '' }, this.#tools))]
          : [];
      if (tool?.isCustom)
        return [
          ...begins,
          ...this.#customInput(
            { item_id: `ctc_${this.head.id}${at}`, output_index: place },
            customInput(call.argumentsText),
          ),
          this.#done(place, item),
        ];
      const late =
        waitingArguments === ''
          ? []
          : [
              this.#event('response.function_call_arguments.delta', {
                item_id: itemId,
                output_index: place,
                delta: waitingArguments,
              }),
            ];
      return [
        ...begins,
        ...late,
        this.#event('response.function_call_arguments.done', {
          item_id: itemId,
          output_index: place,
          name: tool?.name ?? call.name,
          arguments: call.argumentsText,
        }),
        this.#done(place, item),
      ];
    });
  }

  #customInput(place: object, input: string): NamedEvent[] {
    return [
      this.#event('response.custom_tool_call_input.delta', { ...place, delta: input }),
      this.#event('response.custom_tool_call_input.done', { ...place, input }),
    ];
  }
}
