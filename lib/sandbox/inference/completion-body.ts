import type { GuideReply } from '../guide/reply';

export interface Completion {
  id: string;
  model: string;
  /** Unix seconds. */
  created: number;
  reply: GuideReply;
  /** Number of alternatives per token in the log probabilities. Default: no log probabilities. */
  topLogprobs?: number | null;
}

const NAME = { chunk: 'chat.completion.chunk', whole: 'chat.completion' } as const;

/** Formats a completion as a single JSON body of OpenAI's API. */
export function wholeCompletion({ id, model, created, reply, topLogprobs = null }: Completion): string {
  const { pieces, toolCall, finishReason, usage } = reply;
  const message = {
    role: 'assistant',
    content: toolCall === null ? pieces.join('') : null,
    ...(toolCall === null ? {} : { tool_calls: [toolCallOf(id, toolCall)] }),
  };
  return JSON.stringify({
    id,
    object: NAME.whole,
    created,
    model,
    choices: [{ index: 0, message, logprobs: logprobsOf(pieces, topLogprobs, plain), finish_reason: finishReason }],
    usage,
  });
}

interface StreamOptions {
  includesUsage: boolean;
  seal: (content: string) => string;
  /** Encrypts the tokens in log probabilities, and the names and arguments of tool calls. Default: no encryption. */
  sealFurther?: (text: string) => string;
  piecesPerEvent: number;
}

/** Yields the server-sent events of a streamed completion, including `[DONE]`. */
export function* streamedCompletion(
  { id, model, created, reply, topLogprobs = null }: Completion,
  { includesUsage, seal, sealFurther = plain, piecesPerEvent }: StreamOptions,
): Generator<string> {
  const event = (delta: object, finishReason: string | null = null, logprobs: object | null = null) =>
    eventOf({
      id,
      object: NAME.chunk,
      created,
      model,
      choices: [{ index: 0, delta, logprobs, finish_reason: finishReason }],
      ...(includesUsage ? { usage: null } : {}),
    });
  yield event({ role: 'assistant', content: '' });
  for (let start = 0; start < reply.pieces.length; start += piecesPerEvent) {
    const pieces = reply.pieces.slice(start, start + piecesPerEvent);
    yield event({ content: seal(pieces.join('')) }, null, logprobsOf(pieces, topLogprobs, sealFurther));
  }
  if (reply.toolCall !== null)
    yield event({ tool_calls: [{ index: 0, ...toolCallOf(id, sealedCall(reply.toolCall, sealFurther)) }] });
  yield event({}, reply.finishReason);
  if (includesUsage) yield eventOf({ id, object: NAME.chunk, created, model, choices: [], usage: reply.usage });
  yield 'data: [DONE]\n\n';
}

function plain(text: string): string {
  return text;
}

function sealedCall({ name, arguments: text }: { name: string; arguments: string }, seal: (text: string) => string) {
  return { name: seal(name), arguments: seal(text) };
}

/**
 * Formats log probabilities like OpenAI's API. The simulated model considers no other tokens, so `top_logprobs` lists
 * only the token itself.
 */
function logprobsOf(pieces: readonly string[], topLogprobs: number | null, seal: (text: string) => string) {
  if (topLogprobs === null) return null;
  const bytesOf = (piece: string) =>
    seal === plain ? [...Buffer.from(piece)] : seal(JSON.stringify([...Buffer.from(piece)]));
  const entry = (piece: string) => ({ token: seal(piece), logprob: 0, bytes: bytesOf(piece) });
  return {
    content: pieces.map((piece) => ({ ...entry(piece), top_logprobs: topLogprobs > 0 ? [entry(piece)] : [] })),
    refusal: null,
  };
}

function toolCallOf(id: string, { name, arguments: text }: { name: string; arguments: string }) {
  return { id: `call_${id.slice(-24)}`, type: 'function', function: { name, arguments: text } };
}

function eventOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
