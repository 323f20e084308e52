import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { chunk, DONE, type ModelScript, refuses } from './scripted-model';

type Json = Readonly<Record<string, unknown>>;

/** Answer of a server that lies about usage or breaks off. */
export interface LyingAnswer {
  words: readonly string[];
  /** `usage` may include members that state the upstream's own cost. */
  usage: Json | null;
  /** Usage sent before the word at this index, as a separate event or in the word's event. */
  earlyUsage: { at: number; usage: Json | null; isBare: boolean } | null;
  /** Usage sent after `[DONE]`, immediately or slightly later. */
  lateUsage: { usage: Json | null; isLater: boolean } | null;
  hasCall: boolean;
  end: 'done' | 'finish' | 'cut' | 'error';
  /** True if the server answers with a single body where a stream was requested. */
  isWhole: boolean;
}

/** Failure of a server before its answer begins. After such a failure, the gateway may ask another server. */
export type Failure = 'none' | 'busy' | 'page' | 'cut before it begins' | 'error in the place of an answer';

const count = fc.oneof(
  { weight: 6, arbitrary: fc.nat(200) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -1, 1.5, '7', null, 999_999_999, 1e15) },
);
const details = fc.record(
  { cached_tokens: count, cache_write_tokens: count, cache_creation_input_tokens: count },
  { requiredKeys: [] },
);
const thoughts = fc.record({ reasoning_tokens: count });
const members = fc.record(
  {
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: fc.option(details),
    completion_tokens_details: fc.option(thoughts),
    cached_tokens: count,
    prompt_cache_hit_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    reasoning_tokens: count,
    cost: count,
    estimated_cost: count,
  },
  { requiredKeys: ['prompt_tokens', 'completion_tokens'] },
);
/**
 * One third of the values report a total that adds reasoning tokens to the completion; one third report a plain sum.
 */
const usage = fc.option(
  fc.tuple(members, fc.constantFrom('any', 'sum', 'beside')).map(([said, total]): Json => {
    const { prompt_tokens: prompt, completion_tokens: completion, completion_tokens_details: inside } = said;
    if (total === 'any') return said;
    return {
      ...said,
      total_tokens:
        Number(prompt) + Number(completion) + (total === 'beside' ? Number(inside?.reasoning_tokens ?? 0) : 0),
    };
  }),
);

/** Generates null in 80 % of cases. */
export function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

export const lyingAnswer: fc.Arbitrary<LyingAnswer> = fc.record({
  words: fc.array(fc.constantFrom('a', 'word ', 'слово ', '\n"', 'x'.repeat(50), ''), { maxLength: 60 }),
  usage,
  earlyUsage: fc.option(fc.record({ at: fc.nat(60), usage, isBare: fc.boolean() })),
  lateUsage: rarely(fc.record({ usage, isLater: fc.boolean() })),
  hasCall: fc.boolean(),
  end: fc.constantFrom('done', 'done', 'done', 'done', 'finish', 'cut', 'error'),
  isWhole: fc.constantFrom(false, false, false, false, true),
});

export const failure: fc.Arbitrary<Failure> = fc.constantFrom(
  'none',
  'none',
  'none',
  'busy',
  'page',
  'cut before it begins',
  'error in the place of an answer',
);

/**
 * Returns a server that fails in this way or answers.
 *
 * @param replies returns the content of the answer to a request, instead of the words of `answer`
 */
export function lyingScript(
  answer: LyingAnswer,
  failing: Failure,
  replies: ((asked: Json) => string) | null = null,
): ModelScript {
  return (asked, response) => {
    const request = JSON.parse(asked.body) as Json;
    const isStream = request['stream'] === true;
    if (failing === 'busy') return refuses(503, { error: { message: 'Busy.' } })(asked, response);
    if (failing === 'page') return refuses(200, '<html>')(asked, response);
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    if (failing !== 'none') return breakOff(response, failing, isStream);
    const words = replies ? [replies(request)] : answer.words;
    if (!isStream || answer.isWhole) return writeWhole(response, answer, words.join(''), Number(request['n'] ?? 1));
    return writeStream(response, answer, words);
  };
}

function breakOff(response: ServerResponse, failing: Failure, isStream: boolean): void {
  if (failing === 'error in the place of an answer')
    response.end(
      isStream
        ? 'data: {"error":{"message":"Overloaded.","code":503}}\n\n'
        : '{"error":{"message":"Overloaded.","code":503}}',
    );
  else response.write(isStream ? ': soon\n\n' : '{', () => response.destroy());
}

function writeWhole(response: ServerResponse, { usage: told, hasCall }: LyingAnswer, content: string, n: number): void {
  response.setHeader('content-type', 'application/json');
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } };
  const choices = Array.from({ length: n }, (_, index) => ({
    index,
    message: { role: 'assistant', content, ...(hasCall && { tool_calls: [call] }) },
    finish_reason: 'stop',
  }));
  response.end(JSON.stringify({ id: 'c', choices, ...(told && { usage: told }) }));
}

function writeStream(
  response: ServerResponse,
  { usage: told, earlyUsage, lateUsage, hasCall, end }: LyingAnswer,
  words: readonly string[],
): void {
  const bare = (said: Json | null): string => `data: ${JSON.stringify({ choices: [], usage: said })}\n\n`;
  const delta = (fields: object, finish: string | null = null): string =>
    chunk('', { choices: [{ index: 0, delta: fields, finish_reason: finish }] });
  const parts = words.map((word, index) => {
    if (earlyUsage?.at !== index) return chunk(word);
    return earlyUsage.isBare ? bare(earlyUsage.usage) + chunk(word) : chunk(word, { usage: earlyUsage.usage });
  });
  if (hasCall)
    parts.push(delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{"a":1}' } }] }));
  if (end === 'done' || end === 'finish') parts.push(delta({}, 'stop'));
  if (told) parts.push(bare(told));
  if (end === 'error') parts.push('data: {"error":{"message":"Broken."}}\n\n');
  if (end !== 'done')
    return void response.write(parts.join(''), () => (end === 'finish' ? response.end() : response.destroy()));
  const late = lateUsage ? bare(lateUsage.usage) : '';
  if (!lateUsage?.isLater) return void response.end(parts.join('') + DONE + late);
  response.write(parts.join('') + DONE);
  setTimeout(() => response.end(late), 3);
}
