import { type Json, record, type TranslationOptions } from './chat-turns';

/** Tool of a request. `name`, `namespace` and `isCustom` are used to translate tool calls back. */
export interface OfferedTool {
  name: string;
  namespace: string | null;
  /** True if the tool's input is plain text. */
  isCustom: boolean;
  function: { name: string; description?: string; parameters?: unknown; strict?: boolean };
}

const TEXT_INPUT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * Parses a request's tools. Codex sends them inside the input (`additional_tools`) for models that it knows. A tool
 * with text input becomes a function with one text parameter.
 */
export function offeredTools(
  { tools, input }: Json,
  leaveOut: TranslationOptions['leaveOut'] = () => undefined,
): OfferedTool[] {
  const found = new Map<string, OfferedTool>();
  const add = (tool: Json, namespace: string | null): void => {
    const { type } = tool;
    // Some clients use the format of chat tools.
    const { name, description, parameters, strict } = { ...tool, ...record(tool['function']) };
    if ((type !== 'function' && type !== 'custom') || typeof name !== 'string')
      return leaveOut(`the tool ${String(name ?? type)}, which is of the type ${String(type)}`);
    const chatName = found.has(name) && namespace !== null ? `${namespace}__${name}` : name;
    const asFunction =
      type === 'custom'
        ? { description: customDescription(tool), parameters: TEXT_INPUT }
        : {
            ...(typeof description === 'string' && { description }),
            ...(parameters != null && { parameters }),
            ...(typeof strict === 'boolean' && { strict }),
          };
    found.set(chatName, { name, namespace, isCustom: type === 'custom', function: { name: chatName, ...asFunction } });
  };
  const listed = [
    ...recordsOf(tools),
    ...recordsOf(input).flatMap((item) => (item['type'] === 'additional_tools' ? recordsOf(item['tools']) : [])),
  ];
  for (const tool of listed) if (tool['type'] !== 'namespace') add(tool, null);
  for (const { type, name, tools: named } of listed)
    if (type === 'namespace') for (const tool of recordsOf(named)) add(tool, String(name));
  return [...found.values()];
}

export function chatNameOf(offered: readonly OfferedTool[], { name, namespace = null }: Json): string | undefined {
  return offered.find((tool) => tool.name === name && tool.namespace === namespace)?.function.name;
}

function customDescription({ description, format }: Json): string {
  const { definition } = record(format);
  const grammar = typeof definition === 'string' ? `The input follows this grammar:\n${definition}` : '';
  return [typeof description === 'string' ? description : '', grammar].filter((text) => text !== '').join('\n\n');
}

/** Returns a custom tool's input text. If the arguments are not the expected JSON, returns them unchanged. */
export function customInput(argumentsText: string): string {
  try {
    const { input } = record(JSON.parse(argumentsText));
    return typeof input === 'string' ? input : argumentsText;
  } catch {
    return argumentsText;
  }
}

const recordsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);
