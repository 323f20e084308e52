import type { GuideReply } from '../guide/reply';

/** Which completion a body is of. */
export interface Completion {
  id: string;
  model: string;
  /** Seconds since 1970. */
  created: number;
  reply: GuideReply;
  /** How many alternatives of each token are told; no log probabilities unless given. */
  topLogprobs?: number | null;
}

const NAME = { chunk: 'chat.completion.chunk', whole: 'chat.completion' } as const;

/** A completion in one body, as OpenAI's API has it. */
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

export interface StreamOptions {
  includesUsage: boolean;
  /** What is done to each content before it goes out: encryption, where that was asked for. */
  seal: (content: string) => string;
  /** What is done to names and arguments of calls and to tokens: as `seal`, where all fields are encrypted; nothing unless given. */
  sealFurther?: (text: string) => string;
  /** How many pieces an event holds. */
  piecesPerEvent: number;
}

/** The events of a streamed completion, `[DONE]` included, each with its empty line. */
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

/** Log probabilities as OpenAI's API has them. The guide is always sure, so the only alternative is the token itself. */
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
