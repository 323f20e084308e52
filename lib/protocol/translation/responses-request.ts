import { chatNameOf, type OfferedTool, offeredTools } from './additional-tools';
import { fileLine, IMAGE_LINE } from '../chat/attachments';
import {
  type ChatPart,
  type ChatRequestBody,
  type ChatTurn,
  contentOf,
  effortOf,
  filePart,
  type Json,
  lineOfResult,
  partsIn,
  PLAIN_TRANSLATION,
  record,
  renamed,
  textField,
  type ToolCall,
  type TranslationOptions,
  Untranslatable,
  withOneSystem,
  withTools,
} from './chat-turns';

/** Fields that need state on the server. */
const STATEFUL: readonly string[] = ['previous_response_id', 'conversation', 'background', 'prompt'];
const SAME = { temperature: 'temperature', top_p: 'top_p', max_output_tokens: 'max_tokens' } as const;
const TEXT_PARTS: readonly unknown[] = ['input_text', 'output_text', 'text', 'reasoning_text', 'summary_text'];
const ROLES: Readonly<Record<string, ChatTurn['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
};
const TEXT_CALLS: readonly unknown[] = ['custom_tool_call'];
/** Id prefix of reasoning items. */
const THOUGHT_PREFIX = 'rs_';
const RESULTS: readonly unknown[] = ['function_call_output', 'custom_tool_call_output'];

/**
 * Translates a request of OpenAI's Responses API (POST /v1/responses) to a chat: text, images, function tools, JSON
 * schemas. Omits and reports parts that chats cannot express.
 *
 * @throws {Untranslatable} if nothing remains, the meaning would change, or the request needs stored state
 */
export function chatOfResponsesRequest(
  value: unknown,
  options: TranslationOptions = PLAIN_TRANSLATION,
): ChatRequestBody {
  const body = record(value);
  for (const field of STATEFUL)
    if (body[field])
      throw new Untranslatable(
        `${field} refers to stored data, and the gateway stores none. Send the whole conversation as input.`,
        field,
      );
  const { instructions, input } = body;
  const tools = offeredTools(body, options.leaveOut);
  const turns = withOneSystem(typeof instructions === 'string' ? [instructions] : [], turnsOf(input, tools, options));
  if (turns.length === 0) throw new Untranslatable('input must contain something that the model can read.', 'input');
  const format = formatOf(body['text']);
  return {
    model: textField(body['model'], 'model'),
    messages: turns,
    stream: body['stream'] === true,
    ...(body['stream'] === true && { stream_options: { include_usage: true } }),
    ...renamed(body, SAME),
    ...effortOf(record(body['reasoning'])['effort']),
    ...format,
    ...toolsOf(body, tools, 'response_format' in format && record(format.response_format)['type'] === 'json_schema'),
  };
}

function turnsOf(input: unknown, tools: readonly OfferedTool[], options: TranslationOptions): ChatTurn[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) throw new Untranslatable('input must be a text or a list of items.', 'input');
  const conversation = new Conversation(tools, options);
  for (const [index, item] of input.entries())
    conversation.add(typeof item === 'string' ? { role: 'user', content: item } : record(item), `input[${index}]`);
  return conversation.turns();
}

class Conversation {
  readonly #turns: ChatTurn[] = [];
  /** Images in tool results. They are sent after the last of several consecutive results. */
  #images: ChatPart[] = [];

  constructor(
    private readonly tools: readonly OfferedTool[],
    private readonly options: TranslationOptions,
  ) {}

  turns(): ChatTurn[] {
    this.#showImages();
    return this.#turns;
  }

  /** @throws {Untranslatable} */
  add(item: Json, param: string): void {
    const type = item['type'] ?? untypedKind(item);
    if (RESULTS.includes(type)) return this.#addResult(item, param);
    // `offeredTools` reads the additional tools.
    if (type === 'reasoning' || type === 'additional_tools') return;
    this.#showImages();
    if (type === 'message') this.#addMessage(item, param);
    else if (type === 'function_call') this.#addCall(item, param, argumentsOf(item['arguments']));
    else if (TEXT_CALLS.includes(type)) this.#addCall(item, param, JSON.stringify({ input: item['input'] ?? '' }));
    else if (type === 'item_reference') this.#addReferred(item, param);
    else this.options.leaveOut(`an item of the type ${String(type)} (${param})`);
  }

  #addMessage({ role: named, content }: Json, param: string): void {
    const role = ROLES[String(named)];
    if (role === undefined)
      throw new Untranslatable(
        `${param}.role is ${JSON.stringify(named)}; it must be user, assistant, system or developer.`,
        `${param}.role`,
      );
    const parts = partsOf(
      content,
      `${param}.content`,
      role === 'user' ? this.options : { ...this.options, canSee: false, takesFiles: false },
    );
    if (parts.length > 0) this.#turns.push({ role, content: contentOf(parts) });
  }

  #addCall(item: Json, param: string, argumentsText: string): void {
    const [id, { name }] = [item['call_id'] ?? item['id'], item];
    if (typeof id !== 'string' || typeof name !== 'string')
      return this.options.leaveOut(`a call without a name or an id (${param})`);
    const chatName = chatNameOf(this.tools, item) ?? name;
    const call: ToolCall = { id, type: 'function', function: { name: chatName, arguments: argumentsText } };
    const last = this.#turns.at(-1);
    // Parallel tool calls belong to one turn.
    if (last?.role === 'assistant')
      this.#turns[this.#turns.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] };
    else this.#turns.push({ role: 'assistant', content: null, tool_calls: [call] });
  }

  #addResult(item: Json, param: string): void {
    const { output, call_id: id } = item;
    if (typeof id !== 'string') return this.options.leaveOut(`a result without the id of its call (${param})`);
    const parts =
      typeof output === 'object' && output !== null && !Array.isArray(output)
        ? [textPart(JSON.stringify(output))]
        : partsOf(output, `${param}.output`, this.options);
    this.#turns.push({ role: 'tool', tool_call_id: id, content: parts.map(lineOfResult).join('\n') });
    this.#images.push(...parts.filter(({ type }) => type !== 'text'));
  }

  #addReferred({ id }: Json, param: string): void {
    const item = this.options.itemOf(String(id));
    // Earlier reasoning is omitted.
    if (item === null && String(id).startsWith(THOUGHT_PREFIX) && this.#turns.length > 0) return;
    if (item === null)
      throw new Untranslatable(
        `${param} refers to the item ${JSON.stringify(id)}, which the gateway does not store. Set "store" to false, so that the client sends whole items.`,
        param,
      );
    this.add(item, param);
  }

  #showImages(): void {
    if (this.#images.length > 0) this.#turns.push({ role: 'user', content: this.#images });
    this.#images = [];
  }
}

function partsOf(content: unknown, param: string, options: TranslationOptions): ChatPart[] {
  return partsIn(content, param).flatMap((part, index): ChatPart[] => {
    const { type, text } = part;
    if (TEXT_PARTS.includes(type) && typeof text === 'string') return [textPart(text)];
    if (type === 'refusal' && typeof part['refusal'] === 'string') return [textPart(part['refusal'])];
    if (type === 'input_image' || type === 'image_url') return [imagePart(part, options)];
    const name = String(part['filename'] ?? type ?? 'an unknown part');
    const { file_data: data } = part;
    if (type === 'input_file' && options.takesFiles && typeof data === 'string') return [filePart(name, data)];
    options.leaveOut(`${name} (${param}[${index}])`);
    return [textPart(type === 'input_file' ? fileLine(name) : `[${name} was here. It cannot be sent.]`)];
  });
}

function imagePart({ image_url: image, detail }: Json, { canSee, leaveOut }: TranslationOptions): ChatPart {
  const url = typeof image === 'string' ? image : record(image)['url'];
  if (canSee && typeof url === 'string')
    return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } };
  leaveOut(typeof url === 'string' ? 'an image, which the model cannot see' : 'an image that is kept elsewhere');
  return textPart(IMAGE_LINE);
}

/** Infers the type of an untyped item. OpenAI's API allows messages and references without a type. */
function untypedKind({ id, role, type: _none, ...more }: Json): string | null {
  if (role !== undefined) return 'message';
  return typeof id === 'string' && Object.keys(more).length === 0 ? 'item_reference' : null;
}

const textPart = (text: string): ChatPart => ({ type: 'text', text });

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '{}' : JSON.stringify(value);
}

function formatOf(text: unknown): { response_format?: object } {
  const format = record(record(text)['format']);
  if (format['type'] === undefined || format['type'] === 'text') return {};
  if (format['type'] === 'json_object') return { response_format: { type: 'json_object' } };
  if (format['type'] !== 'json_schema')
    throw new Untranslatable(
      `text.format has the type ${JSON.stringify(format['type'])}, which is not supported.`,
      'text.format',
    );
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: format['name'] ?? 'reply', schema: format['schema'], strict: format['strict'] ?? true },
    },
  };
}

function toolsOf(
  { tool_choice: choice, parallel_tool_calls: parallel }: Json,
  tools: readonly OfferedTool[],
  hasSchema: boolean,
): object {
  return withTools(
    tools.map((tool) => ({ type: 'function', function: tool.function })),
    choiceOf(choice, tools),
    { parallel: typeof parallel === 'boolean' ? parallel : undefined, hasSchema },
  );
}

function choiceOf(choice: unknown, tools: readonly OfferedTool[]): unknown {
  if (typeof choice === 'string') return choice;
  const chosen = record(choice);
  if (chosen['type'] === 'allowed_tools') return chosen['mode'] === 'required' ? 'required' : 'auto';
  const name = chosen['type'] === 'function' || chosen['type'] === 'custom' ? chatNameOf(tools, chosen) : undefined;
  return name === undefined ? undefined : { type: 'function', function: { name } };
}
