import type { GuideReply } from '../guide/reply';

/** Which completion a body is of. */
export interface Completion {
  id: string;
  model: string;
  /** Seconds since 1970. */
  created: number;
  reply: GuideReply;
}

const NAME = { chunk: 'chat.completion.chunk', whole: 'chat.completion' } as const;

/** A completion in one body, as OpenAI's API has it. */
export function wholeCompletion({ id, model, created, reply }: Completion): string {
  const { pieces, toolCall, finishReason, usage } = reply;
  const message = { role: 'assistant', content: toolCall === null ? pieces.join('') : null, ...(toolCall === null ? {} : { tool_calls: [toolCallOf(id, toolCall)] }) };
  return JSON.stringify({ id, object: NAME.whole, created, model, choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }], usage });
}

export interface StreamOptions {
  includesUsage: boolean;
  /** What is done to each content before it goes out: encryption, where that was asked for. */
  seal: (content: string) => string;
  /** How many pieces an event holds. */
  piecesPerEvent: number;
}

/** The events of a streamed completion, `[DONE]` included, each with its empty line. */
export function* streamedCompletion({ id, model, created, reply }: Completion, { includesUsage, seal, piecesPerEvent }: StreamOptions): Generator<string> {
  const event = (delta: object, finishReason: string | null = null) =>
    eventOf({ id, object: NAME.chunk, created, model, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], ...(includesUsage ? { usage: null } : {}) });
  yield event({ role: 'assistant', content: '' });
  for (let start = 0; start < reply.pieces.length; start += piecesPerEvent) {
    yield event({ content: seal(reply.pieces.slice(start, start + piecesPerEvent).join('')) });
  }
  if (reply.toolCall !== null) yield event({ tool_calls: [{ index: 0, ...toolCallOf(id, reply.toolCall) }] });
  yield event({}, reply.finishReason);
  if (includesUsage) yield eventOf({ id, object: NAME.chunk, created, model, choices: [], usage: reply.usage });
  yield 'data: [DONE]\n\n';
}

function toolCallOf(id: string, { name, arguments: text }: { name: string; arguments: string }) {
  return { id: `call_${id.slice(-24)}`, type: 'function', function: { name, arguments: text } };
}

function eventOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
