import { randomBytes } from 'node:crypto';
import type { ChatPiece } from '../chat-pieces';
import { type ChatRequestBody, type ChatTurn, record, renamed, textField, textOfContent, type ToolCall, Untranslatable } from './chat-request';
import { CollectedAnswer, collectPieces } from './collected-answer';
import type { NamedEvent } from './event-text';

const SAME = { max_tokens: 'max_tokens', temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', stop_sequences: 'stop' } as const;
const TEXT_PARTS: readonly string[] = ['text'];
/** What a model thought before is its own. */
const THOUGHTS: readonly unknown[] = ['thinking', 'redacted_thinking'];
const STOP_REASONS: Readonly<Record<string, string>> = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', function_call: 'tool_use', content_filter: 'refusal' };

/**
 * A request of Anthropic's Messages API (POST /v1/messages) as a chat: text, tools that run on the caller's side, and
 * JSON schemas.
 * @throws {Untranslatable}
 */
export function chatOfMessagesRequest(value: unknown): ChatRequestBody {
  const body = record(value);
  const { system, messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) throw new Untranslatable('messages must be a list of at least one message.', 'messages');
  const turns = messages.flatMap((message, index) => turnsOf(record(message), `messages[${index}]`));
  const instructions = system === undefined || system === null ? '' : textOfContent(system, TEXT_PARTS, 'system');
  return {
    model: textField(body['model'], 'model'),
    messages: instructions === '' ? turns : [{ role: 'system', content: instructions }, ...turns],
    stream: body['stream'] === true,
    ...(body['stream'] === true && { stream_options: { include_usage: true } }),
    ...renamed(body, SAME),
    ...formatOf(body),
    ...toolsOf(body),
  };
}

function turnsOf({ role, content }: Record<string, unknown>, param: string): ChatTurn[] {
  if (role !== 'user' && role !== 'assistant') throw new Untranslatable(`${param}.role is ${JSON.stringify(role)}; it is user or assistant.`, `${param}.role`);
  if (typeof content === 'string') return [{ role, content }];
  if (!Array.isArray(content)) throw new Untranslatable(`${param}.content must be a text or a list of blocks.`, `${param}.content`);
  const texts: string[] = [];
  const calls: ToolCall[] = [];
  const results: ChatTurn[] = [];
  for (const [index, value] of content.entries()) {
    const [block, at] = [record(value), `${param}.content[${index}]`];
    if (block['type'] === 'text') texts.push(textField(block['text'] === '' ? ' ' : block['text'], `${at}.text`));
    else if (block['type'] === 'tool_use' && role === 'assistant') calls.push({ id: textField(block['id'], `${at}.id`), type: 'function', function: { name: textField(block['name'], `${at}.name`), arguments: JSON.stringify(block['input'] ?? {}) } });
    else if (block['type'] === 'tool_result' && role === 'user') results.push({ role: 'tool', tool_call_id: textField(block['tool_use_id'], `${at}.tool_use_id`), content: resultOf(block, at) });
    else if (!THOUGHTS.includes(block['type'])) throw new Untranslatable(`${at} is of the type ${JSON.stringify(block['type'])}, which cannot be sent as text.`, at);
  }
  const own: ChatTurn[] = texts.length === 0 && calls.length === 0 ? [] : [{ role, content: texts.length === 0 ? null : texts.join('\n'), ...(calls.length > 0 && { tool_calls: calls }) }];
  // Results answer the turn before, whatever is asked after them.
  return [...results, ...own];
}

function resultOf({ content, is_error: isError }: Record<string, unknown>, param: string): string {
  const text = content === undefined || content === null ? '' : textOfContent(content, TEXT_PARTS, `${param}.content`);
  return isError === true ? `Error: ${text}` : text;
}

function formatOf(body: Record<string, unknown>): object {
  const format = record(record(body['output_config'])['format'] ?? body['output_format']);
  if (format['type'] === undefined) return {};
  if (format['type'] !== 'json_schema') throw new Untranslatable(`The format of the output is of the type ${JSON.stringify(format['type'])}.`, 'output_config.format');
  return { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: format['schema'], strict: true } } };
}

function toolsOf({ tools, tool_choice: choice }: Record<string, unknown>): object {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const translated = tools.map((tool, index) => {
    const { type, name, description, input_schema: parameters } = record(tool);
    if (type !== undefined && type !== null && type !== 'custom') throw new Untranslatable(`tools[${index}] is of the type ${JSON.stringify(type)}: only tools that run on the caller's side are offered here.`, `tools[${index}]`);
    return { type: 'function', function: { name: textField(name, `tools[${index}].name`), ...(typeof description === 'string' && { description }), ...(parameters != null && { parameters }) } };
  });
  const { type, name, disable_parallel_tool_use: isAlone } = record(choice);
  const chosen = type === 'any' ? 'required' : type === 'auto' || type === 'none' ? type : type === 'tool' ? { type: 'function', function: { name } } : undefined;
  return { tools: translated, ...(chosen !== undefined && { tool_choice: chosen }), ...(isAlone === true && { parallel_tool_calls: false }) };
}

const newId = (): string => `msg_${randomBytes(12).toString('hex')}`;

interface MessageHead {
  id: string;
  model: string;
}

function messageObject({ id, model }: MessageHead, content: readonly object[], stopReason: string | null, usage: CollectedAnswer['usage']): object {
  return { id, type: 'message', role: 'assistant', model, content, stop_reason: stopReason, stop_sequence: null, usage: { input_tokens: usage?.promptTokens ?? 0, output_tokens: usage?.completionTokens ?? 0 } };
}

const stopReasonOf = ({ finishReason, toolCalls }: CollectedAnswer): string => (toolCalls.length > 0 ? 'tool_use' : (STOP_REASONS[finishReason ?? 'stop'] ?? 'end_turn'));

/** A whole answer in the form of the Messages API. */
export async function messagesAnswer(chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>): Promise<object> {
  const answer = await collectPieces(pieces);
  const calls = answer.toolCalls.map(({ id, name, argumentsText }) => ({ type: 'tool_use', id, name, input: inputOf(argumentsText) }));
  const content = answer.text === '' && calls.length > 0 ? calls : [{ type: 'text', text: answer.text }, ...calls];
  return messageObject({ id: newId(), model: chat.model }, content, stopReasonOf(answer), answer.usage);
}

/** The arguments of a call; a model that wrote no JSON has its text seen all the same. */
function inputOf(argumentsText: string): unknown {
  try {
    return argumentsText === '' ? {} : JSON.parse(argumentsText);
  } catch {
    return { arguments: argumentsText };
  }
}

/**
 * Yields the same as it comes, in the events of the Messages API. No call of a tool ends before the pieces have ended,
 * since clients run a tool at its `content_block_stop`, and a signature may be checked last: text and the first call
 * are streamed, and what follows the first call waits.
 * @throws what the pieces throw
 */
export async function* messagesEvents(chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>): AsyncGenerator<NamedEvent, void, undefined> {
  const event = (type: string, fields: object): NamedEvent => ({ event: type, data: { type, ...fields } });
  const answer = new CollectedAnswer();
  let index = -1;
  const starts = (block: object): NamedEvent => event('content_block_start', { index: ++index, content_block: block });
  const delta = (fields: object): NamedEvent => event('content_block_delta', { index, delta: fields });
  const stops = (): NamedEvent => event('content_block_stop', { index });
  /** The block that is open: of the text, or of the first call by its index. */
  let open: 'text' | number | null = null;
  let laterText = '';
  yield event('message_start', { message: messageObject({ id: newId(), model: chat.model }, [], null, null) });
  for await (const piece of pieces) {
    answer.add(piece);
    if (piece.type === 'text' || piece.type === 'refusal') {
      if (typeof open === 'number') {
        laterText += piece.text;
        continue;
      }
      if (open === null) yield starts({ type: 'text', text: '' });
      open = 'text';
      yield delta({ type: 'text_delta', text: piece.text });
    } else if (piece.type === 'tool-call') {
      if (typeof open !== 'number') {
        if (open === 'text') yield stops();
        open = piece.index;
        yield starts({ type: 'tool_use', id: piece.id ?? '', name: piece.name ?? '', input: {} });
      }
      if (open === piece.index && piece.argumentsText !== '') yield delta({ type: 'input_json_delta', partial_json: piece.argumentsText });
    }
  }
  if (open !== null) yield stops();
  if (laterText !== '') yield* [starts({ type: 'text', text: '' }), delta({ type: 'text_delta', text: laterText }), stops()];
  for (const { id, name, argumentsText } of answer.toolCalls.slice(1)) {
    yield starts({ type: 'tool_use', id, name, input: {} });
    if (argumentsText !== '') yield delta({ type: 'input_json_delta', partial_json: argumentsText });
    yield stops();
  }
  yield event('message_delta', { delta: { stop_reason: stopReasonOf(answer), stop_sequence: null }, usage: { input_tokens: answer.usage?.promptTokens ?? 0, output_tokens: answer.usage?.completionTokens ?? 0 } });
  yield event('message_stop', {});
}
