import { type Json, record, type TranslationOptions } from './chat-turns';

/** A tool of the input as a chat offers it, and what its calls are written back as. */
export interface AdditionalTool {
  name: string;
  namespace: string | null;
  /** Its input is a text of its own. */
  isCustom: boolean;
  /** As the chat has it. */
  function: { name: string; description?: string; parameters?: unknown; strict?: boolean };
}

const TEXT_INPUT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * Reads the tools that stand in the input itself (`additional_tools`), where Codex has all of its tools for models that
 * it knows. A tool whose input is a text becomes a function with that text as its one parameter.
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

/** What a custom tool is for, with the grammar that its input follows. */
function customDescription({ description, format }: Json): string {
  const { definition } = record(format);
  const grammar = typeof definition === 'string' ? `The input follows this grammar:\n${definition}` : '';
  return [typeof description === 'string' ? description : '', grammar].filter((text) => text !== '').join('\n\n');
}

/** The text that a custom tool is called with; all that the model wrote where it is no such JSON. */
export function customInput(argumentsText: string): string {
  try {
    const { input } = record(JSON.parse(argumentsText));
    return typeof input === 'string' ? input : argumentsText;
  } catch {
    return argumentsText;
  }
}

const recordsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);
