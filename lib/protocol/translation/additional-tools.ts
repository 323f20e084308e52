import { type Json, record, type TranslationOptions } from './chat-turns';

/** Tool inside a request's input. `name`, `namespace` and `isCustom` are used to translate tool calls back. */
export interface AdditionalTool {
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
 * Parses tools inside a request's input (`additional_tools`). Codex sends all tools in this way for models that it
 * knows. A tool with text input becomes a function with one text parameter.
 */
export function additionalTools(
  input: unknown,
  leaveOut: TranslationOptions['leaveOut'] = () => undefined,
): AdditionalTool[] {
  const found = new Map<string, AdditionalTool>();
  const add = (tool: Json, namespace: string | null): void => {
    const { type, name, description, parameters, strict, tools } = tool;
    if (type === 'namespace' && namespace === null) return recordsOf(tools).forEach((each) => add(each, String(name)));
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
  for (const item of recordsOf(input))
    if (item['type'] === 'additional_tools') for (const tool of recordsOf(item['tools'])) add(tool, null);
  return [...found.values()];
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
