import { IMAGE_LINE } from '../chat/attachments';
import { isPlainObject } from '../chat/json-pointer';
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

const SAME = { max_tokens: 'max_tokens', temperature: 'temperature', top_p: 'top_p', top_k: 'top_k' } as const;
/** Fields that run tools on MCP servers or in a container, which chats do not have. */
const ELSEWHERE = ['mcp_servers', 'container'] as const;
/** Types of reasoning blocks, which chats do not have. */
const THOUGHTS: readonly unknown[] = ['thinking', 'redacted_thinking'];

/**
 * Translates a request of Anthropic's Messages API (POST /v1/messages) to a chat: text, images, client-side tools, JSON
 * schemas. Omits and reports parts that chats cannot express.
 *
 * @throws {Untranslatable} if nothing remains, or the meaning would change
 */
export function chatOfMessagesRequest(
  value: unknown,
  options: TranslationOptions = PLAIN_TRANSLATION,
): ChatRequestBody {
  const body = record(value);
  const { system, messages, thread } = body;
  // A `create` request contains all turns; a `continue` request does not.
  if (record(thread)['type'] === 'continue')
    throw new Untranslatable(
      '"thread" refers to a stored conversation, and the gateway stores none. Send the whole conversation as messages.',
      'thread',
      'THREAD_NOT_KEPT',
    );
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Untranslatable('messages must be a list of at least one message.', 'messages');
  for (const field of ELSEWHERE)
    if (Array.isArray(body[field]) ? body[field].length > 0 : body[field] != null) options.leaveOut(field);
  const instructions = system === undefined || system === null ? '' : textOfBlocks(system, 'system', options);
  const turns = messages.flatMap((message, index) => turnsOf(record(message), `messages[${index}]`, options));
  const said = withOneSystem([instructions], turns);
  if (!said.some(({ role }) => role !== 'system'))
    throw new Untranslatable('messages must contain something that the model can read.', 'messages');
  const format = formatOf(body);
  const stops =
    Array.isArray(body['stop_sequences']) && body['stop_sequences'].length > 0
      ? { stop: body['stop_sequences'] as unknown[] }
      : {};
  return {
    model: textField(body['model'], 'model'),
    messages: said,
    stream: body['stream'] === true,
    ...(body['stream'] === true && { stream_options: { include_usage: true } }),
    ...renamed(body, SAME),
    ...stops,
    ...effortOf(record(body['output_config'])['effort']),
    ...format,
    ...toolsOf({ ...body, tools: toolsAfter(body['tools'], messages) }, 'response_format' in format, options),
  };
}

function toolsAfter(tools: unknown, messages: readonly unknown[]): readonly unknown[] {
  let offered: readonly unknown[] = Array.isArray(tools) ? tools : [];
  for (const [index, message] of messages.entries()) {
    for (const block of partsIn(record(message)['content'], `messages[${index}].content`)) {
      if (!isToolChange(block)) continue;
      const { name, definition } = record(block['tool']);
      const changed = record(definition)['name'] ?? name;
      // A block without a definition refers to a tool already offered.
      if (block['type'] === 'tool_addition' && definition === undefined) continue;
      offered = [
        ...offered.filter((tool) => record(tool)['name'] !== changed),
        ...(block['type'] === 'tool_addition' ? [definition] : []),
      ];
    }
  }
  return offered;
}

const isToolChange = ({ type, tool }: Json): boolean =>
  (type === 'tool_addition' || type === 'tool_removal') && typeof tool === 'object' && tool !== null;

function turnsOf({ role, content }: Json, param: string, options: TranslationOptions): ChatTurn[] {
  if (role === 'system' || role === 'developer')
    return [{ role: 'system', content: textOfBlocks(content, `${param}.content`, options) }];
  if (role !== 'user' && role !== 'assistant')
    throw new Untranslatable(
      `${param}.role is ${JSON.stringify(role)}; it must be user or assistant.`,
      `${param}.role`,
    );
  if (typeof content === 'string') return [{ role, content }];
  const parts: ChatPart[] = [];
  const pictures: ChatPart[] = [];
  const calls: ToolCall[] = [];
  const results: ChatTurn[] = [];
  for (const [index, block] of partsIn(content, `${param}.content`).entries()) {
    const at = `${param}.content[${index}]`;
    const { type, id, name, tool_use_id: answered } = block;
    if (type === 'tool_use' && role === 'assistant' && typeof id === 'string' && typeof name === 'string')
      calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(block['input'] ?? {}) } });
    else if (type === 'tool_result' && role === 'user' && typeof answered === 'string') {
      const { text, images } = resultOf(block, at, options);
      results.push({ role: 'tool', tool_call_id: answered, content: text });
      pictures.push(...images);
    } else if (!THOUGHTS.includes(type)) parts.push(...partsOf(block, at, options));
  }
  const said = [...pictures, ...parts];
  const own: ChatTurn[] =
    said.length === 0 && calls.length === 0
      ? []
      : [{ role, content: said.length === 0 ? null : contentOf(said), ...(calls.length > 0 && { tool_calls: calls }) }];
  // Tool results come first because they answer the previous turn.
  return [...results, ...own];
}

/** Images and documents that the model cannot read become text. */
function partsOf(block: Json, param: string, options: TranslationOptions): ChatPart[] {
  if (isToolChange(block)) return [];
  const { type, source } = block;
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string' ? [textPart(block['text'] === '' ? ' ' : block['text'])] : [];
    case 'image':
      return [imagePart(record(source), options)];
    case 'document':
      return documentParts(block, param, options);
    case 'compaction':
      // A compaction summarizes earlier turns, which the client may have dropped.
      return typeof block['content'] === 'string' && block['content'] !== '' ? [textPart(block['content'])] : [];
    case 'tool_reference':
      return [textPart(`The tool ${String(block['tool_name'] ?? block['name'] ?? '')} can be called now.`)];
    case 'search_result':
      return [
        textPart(`${String(block['title'] ?? '')}\n${textOfBlocks(block['content'], `${param}.content`, options)}`),
      ];
    default:
      options.leaveOut(`${String(type ?? 'an unknown block')} (${param})`);
      return typeof block['text'] === 'string' && block['text'] !== '' ? [textPart(block['text'])] : [];
  }
}

function imagePart(source: Json, { canSee, leaveOut }: TranslationOptions): ChatPart {
  const url =
    source['type'] === 'base64'
      ? `data:${String(source['media_type'])};base64,${String(source['data'])}`
      : source['url'];
  if (canSee && typeof url === 'string') return { type: 'image_url', image_url: { url } };
  leaveOut(typeof url === 'string' ? 'an image, which the model cannot see' : 'an image that is kept elsewhere');
  return textPart(IMAGE_LINE);
}

function documentParts({ source, title }: Json, param: string, options: TranslationOptions): ChatPart[] {
  const { type, data, content, media_type: mediaType } = record(source);
  const head = typeof title === 'string' && title !== '' ? [textPart(title)] : [];
  if (type === 'text' && typeof data === 'string') return [...head, textPart(data)];
  if (type === 'content')
    return [
      ...head,
      ...partsIn(content, `${param}.source.content`).flatMap((block, index) =>
        partsOf(block, `${param}.source.content[${index}]`, options),
      ),
    ];
  const kind = typeof mediaType === 'string' ? mediaType : String(type);
  if (options.takesFiles && type === 'base64' && typeof data === 'string')
    return [
      filePart(
        typeof title === 'string' && title !== '' ? title : `document.${kind.split('/').at(-1)}`,
        `data:${kind};base64,${data}`,
      ),
    ];
  options.leaveOut(`a document of the type ${kind}`);
  return [...head, textPart(`[A document of the type ${kind} was here. It cannot be shown.]`)];
}

function resultOf(
  { content, is_error: isError }: Json,
  param: string,
  options: TranslationOptions,
): { text: string; images: ChatPart[] } {
  const parts = partsIn(content, `${param}.content`).flatMap((block, index) =>
    block['type'] === undefined
      ? [textPart(JSON.stringify(block))]
      : partsOf(block, `${param}.content[${index}]`, options),
  );
  const text = parts.map(lineOfResult).join('\n');
  return { text: isError === true ? `Error: ${text}` : text, images: parts.filter(({ type }) => type !== 'text') };
}

/**
 * Returns the text of content, with a line in place of each image or file.
 *
 * @throws {Untranslatable}
 */
function textOfBlocks(content: unknown, param: string, options: TranslationOptions): string {
  return partsIn(content, param)
    .flatMap((block, index) => partsOf(block, `${param}[${index}]`, { ...options, canSee: false, takesFiles: false }))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n');
}

const textPart = (text: string): ChatPart => ({ type: 'text', text });

function formatOf(body: Json): object {
  const format = record(record(body['output_config'])['format'] ?? body['output_format']);
  if (format['type'] === undefined) return {};
  if (format['type'] !== 'json_schema')
    throw new Untranslatable(
      `The output format ${JSON.stringify(format['type'])} is not supported; send json_schema.`,
      'output_config.format',
    );
  if (!isPlainObject(format['schema']))
    throw new Untranslatable('output_config.format.schema must be an object.', 'output_config.format.schema');
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: format['schema'], strict: true } },
  };
}

function toolsOf({ tools, tool_choice: choice }: Json, hasSchema: boolean, { leaveOut }: TranslationOptions): object {
  const translated = (Array.isArray(tools) ? tools : []).flatMap((tool, index) => {
    const { type, name, description, input_schema: parameters } = record(tool);
    if (typeof name !== 'string' || (type !== undefined && type !== null && type !== 'custom')) {
      leaveOut(`the tool ${String(name ?? type)} (tools[${index}]), which is of the type ${String(type)}`);
      return [];
    }
    return [
      {
        type: 'function',
        function: {
          name,
          ...(typeof description === 'string' && { description }),
          ...(parameters !== undefined && parameters !== null && { parameters }),
        },
      },
    ];
  });
  const { type, name, disable_parallel_tool_use: isAlone } = record(choice);
  const isOffered = translated.some((tool) => tool.function.name === name);
  const chosen =
    type === 'any'
      ? 'required'
      : type === 'auto' || type === 'none'
        ? type
        : type === 'tool' && isOffered
          ? { type: 'function', function: { name } }
          : undefined;
  return withTools(translated, chosen, { parallel: isAlone === true ? false : undefined, hasSchema });
}
