/** A chat in the form of POST /chat/completions, as requests of other APIs are translated to it. */
export interface ChatRequestBody {
  model: string;
  messages: readonly ChatTurn[];
  stream: boolean;
  [field: string]: unknown;
}

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | readonly ChatPart[] | null;
  tool_calls?: readonly ToolCall[];
  tool_call_id?: string;
}

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }
  | { type: 'file'; file: { filename: string; file_data: string } };

/** A document as OpenAI's chats take it: its bytes as a data URL. */
export const filePart = (filename: string, fileData: string): ChatPart => ({
  type: 'file',
  file: { filename, file_data: fileData },
});

/** What stands in the result of a tool, which is text, for a part that follows it. */
export function lineOfResult(part: ChatPart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'image_url' ? '[The image follows.]' : `[The file ${part.file.filename} follows.]`;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** How a request is translated. */
export interface TranslationOptions {
  /** Whether the model takes images. */
  canSee: boolean;
  /** Whether it takes documents, such as PDF, as files. */
  takesFiles: boolean;
  /** Is told of each part of a request that is left out. */
  leaveOut: (what: string) => void;
  /** Finds an item of an earlier answer; null where it is not kept. */
  itemOf: (id: string) => Json | null;
}

export const PLAIN_TRANSLATION: TranslationOptions = {
  canSee: true,
  takesFiles: false,
  leaveOut: () => undefined,
  itemOf: () => null,
};

/** A request that cannot be translated. `param` names the field. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';

  constructor(
    message: string,
    readonly param: string | null = null,
    readonly code: 'INVALID_REQUEST' | 'THREAD_NOT_KEPT' = 'INVALID_REQUEST',
  ) {
    super(message);
  }
}

export type Json = Readonly<Record<string, unknown>>;

/** The members of an object; none of what is no object. */
export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Splits a content into parts. A text is one part; null or undefined is no part. @throws {Untranslatable} */
export function partsIn(content: unknown, param: string): readonly Json[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (typeof content !== 'object') throw new Untranslatable(`${param} must be a text or a list.`, param);
  return (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    typeof part === 'string' ? { type: 'text', text: part } : record(part),
  );
}

/** A field that must be a text. @throws {Untranslatable} */
export function textField(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '') throw new Untranslatable(`${param} must be a text.`, param);
  return value;
}

/** The given fields that are there, under other names. */
export function renamed(body: Json, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) =>
      body[from] === undefined || body[from] === null ? [] : [[to, body[from]]],
    ),
  );
}

/** Efforts by the names that servers of chats know. */
const EFFORTS: Readonly<Record<string, string>> = {
  none: 'none',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** How long a model is to think, where the request says it. */
export function effortOf(effort: unknown): { reasoning_effort?: string } {
  const known = typeof effort === 'string' && Object.hasOwn(EFFORTS, effort) ? EFFORTS[effort] : undefined;
  return known === undefined ? {} : { reasoning_effort: known };
}

/** Several texts become one, a paragraph each; parts with an image stay a list. */
export function contentOf(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : parts;
}

/**
 * Puts all that the system says into one message at the beginning: templates of current models take a single one, and
 * only there.
 */
export function withOneSystem(instructions: readonly string[], turns: readonly ChatTurn[]): ChatTurn[] {
  const said = [
    ...instructions,
    ...turns.filter(({ role }) => role === 'system').map(({ content }) => textOf(content)),
  ].filter((text) => text !== '');
  const others = turns.filter(({ role }) => role !== 'system');
  return said.length === 0 ? others : [{ role: 'system', content: said.join('\n\n') }, ...others];
}

function textOf(content: ChatTurn['content']): string {
  if (typeof content === 'string' || content === null) return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Settings of tools that a chat has beside them: a schema and parallel calls exclude each other, and neither means anything without tools. */
export function withTools(
  tools: readonly object[],
  choice: unknown,
  { parallel, hasSchema }: { parallel: boolean | undefined; hasSchema: boolean },
): object {
  if (tools.length === 0) return {};
  const isParallel = hasSchema ? false : parallel;
  return {
    tools,
    ...(choice !== undefined && { tool_choice: choice }),
    ...(isParallel !== undefined && { parallel_tool_calls: isParallel }),
  };
}
