import { randomBytes } from 'node:crypto';
import type { ChatPiece } from '../chat-pieces';
import { type ChatRequestBody, type ChatTurn, record, renamed, textField, textOfContent, type ToolCall, Untranslatable } from './chat-request';
import { CollectedAnswer, collectPieces } from './collected-answer';
import type { NamedEvent } from './event-text';

/** What would need something kept on a server, or run there. */
const STATEFUL: readonly string[] = ['previous_response_id', 'conversation', 'background', 'prompt'];
const SAME = { temperature: 'temperature', top_p: 'top_p', max_output_tokens: 'max_tokens', parallel_tool_calls: 'parallel_tool_calls' } as const;
const TEXT_PARTS: readonly string[] = ['input_text', 'output_text', 'text'];
const ROLES: Readonly<Record<string, ChatTurn['role']>> = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' };

/**
 * A request of OpenAI's Responses API (POST /v1/responses) as a chat: text, tools that are functions, JSON schemas,
 * and nothing that a server would have to remember.
 * @throws {Untranslatable}
 */
export function chatOfResponsesRequest(value: unknown): ChatRequestBody {
  const body = record(value);
  for (const field of STATEFUL) if (body[field] != null && body[field] !== false) throw new Untranslatable(`${field} needs what a server keeps, and nothing is kept here. Send the whole conversation as input.`, field);
  const turns = turnsOf(body['input']);
  const { instructions } = body;
  const messages: ChatTurn[] = typeof instructions === 'string' && instructions !== '' ? [{ role: 'system', content: instructions }, ...turns] : turns;
  const effort = record(body['reasoning'])['effort'];
  return {
    model: textField(body['model'], 'model'),
    messages,
    stream: body['stream'] === true,
    ...(body['stream'] === true && { stream_options: { include_usage: true } }),
    ...renamed(body, SAME),
    ...(typeof effort === 'string' && { reasoning_effort: effort }),
    ...formatOf(body['text']),
    ...toolsOf(body),
  };
}

function turnsOf(input: unknown): ChatTurn[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) throw new Untranslatable('input must be a text or a list of items.', 'input');
  const turns: ChatTurn[] = [];
  for (const [index, item] of input.entries()) addItem(turns, record(item), `input[${index}]`);
  return turns;
}

function addItem(turns: ChatTurn[], item: Record<string, unknown>, param: string): void {
  switch (item['type'] ?? 'message') {
    case 'message': {
      const role = ROLES[String(item['role'])];
      if (role === undefined) throw new Untranslatable(`${param}.role is ${JSON.stringify(item['role'])}; it is user, assistant, system or developer.`, `${param}.role`);
      turns.push({ role, content: textOfContent(item['content'], TEXT_PARTS, `${param}.content`) });
      return;
    }
    case 'function_call': {
      const call: ToolCall = { id: textField(item['call_id'], `${param}.call_id`), type: 'function', function: { name: textField(item['name'], `${param}.name`), arguments: typeof item['arguments'] === 'string' ? item['arguments'] : '{}' } };
      const last = turns.at(-1);
      // Calls that were made at once stand in one turn.
      if (last?.role === 'assistant') turns[turns.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] };
      else turns.push({ role: 'assistant', content: null, tool_calls: [call] });
      return;
    }
    case 'function_call_output':
      turns.push({ role: 'tool', tool_call_id: textField(item['call_id'], `${param}.call_id`), content: textOfContent(item['output'], TEXT_PARTS, `${param}.output`) });
      return;
    case 'reasoning':
      // What a model thought before is its own.
      return;
    default:
      throw new Untranslatable(`${param} is of the type ${JSON.stringify(item['type'])}, which is not offered here.`, param);
  }
}

function formatOf(text: unknown): object {
  const format = record(record(text)['format']);
  if (format['type'] === undefined || format['type'] === 'text') return {};
  if (format['type'] === 'json_object') return { response_format: { type: 'json_object' } };
  if (format['type'] !== 'json_schema') throw new Untranslatable(`text.format is of the type ${JSON.stringify(format['type'])}.`, 'text.format');
  return { response_format: { type: 'json_schema', json_schema: { name: format['name'] ?? 'reply', schema: format['schema'], strict: format['strict'] ?? true } } };
}

function toolsOf({ tools, tool_choice: choice }: Record<string, unknown>): object {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const translated = tools.map((tool, index) => {
    const { type, name, description, parameters, strict } = record(tool);
    if (type !== 'function') throw new Untranslatable(`tools[${index}] is of the type ${JSON.stringify(type)}: only functions, which run on the caller's side, are offered here.`, `tools[${index}]`);
    return { type: 'function', function: { name: textField(name, `tools[${index}].name`), ...(typeof description === 'string' && { description }), ...(parameters != null && { parameters }), ...(typeof strict === 'boolean' && { strict }) } };
  });
  const named = record(choice);
  const chosen = typeof choice === 'string' ? choice : named['type'] === 'function' ? { type: 'function', function: { name: named['name'] } } : undefined;
  return { tools: translated, ...(chosen !== undefined && { tool_choice: chosen }) };
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(16).toString('hex')}`;

/** A whole answer in the form of the Responses API. */
export async function responsesAnswer(chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>): Promise<object> {
  const answer = await collectPieces(pieces);
  return responseObject({ id: newId('resp'), createdAt: nowSeconds(), chat }, outputOf(answer, newId('msg')), answer);
}

interface ResponseHead {
  id: string;
  createdAt: number;
  chat: ChatRequestBody;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function responseObject({ id, createdAt, chat }: ResponseHead, output: readonly object[], answer: CollectedAnswer | null): object {
  const isCut = answer?.finishReason === 'length';
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: answer === null ? 'in_progress' : isCut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
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
    usage: answer?.usage
      ? { input_tokens: answer.usage.promptTokens, input_tokens_details: { cached_tokens: 0 }, output_tokens: answer.usage.completionTokens, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: answer.usage.promptTokens + answer.usage.completionTokens }
      : null,
  };
}

const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const messageItem = (id: string, status: string, content: readonly object[]): object => ({ id, type: 'message', role: 'assistant', status, content });
const callItem = (id: string, status: string, call: { id: string; name: string; argumentsText: string }): object => ({ id, type: 'function_call', status, call_id: call.id, name: call.name, arguments: call.argumentsText });

function outputOf(answer: CollectedAnswer, messageId: string): object[] {
  const message = answer.text === '' && answer.toolCalls.length > 0 ? [] : [messageItem(messageId, 'completed', [textPart(answer.text)])];
  return [...message, ...answer.toolCalls.map((call) => callItem(newId('fc'), 'completed', call))];
}

/** The same as it comes, in the events of the Responses API. @throws what the pieces throw */
export async function* responsesEvents(chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>): AsyncGenerator<NamedEvent, void, undefined> {
  const head: ResponseHead = { id: newId('resp'), createdAt: nowSeconds(), chat };
  let sequence = 0;
  const event = (type: string, fields: object): NamedEvent => ({ event: type, data: { type, sequence_number: sequence++, ...fields } });
  yield event('response.created', { response: responseObject(head, [], null) });
  yield event('response.in_progress', { response: responseObject(head, [], null) });
  const message = { id: newId('msg'), index: -1 };
  const calls = new Map<number, { id: string; index: number }>();
  let items = 0;
  const answer = new CollectedAnswer();
  for await (const piece of pieces) {
    answer.add(piece);
    if (piece.type === 'text' || piece.type === 'refusal') {
      if (message.index < 0) {
        message.index = items++;
        yield event('response.output_item.added', { output_index: message.index, item: messageItem(message.id, 'in_progress', []) });
        yield event('response.content_part.added', { item_id: message.id, output_index: message.index, content_index: 0, part: textPart('') });
      }
      yield event('response.output_text.delta', { item_id: message.id, output_index: message.index, content_index: 0, delta: piece.text, logprobs: [] });
    } else if (piece.type === 'tool-call') {
      let call = calls.get(piece.index);
      if (call === undefined) {
        call = { id: newId('fc'), index: items++ };
        calls.set(piece.index, call);
        yield event('response.output_item.added', { output_index: call.index, item: callItem(call.id, 'in_progress', { id: piece.id ?? '', name: piece.name ?? '', argumentsText: '' }) });
      }
      if (piece.argumentsText !== '') yield event('response.function_call_arguments.delta', { item_id: call.id, output_index: call.index, delta: piece.argumentsText });
    }
  }
  const output: object[] = [];
  if (message.index >= 0) {
    const part = textPart(answer.text);
    const item = messageItem(message.id, 'completed', [part]);
    output[message.index] = item;
    yield event('response.output_text.done', { item_id: message.id, output_index: message.index, content_index: 0, text: answer.text, logprobs: [] });
    yield event('response.content_part.done', { item_id: message.id, output_index: message.index, content_index: 0, part });
    yield event('response.output_item.done', { output_index: message.index, item });
  }
  for (const [at, { id, index }] of [...calls.values()].entries()) {
    const call = answer.toolCalls[at] ?? { id: '', name: '', argumentsText: '' };
    const item = callItem(id, 'completed', call);
    output[index] = item;
    yield event('response.function_call_arguments.done', { item_id: id, output_index: index, name: call.name, arguments: call.argumentsText });
    yield event('response.output_item.done', { output_index: index, item });
  }
  const isCut = answer.finishReason === 'length';
  yield event(isCut ? 'response.incomplete' : 'response.completed', { response: responseObject(head, output, answer) });
}
