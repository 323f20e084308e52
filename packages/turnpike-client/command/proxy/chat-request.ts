import { isRecord } from '@/lib/client/answer-schema';

/** A chat in the form of POST /chat/completions, as the proxy makes it of other forms. */
export interface ChatRequestBody {
  model: string;
  messages: readonly ChatTurn[];
  stream: boolean;
  [field: string]: unknown;
}

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: readonly ToolCall[];
  tool_call_id?: string;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A request that cannot be translated. `param` names the field. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';

  constructor(
    message: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** A field that must be a text. @throws {Untranslatable} */
export function textField(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '') throw new Untranslatable(`${param} must be a text.`, param);
  return value;
}

/** The texts of a content, which is one or a list of parts. @throws {Untranslatable} for a part that is no text */
export function textOfContent(content: unknown, kinds: readonly string[], param: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new Untranslatable(`${param} must be a text or a list of parts.`, param);
  return content
    .map((part, index) => {
      const { type, text } = record(part);
      if (!kinds.includes(String(type)) || typeof text !== 'string') throw new Untranslatable(`${param}[${index}] is of the type ${JSON.stringify(type)}; only text can be sent.`, `${param}[${index}]`);
      return text;
    })
    .join('\n');
}

/** The given fields that are there, under other names. */
export function renamed(body: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(names).flatMap(([from, to]) => (body[from] === undefined || body[from] === null ? [] : [[to, body[from]]])));
}
