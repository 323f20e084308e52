import { recordOf } from '../json-record';

/** A call of a tool, or a fragment of one in a stream. */
export interface CalledFragment {
  /** Which call it belongs to, as the server says; null where it does not. */
  index: number | null;
  id: string | null;
  name: string | null;
  /** JSON, or a piece of it. */
  argumentsText: string;
}

/** What a model says in a message, or in the delta of a chunk. Empty where it says nothing. */
export interface AnswerParts {
  content: string;
  reasoning: string;
  refusal: string;
  calls: readonly CalledFragment[];
  /** Null until the answer ends. */
  finishReason: string | null;
}

/** Types of parts in which a model thinks. */
const THOUGHTS: readonly unknown[] = ['thinking', 'reasoning'];
const PART_TEXTS = ['text', 'thinking', 'reasoning', 'content'] as const;
const DEPTH_MAX = 3;

/**
 * Reads a choice of an answer as OpenAI's SDKs read it, and in the forms of other servers: content as a list of parts,
 * reasoning under two names, arguments as an object, and the older `function_call`.
 * @param choice of `choices`
 * @param member `delta` of a chunk, `message` of a whole answer
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
    ],
    finishReason: nonEmpty(finish),
  };
}

/** The text of a part, whichever member it stands in. */
function textOf(part: unknown, depth = 0): string {
  if (typeof part === 'string') return part;
  if (depth > DEPTH_MAX) return '';
  if (Array.isArray(part)) return part.map((each) => textOf(each, depth + 1)).join('');
  const json = recordOf(part);
  for (const name of PART_TEXTS) if (json[name] != null) return textOf(json[name], depth + 1);
  return '';
}

function fragmentOf(call: unknown): CalledFragment {
  const json = recordOf(call);
  const { name, arguments: given } = recordOf(json['function'] ?? json);
  const { index } = json;
  return {
    index: typeof index === 'number' ? index : null,
    id: nonEmpty(json['id']),
    name: nonEmpty(name),
    argumentsText: typeof given === 'string' ? given : given == null ? '' : JSON.stringify(given),
  };
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
