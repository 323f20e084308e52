import { recordOf } from '../json-record';

/** Tool call, or a fragment of a streamed tool call. */
export interface CalledFragment {
  /** Server's index of the tool call; null if absent. */
  index: number | null;
  id: string | null;
  name: string | null;
  /** JSON text, or a fragment of it in a stream. */
  argumentsText: string;
}

/** Parts of a message or delta. Absent texts are empty. */
interface AnswerParts {
  content: string;
  reasoning: string;
  refusal: string;
  calls: readonly CalledFragment[];
  finishReason: string | null;
}

const THOUGHTS: readonly unknown[] = ['thinking', 'reasoning'];
const PART_TEXTS = ['text', 'thinking', 'reasoning', 'content'] as const;
const DEPTH_MAX = 3;
/** OpenAI's names for the finish reasons of Mistral, Gemini, Anthropic and open-source servers. */
const REASONS: Readonly<Record<string, string>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  tool_use: 'tool_calls',
  tool_call: 'tool_calls',
  content_filter: 'content_filter',
  safety: 'content_filter',
};

/**
 * Parses a choice in the same way as OpenAI's SDKs. Also accepts other servers' formats: content as a list of parts,
 * reasoning under two names, arguments as an object, and the older `function_call`.
 *
 * @param member `delta` in a chunk, `message` in a whole answer
 */
export function readAnswerParts(choice: unknown, member: 'delta' | 'message'): AnswerParts {
  const { [member]: said, finish_reason: finish } = recordOf(choice);
  const {
    content,
    reasoning_content: thoughts,
    reasoning,
    refusal,
    tool_calls: calls,
    function_call: called,
  } = recordOf(said);
  const parts = Array.isArray(content) ? (content as unknown[]) : [content];
  const isThought = (part: unknown): boolean => THOUGHTS.includes(recordOf(part)['type']);
  return {
    content: parts
      .filter((part) => !isThought(part))
      .map((part) => textOf(part))
      .join(''),
    reasoning:
      textOf(thoughts) ||
      textOf(reasoning) ||
      parts
        .filter(isThought)
        .map((part) => textOf(part))
        .join(''),
    refusal: textOf(refusal),
    calls: [
      ...(Array.isArray(calls) ? (calls as unknown[]) : []).map(fragmentOf),
      ...(called == null ? [] : [{ ...fragmentOf({ function: called }), index: 0 }]),
    ].filter((call) => !isEmptyCall(call)),
    finishReason: usualReason(nonEmpty(finish)),
  };
}

function textOf(part: unknown, depth = 0): string {
  if (typeof part === 'string') return part;
  if (depth > DEPTH_MAX) return '';
  if (Array.isArray(part)) return part.map((each) => textOf(each, depth + 1)).join('');
  const json = recordOf(part);
  for (const name of PART_TEXTS) if (json[name] != null) return textOf(json[name], depth + 1);
  return '';
}

export function fragmentOf(call: unknown): CalledFragment {
  const json = recordOf(call);
  const { name, arguments: given } = recordOf(json['function'] ?? json);
  const { index, id } = json;
  return {
    index: typeof index === 'number' ? index : null,
    id: typeof id === 'number' ? String(id) : nonEmpty(id),
    name: nonEmpty(name),
    argumentsText: typeof given === 'string' ? given : given == null ? '' : JSON.stringify(given),
  };
}

/** Returns whether a fragment is empty. Some servers send an empty tool call alongside text. */
export function isEmptyCall({ id, name, argumentsText }: CalledFragment): boolean {
  return id === null && name === null && argumentsText === '';
}

/** Replaces another server's finish reason with OpenAI's. Returns other values unchanged. */
export function usualReason<Reason>(reason: Reason): Reason | string {
  const known = typeof reason === 'string' ? reason.toLowerCase() : '';
  return Object.hasOwn(REASONS, known) ? (REASONS[known] as string) : reason;
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
