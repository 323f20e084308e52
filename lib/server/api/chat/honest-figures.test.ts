import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { charged, chatGateway, PRICES } from '@/test/chat-gateway';
import {
  chunk,
  completionText,
  DONE,
  type ModelScript,
  says,
  scriptedModel,
  streams,
  usageChunk,
} from '@/test/scripted-model';

const HELLO = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }] };
const STREAM = { ...HELLO, stream: true };
const COUNTED = { ...STREAM, stream_options: { include_usage: true } };
/** Prices in nano-USD per token: input 1,000, cached input 100, cache write 1,250, output 2,000. */
const CACHE_PRICES = { ...PRICES, cachedInputUsdPerMillionTokens: '0.1', cacheWriteUsdPerMillionTokens: '1.25' };

async function stage(script = says('Hello.'), inference: Record<string, unknown> = {}) {
  const model = await scriptedModel(script);
  return { model, gateway: await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }], ...inference }) };
}

/** Returns `count` chunks of one word, each of which counts as one token. */
const words = (count: number) => Array.from({ length: count }, (_, index) => chunk(`word${index % 10} `));
const dataOf = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as { choices: { finish_reason?: string }[]; usage?: unknown });

describe('a stream that goes on beyond the limit', () => {
  it('ends there as servers end that keep to it, and is charged no more than was held', async () => {
    const { gateway } = await stage(
      streams(words(2_000).join(''), usageChunk({ prompt_tokens: 3, completion_tokens: 2_000 }), DONE),
    );
    const { text } = await gateway.ask({ ...COUNTED, max_tokens: 1 });
    const events = dataOf(text);
    expect(events.length).toBeLessThan(15);
    expect(events.at(-2)?.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'length' }]);
    expect(events.at(-1)?.usage).toEqual({ prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 });
    expect(text.endsWith(DONE)).toBe(true);
    expect(await gateway.charges()).toEqual([
      { amount: 2 * 1_000 + 1 * 2_000, detail: '2 + 1 tokens', resource: 'chat/plain' },
    ]);
  });

  it.each([
    ['a letter in an event', Array.from('x'.repeat(6_000), (letter) => chunk(letter))],
    ['sentences, ten times as long', Array.from({ length: 20 }, () => chunk('x'.repeat(1_000)))],
    [
      'thoughts',
      Array.from({ length: 500 }, () => chunk('', { choices: [{ index: 0, delta: { reasoning_content: 'hmm ' } }] })),
    ],
    [
      'arguments of a call',
      Array.from({ length: 500 }, () =>
        chunk('', { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"abc"' } }] } }] }),
      ),
    ],
  ])('is ended in the form of %s', async (_what, parts) => {
    const { gateway, model } = await stage(streams(parts.join(''), DONE));
    const { text } = await gateway.ask({ ...STREAM, max_tokens: 20 });
    expect(text.length).toBeLessThan(parts.join('').length / 2);
    expect(dataOf(text).at(-1)?.choices[0]?.finish_reason).toBe('length');
    expect(await model.asked[0]?.aborted).toBeTypeOf('boolean');
    expect((await gateway.charges())[0]?.detail).toBe('2 + 20 tokens');
  });

  it('breaks off where its bytes are signed', async () => {
    const model = await scriptedModel(streams(...words(500), DONE));
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] });
    await expect(gateway.ask({ ...STREAM, max_tokens: 5 })).rejects.toThrow();
    expect(await charged(gateway)).toMatchObject([{ detail: '2 + 5 tokens' }]);
  });

  it.each([
    ['English', words(100), 100],
    [
      'Russian, escaped',
      Array.from({ length: 100 }, () => chunk('слово').replace('слово', '\\u0441\\u043b\\u043e\\u0432\\u043e')),
      100,
    ],
    ['several completions', words(200), 100, 2],
    ['its last word twice', [...words(20), chunk('word9 ')], 20],
  ])('and one that keeps to it passes whole: %s', async (_what, parts, limit, n = 1) => {
    const { gateway } = await stage(
      streams(...parts, usageChunk({ prompt_tokens: 3, completion_tokens: limit * n }), DONE),
    );
    expect((await gateway.ask({ ...STREAM, max_tokens: limit, n })).text).toBe(parts.join('') + DONE);
    expect((await gateway.charges())[0]?.detail).toBe(`3 + ${limit * n} tokens`);
  });
});

describe('tokens of a cache', () => {
  const usage = (more: object) => ({ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, ...more });
  const ALL = 100 * 1_000 + 50 * 2_000;

  it.each([
    [
      'OpenAI, vLLM, xAI',
      { prompt_tokens_details: { cached_tokens: 60 } },
      ALL - 60 * 900,
      '100 + 50 tokens, 60 cached',
    ],
    [
      'DeepSeek',
      { prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 },
      ALL - 60 * 900,
      '100 + 50 tokens, 60 cached',
    ],
    ['Moonshot', { cached_tokens: 60 }, ALL - 60 * 900, '100 + 50 tokens, 60 cached'],
    [
      'LiteLLM in the form of Anthropic',
      { cache_read_input_tokens: 60, cache_creation_input_tokens: 10 },
      ALL - 60 * 900 + 10 * 250,
      '100 + 50 tokens, 60 cached, 10 written to the cache',
    ],
    [
      'zeros under one name, a count under another',
      { prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 60 },
      ALL - 60 * 900,
      '100 + 50 tokens, 60 cached',
    ],
    ['more than the prompt has', { prompt_tokens_details: { cached_tokens: 101 } }, ALL, '100 + 50 tokens'],
    [
      'more than the prompt has, together',
      { cache_read_input_tokens: 60, cache_creation_input_tokens: 41 },
      ALL,
      '100 + 50 tokens',
    ],
    ['less than nothing', { prompt_tokens_details: { cached_tokens: -5 } }, ALL, '100 + 50 tokens'],
    ['no number', { prompt_tokens_details: { cached_tokens: '60' }, cached_tokens: 1.5 }, ALL, '100 + 50 tokens'],
  ])('are charged at their price, as told by %s', async (_what, told, amount, detail) => {
    for (const script of [says('Hello.', usage(told)), streams(chunk('Hello.'), usageChunk(usage(told)), DONE)]) {
      const { gateway } = await stage(script, { prices: CACHE_PRICES });
      await gateway.ask(script.length === 0 ? STREAM : COUNTED);
      expect(await charged(gateway)).toMatchObject([{ amount, detail }]);
    }
  });

  it('cost as others where the model has no price for them', async () => {
    const { gateway } = await stage(says('Hello.', usage({ prompt_tokens_details: { cached_tokens: 60 } })));
    await gateway.ask(HELLO);
    expect((await gateway.charges())[0]?.amount).toBe(ALL);
  });

  it('are held for at the dearest price, and shown with it', async () => {
    const { gateway } = await stage(
      says('Hello.', usage({ prompt_tokens: 1_000, cache_creation_input_tokens: 1_000 })),
      { models: { plain: { prices: CACHE_PRICES } } },
    );
    expect((await gateway.get('/models/plain')).json['model_spec']).toMatchObject({
      pricing: { input: { usd: 1 }, output: { usd: 2 }, cache_input: { usd: 0.1 }, cache_write: { usd: 1.25 } },
    });
    await gateway.ask({ ...HELLO, padding: 'x', messages: [{ role: 'user', content: 'x'.repeat(2_000) }] });
    expect((await gateway.charges())[0]?.amount).toBe(1_000 * 1_250 + 50 * 2_000);
  });
});

describe('what a server counts', () => {
  it('beside the completion, as xAI its thoughts, is charged', async () => {
    const { gateway } = await stage(
      says('Hello.', {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 45,
        completion_tokens_details: { reasoning_tokens: 30 },
      }),
    );
    await gateway.ask(HELLO);
    expect((await gateway.charges())[0]?.detail).toBe('10 + 35 tokens');
  });

  it('within the completion is charged once', async () => {
    const { gateway } = await stage(
      says('Hello.', {
        prompt_tokens: 10,
        completion_tokens: 35,
        total_tokens: 45,
        completion_tokens_details: { reasoning_tokens: 30 },
      }),
    );
    await gateway.ask(HELLO);
    expect((await gateway.charges())[0]?.detail).toBe('10 + 35 tokens');
  });

  it.each([
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, '2 + 10 tokens'],
    [{ prompt_tokens: 100, completion_tokens: 0 }, '100 + 10 tokens'],
    [{ prompt_tokens: 0, completion_tokens: 7 }, '2 + 7 tokens'],
  ])('as zero beside words is no count: %j', async (usage, detail) => {
    const text = 'x'.repeat(40);
    for (const script of [
      says(text, usage),
      streams(chunk(text), usageChunk(usage), DONE),
      streams(chunk(text, { usage }), DONE),
    ]) {
      const { gateway } = await stage(script);
      await gateway.ask(COUNTED);
      expect((await charged(gateway))[0]?.detail).toBe(detail);
    }
  });

  it('and nobody pays for is told as what was sold', async () => {
    const lie = { prompt_tokens: 999_999_999, completion_tokens: 999_999_999, total_tokens: 5 };
    const { gateway, model } = await stage(says('Hello.', lie));
    const whole = await gateway.ask({ ...HELLO, max_tokens: 60 });
    model.script = streams(chunk('Hello.'), usageChunk(lie), DONE);
    const streamed = dataOf((await gateway.ask({ ...COUNTED, max_tokens: 60 })).text).at(-1);
    const charges = await gateway.charges();
    for (const [index, usage] of [whole.json['usage'], streamed?.usage].entries()) {
      const { prompt_tokens: prompt, completion_tokens: completion } = usage as Record<string, number>;
      expect(charges[index]).toMatchObject({
        amount: Number(prompt) * 1_000 + Number(completion) * 2_000,
        detail: `${prompt} + ${completion} tokens`,
      });
    }
  });

  it('in a whole answer to a request for a stream is told in the same way', async () => {
    const { gateway } = await stage(says('Hello.', { prompt_tokens: 0, completion_tokens: 0 }));
    const { text, headers } = await gateway.ask(COUNTED);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(dataOf(text).at(-1)?.usage).toEqual({ prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 });
    expect(text.endsWith(DONE)).toBe(true);
  });

  it('as it says it where that is what is sold', async () => {
    const { gateway } = await stage(says('Hello.'));
    expect((await gateway.ask(HELLO)).text).toBe(completionText('Hello.'));
  });
});

describe('the usage that a caller is told is the one that is charged, where a server', () => {
  const COUNTS = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const told = async (script: ModelScript, request: object, path = '/chat/completions') => {
    const { gateway } = await stage(script, { prices: CACHE_PRICES });
    const answer = await fetch(`${gateway.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'plain', ...request }),
    });
    return { text: await answer.text(), detail: (await charged(gateway))[0]?.detail };
  };
  const lastUsage = (text: string) =>
    text.startsWith('data:')
      ? dataOf(text)
          .flatMap(({ usage }) => (usage ? [usage] : []))
          .at(-1)
      : (JSON.parse(text) as { usage?: unknown }).usage;

  it.each<[string, object | null, object, string]>([
    [
      'counts thoughts beside the completion (xAI)',
      { ...COUNTS, total_tokens: 45, completion_tokens_details: { reasoning_tokens: 30 } },
      {
        prompt_tokens: 10,
        completion_tokens: 35,
        total_tokens: 45,
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      '10 + 35 tokens',
    ],
    [
      'tells more thoughts than words',
      { ...COUNTS, completion_tokens_details: { reasoning_tokens: 1_000 } },
      COUNTS,
      '10 + 5 tokens',
    ],
    ['tells another total', { ...COUNTS, total_tokens: 71 }, COUNTS, '10 + 5 tokens'],
    [
      'tells more cached tokens than there are',
      { ...COUNTS, prompt_tokens_details: { cached_tokens: 1e15 } },
      COUNTS,
      '10 + 5 tokens',
    ],
    ['tells fewer cached tokens than none', { ...COUNTS, cached_tokens: -4 }, COUNTS, '10 + 5 tokens'],
    [
      'tells cached tokens under two names',
      { ...COUNTS, prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 4 },
      { ...COUNTS, prompt_tokens_details: { cached_tokens: 4 } },
      '10 + 5 tokens, 4 cached',
    ],
    [
      'tells what it cost there',
      { ...COUNTS, cost: 0.5, cost_details: { upstream_inference_cost: 0.5 } },
      COUNTS,
      '10 + 5 tokens',
    ],
    ['tells an estimate of the cost there', { ...COUNTS, estimated_cost: 0.5 }, COUNTS, '10 + 5 tokens'],
    [
      'counts nonsense',
      { prompt_tokens: 1e15, completion_tokens: '7' },
      { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
      '2 + 2 tokens',
    ],
    ['counts nothing', null, { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 }, '2 + 2 tokens'],
  ])('%s', async (_what, usage, expected, detail) => {
    const whole = await told(says('Hello.', usage), HELLO);
    expect([lastUsage(whole.text), whole.detail]).toEqual([expected, detail]);
    for (const script of [
      streams(chunk('Hello.'), ...(usage ? [usageChunk(usage)] : []), DONE),
      streams(chunk('Hello.', { usage }), DONE),
      streams(chunk('Hello.'), DONE, ...(usage ? [usageChunk(usage)] : [])),
    ]) {
      const streamed = await told(script, COUNTED);
      expect([lastUsage(streamed.text), streamed.detail]).toEqual([expected, detail]);
      expect(streamed.text).not.toMatch(/cost|1e\+?15|1000000000000000/);
    }
  });

  it('tells it among the words of a client that did not ask, and says another in the end', async () => {
    const lie = { prompt_tokens: 999_999_999, completion_tokens: 999_999_999 };
    const { text, detail } = await told(streams(chunk('Hello.', { usage: lie }), DONE), { ...STREAM, max_tokens: 60 });
    const { prompt_tokens: prompt, completion_tokens: completion } = lastUsage(text) as Record<string, number>;
    expect(detail).toBe(`${prompt} + ${completion} tokens`);
  });

  it('tells another after the charge', async () => {
    const { text, detail } = await told(async (asked, response) => {
      await streams(
        chunk('Hello.'),
        usageChunk(COUNTS),
        DONE,
      )(asked, Object.assign(Object.create(response) as typeof response, { end: () => response }));
      await sleep(100);
      response.end(usageChunk({ prompt_tokens: 900, completion_tokens: 900 }));
    }, COUNTED);
    expect([lastUsage(text), detail]).toEqual([COUNTS, '10 + 5 tokens']);
  });

  it.each([
    [
      'lies about its cache',
      { ...COUNTS, prompt_tokens_details: { cached_tokens: 1e15 } },
      { input_tokens: 10, output_tokens: 5 },
    ],
    [
      'reads from a cache, and writes into it',
      { ...COUNTS, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 } },
      { input_tokens: 3, cache_read_input_tokens: 4, cache_creation_input_tokens: 3, output_tokens: 5 },
    ],
    ['counts nothing', null, { input_tokens: 2, output_tokens: 2 }],
  ])('%s, in the Messages API', async (_what, usage, expected) => {
    const request = { max_tokens: 100, messages: HELLO.messages };
    const whole = await told(says('Hello.', usage), request, '/messages');
    expect(JSON.parse(whole.text)).toMatchObject({ usage: expected });
    const { text } = await told(
      streams(chunk('Hello.'), ...(usage ? [usageChunk(usage)] : []), DONE),
      { ...request, stream: true },
      '/messages',
    );
    expect(JSON.parse(/event: message_delta\ndata: (.*)/.exec(text)?.[1] ?? '')).toMatchObject({ usage: expected });
  });

  it.each([
    ['lies about its thoughts', { ...COUNTS, completion_tokens_details: { reasoning_tokens: 1e15 } }, 0],
    ['thinks', { ...COUNTS, completion_tokens_details: { reasoning_tokens: 4 } }, 4],
    ['counts thoughts under a name of its own', { ...COUNTS, reasoning_tokens: 4 }, 4],
  ])('%s, in the Responses API', async (_what, usage, thoughts) => {
    const expected = {
      input_tokens: 10,
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: thoughts },
      total_tokens: 15,
    };
    const whole = await told(says('Hello.', usage), { input: 'Hello?' }, '/responses');
    expect(JSON.parse(whole.text)).toMatchObject({ usage: expected });
    const { text } = await told(
      streams(chunk('Hello.'), usageChunk(usage), DONE),
      { input: 'Hello?', stream: true },
      '/responses',
    );
    expect(JSON.parse(/event: response.completed\ndata: (.*)/.exec(text)?.[1] ?? '')).toMatchObject({
      response: { usage: expected },
    });
  });
});

it('words after [DONE], which no client reads, are not charged', async () => {
  const { gateway } = await stage(streams(chunk('Hello.') + DONE + chunk('x'.repeat(4_000))));
  await gateway.ask(STREAM);
  expect(await charged(gateway)).toMatchObject([{ detail: '2 + 2 tokens' }]);
});

it('content as a list of parts is no answer without words', async () => {
  const { gateway } = await stage((_asked, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(40) }] },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 0 },
      }),
    );
  });
  await gateway.ask(HELLO);
  expect((await gateway.charges())[0]?.detail).toBe('7 + 10 tokens');
});
