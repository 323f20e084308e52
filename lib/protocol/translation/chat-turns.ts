/** Request of POST /chat/completions, to which other APIs' requests are translated. */
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

/** Returns a document part. OpenAI's chats accept documents as data URLs. */
export const filePart = (filename: string, fileData: string): ChatPart => ({
  type: 'file',
  file: { filename, file_data: fileData },
});

/**
 * Returns a part of a tool's result as text. An image or file, which follows later, becomes a line that announces it.
 */
export function lineOfResult(part: ChatPart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'image_url' ? '[The image follows.]' : `[The file ${part.file.filename} follows.]`;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface TranslationOptions {
  canSee: boolean;
  /** True if the model accepts files, such as PDF. */
  takesFiles: boolean;
  /** Called for each omitted part of a request. */
  leaveOut: (what: string) => void;
  /** Finds an item of an earlier answer; null if it is not stored. */
  itemOf: (id: string) => Json | null;
}

export const PLAIN_TRANSLATION: TranslationOptions = {
  canSee: true,
  takesFiles: false,
  leaveOut: () => undefined,
  itemOf: () => null,
};

/** Refusal of a request that cannot be translated. `param` is the faulty field. */
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

/** Returns an object unchanged, or an empty object for any other value. */
export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/**
 * Splits content into parts. A text is one part; null and undefined have no parts.
 *
 * @throws {Untranslatable}
 */
export function partsIn(content: unknown, param: string): readonly Json[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (typeof content !== 'object') throw new Untranslatable(`${param} must be a text or a list.`, param);
  return (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    typeof part === 'string' ? { type: 'text', text: part } : record(part),
  );
}

export function textField(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '') throw new Untranslatable(`${param} must be a text.`, param);
  return value;
}

export function renamed(body: Json, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) =>
      body[from] === undefined || body[from] === null ? [] : [[to, body[from]]],
    ),
  );
}

/** Effort level that chat servers accept, by requested level. */
const EFFORTS: Readonly<Record<string, string>> = {
  none: 'none',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

export function effortOf(effort: unknown): { reasoning_effort?: string } {
  const known = typeof effort === 'string' && Object.hasOwn(EFFORTS, effort) ? EFFORTS[effort] : undefined;
  return known === undefined ? {} : { reasoning_effort: known };
}

/** Joins texts with line breaks. Content with other parts stays a list. */
export function contentOf(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : parts;
}

/** Merges all system text into one first message, because chat templates accept no other. */
export function withOneSystem(instructions: readonly string[], turns: readonly ChatTurn[]): ChatTurn[] {
  const said = [
    ...instructions,
    ...turns.filter(({ role }) => role === 'system').map(({ content }) => textOf(content)),
  ].filter((text) => text !== '');
  const others = withJoinedCalls(turns.filter(({ role }) => role !== 'system'));
  return said.length === 0 ? others : [{ role: 'system', content: said.join('\n\n') }, ...others];
}

/** Joins turns between calls and their results, because results must follow directly. */
function withJoinedCalls(turns: readonly ChatTurn[]): ChatTurn[] {
  const groups: [ChatTurn, ...ChatTurn[]][] = [];
  for (const turn of turns) {
    const last = groups.at(-1);
    if (turn.role === 'assistant' && last?.[0].tool_calls) last.push(turn);
    else groups.push([turn]);
  }
  return groups.map((group) => (group.length === 1 ? group[0] : joined(group)));
}

function joined(turns: readonly ChatTurn[]): ChatTurn {
  const parts = turns.flatMap(({ content }): readonly ChatPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []),
  );
  return {
    role: 'assistant',
    content: parts.length === 0 ? null : contentOf(parts),
    tool_calls: turns.flatMap((turn) => turn.tool_calls ?? []),
  };
}

function textOf(content: ChatTurn['content']): string {
  if (typeof content === 'string' || content === null) return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Returns a chat's tool settings; empty if it has no tools. A JSON schema for the reply disables parallel calls. */
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
