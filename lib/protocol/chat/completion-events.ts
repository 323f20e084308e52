import { recordOf } from '../json-record';

type Json = Readonly<Record<string, unknown>>;

const DONE_EVENT = 'data: [DONE]\n\n';

/**
 * Writes a whole completion as the event stream that was asked for: a chunk with all that each choice says, one with why
 * it ends, one with the usage, and `[DONE]`.
 * @param withUsage whether the caller asked to be told the usage
 */
export function completionEvents(completion: Json, { withUsage }: { withUsage: boolean }): string {
  const { choices, usage, ...rest } = completion;
  const head = { ...rest, object: 'chat.completion.chunk' };
  const event = (fields: Json): string => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
  const list = (Array.isArray(choices) ? choices : []) as readonly unknown[];
  const said = list.map((choice, at) => {
    const { index = at, message, finish_reason: finishReason = null, ...more } = recordOf(choice);
    const delta = { role: 'assistant', ...numbered(recordOf(message)) };
    return (
      event({ choices: [{ ...more, index, delta, finish_reason: null }] }) +
      event({ choices: [{ index, delta: {}, finish_reason: finishReason }] })
    );
  });
  return said.join('') + (withUsage && usage != null ? event({ choices: [], usage }) : '') + DONE_EVENT;
}

/** In a stream each call of a tool has its place among them. */
function numbered(message: Json): Json {
  const { tool_calls: calls } = message;
  return Array.isArray(calls)
    ? { ...message, tool_calls: calls.map((call, index) => ({ index, ...recordOf(call) })) }
    : message;
}
