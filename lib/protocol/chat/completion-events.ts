import { recordOf } from '../json-record';
import { usualReason } from './answer-parts';
import { usualMessage } from './usual-chunks';

type Json = Readonly<Record<string, unknown>>;

const DONE_EVENT = 'data: [DONE]\n\n';

/**
 * Converts a whole completion to an event stream: for each choice, a chunk with its content and a chunk with its finish
 * reason; then a chunk with the usage, if requested; then `[DONE]`.
 */
export function completionEvents(completion: Json, { withUsage }: { withUsage: boolean }): string {
  const { choices, usage, ...rest } = completion;
  const head = { ...rest, object: 'chat.completion.chunk' };
  const event = (fields: Json): string => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
  const list = (Array.isArray(choices) ? choices : []) as readonly unknown[];
  const said = list.map((choice, at) => {
    const { index = at, message, finish_reason: finishReason, ...more } = recordOf(choice);
    const delta = { role: 'assistant', ...numbered(recordOf(usualMessage(message))) };
    return (
      event({ choices: [{ ...more, index, delta, finish_reason: null }] }) +
      event({ choices: [{ index, delta: {}, finish_reason: usualReason(finishReason) ?? 'stop' }] })
    );
  });
  return said.join('') + (withUsage && usage != null ? event({ choices: [], usage }) : '') + DONE_EVENT;
}

function numbered(message: Json): Json {
  const { tool_calls: calls } = message;
  return Array.isArray(calls)
    ? { ...message, tool_calls: calls.map((call, index) => ({ ...recordOf(call), index })) }
    : message;
}
