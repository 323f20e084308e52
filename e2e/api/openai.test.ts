/**
 * @at next: streams, their errors and aborts pass Next's own server.
 * @not postgres: answers are the same. chat-disconnects.test.ts has charges on Postgres.
 */
import OpenAI, { APIUserAbortError } from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chunk, DONE, refuses, says, streams, usageChunk } from '@/test/scripted-model';
import { at } from './harness/at';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';

/** The official OpenAI client, unmodified, with only base URL and key, over a scripted upstream. */

const messages = [{ role: 'user' as const, content: 'Hello?' }];

let upstream: ScriptedUpstream;
let gateway: GatewayUnderTest;
let caller: Caller;
let client: OpenAI;
beforeAll(async () => {
  upstream = await startScriptedUpstream([
    { id: 'plain', object: 'model', created: 1, owned_by: 'test', context_length: 4_096 },
    { id: 'no-schemas', capabilities: { supportsResponseSchema: false } },
  ]);
  gateway = await startGateway({
    profile: 'live',
    config: { inference: { chatUpstreams: [{ name: 'test', url: upstream.url, key: 'sk-upstream-secret' }] } },
  });
  caller = await gateway.operator.createCaller({ usd: '1' });
  client = clientOf(caller.key);
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  upstream?.close();
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey, maxRetries: 0 });
}

const lastAsked = () => JSON.parse(upstream.asked.at(-1)?.body ?? '{}') as Record<string, unknown>;
/** Returns an event of a stream with this delta. */
const delta = (value: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'plain', choices: [{ index: 0, delta: value, finish_reason: finish }] })}\n\n`;

describe('chat', () => {
  test('is answered, with its usage and a request id', async () => {
    upstream.script = says('Hello.');
    const completion = await client.chat.completions.create({ model: 'plain', messages, temperature: 0.5, seed: 7 });
    expect(completion.choices[0]?.message.content).toBe('Hello.');
    expect(completion.usage?.total_tokens).toBe(150);
    expect(completion._request_id).toMatch(/^[0-9a-f]{32}$/);
    expect(lastAsked()).toEqual({ model: 'plain', messages, temperature: 0.5, seed: 7 });
  });

  test('is streamed, and nobody who did not ask sees usage', async () => {
    upstream.script = streams(chunk('Hel'), chunk('lo.'), delta({}, 'stop'), usageChunk(), DONE);
    let text = '';
    for await (const part of await client.chat.completions.create({ model: 'plain', messages, stream: true })) {
      // Programs that expect a choice in every chunk work.
      text += (part.choices[0] as OpenAI.ChatCompletionChunk.Choice).delta.content ?? '';
      expect(part.usage).toBeUndefined();
    }
    expect(text).toBe('Hello.');
    expect(lastAsked()['stream_options']).toEqual({ include_usage: true });
  });

  test('has its usage at the end of a stream with stream_options', async () => {
    upstream.script = streams(chunk('Hello.'), usageChunk(), DONE);
    const parts: OpenAI.ChatCompletionChunk[] = [];
    for await (const part of await client.chat.completions.create({
      model: 'plain',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    }))
      parts.push(part);
    expect(parts.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
    });
  });

  test('is put together again by the helper for streams', async () => {
    upstream.script = streams(
      delta({ role: 'assistant', content: 'Grüße, ' }),
      chunk('世界 😀'),
      delta({}, 'stop'),
      usageChunk(),
      DONE,
    );
    const runner = client.chat.completions.stream({ model: 'plain', messages });
    expect(await runner.finalContent()).toBe('Grüße, 世界 😀');
  });
});

at('fast').describe('functions', () => {
  const weather = zodFunction({ name: 'weather', parameters: z.object({ city: z.string() }) });
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } };

  test('are passed on, and their calls back', async () => {
    upstream.script = refuses(200, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'plain',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
      ],
    });
    const completion = await client.chat.completions.parse({
      model: 'plain',
      messages,
      tools: [weather],
      tool_choice: 'auto',
    });
    const [called] = completion.choices[0]?.message.tool_calls ?? [];
    expect(called?.type === 'function' && called.function.parsed_arguments).toEqual({ city: 'Bern' });
    expect(lastAsked()).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather' } }],
      tool_choice: 'auto',
    });
  });

  test('are called in a stream, their arguments in pieces', async () => {
    const piece = (value: object) => delta({ tool_calls: [{ index: 0, ...value }] });
    upstream.script = streams(
      delta({ role: 'assistant', content: null }),
      piece({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
      piece({ function: { arguments: '{"city":' } }),
      piece({ function: { arguments: '"Bern"}' } }),
      delta({}, 'tool_calls'),
      DONE,
    );
    const runner = client.chat.completions.stream({ model: 'plain', messages, tools: [weather] });
    const final = await runner.finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"city":"Bern"}' } }] },
    });
  });

  test('have their results sent with the next turn', async () => {
    upstream.script = says('12 degrees.');
    const turns = [
      ...messages,
      { role: 'assistant' as const, content: null, tool_calls: [{ ...call, type: 'function' as const }] },
      { role: 'tool' as const, tool_call_id: 'call_1', content: '{"degrees":12}' },
    ];
    await client.chat.completions.create({ model: 'plain', messages: turns, tools: [weather] });
    expect(lastAsked()['messages']).toEqual(turns);
  });
});

at('fast').describe('structured output', () => {
  const City = z.object({
    city: z.string(),
    degrees: z.number().nullable(),
    near: z.array(z.object({ name: z.string() })),
  });
  const reply = '{"city":"Bern","degrees":null,"near":[{"name":"Thun"}]}';
  const response_format = zodResponseFormat(City, 'city');

  test('is parsed by a zod schema', async () => {
    upstream.script = says(reply);
    const completion = await client.chat.completions.parse({ model: 'plain', messages, response_format });
    expect(completion.choices[0]?.message.parsed).toEqual(JSON.parse(reply));
    expect(lastAsked()['response_format']).toEqual(JSON.parse(JSON.stringify(response_format)));
  });

  test('is parsed from a stream', async () => {
    upstream.script = streams(
      delta({ role: 'assistant', content: '' }),
      chunk(reply.slice(0, 20)),
      chunk(reply.slice(20)),
      delta({}, 'stop'),
      DONE,
    );
    const final = await client.chat.completions
      .stream({ model: 'plain', messages, response_format })
      .finalChatCompletion();
    expect(final.choices[0]?.message.parsed).toEqual(JSON.parse(reply));
  });

  test('that does not fit is an error that says where', async () => {
    upstream.script = says('{"city":"Bern","degrees":"warm","near":[]}');
    await expect(client.chat.completions.parse({ model: 'plain', messages, response_format })).rejects.toThrow(
      /400 .*\/degrees must be number/,
    );
  });

  test('of a model without it, or of a schema that is not strict, is 400 with the reason', async () => {
    await expect(client.chat.completions.create({ model: 'no-schemas', messages, response_format })).rejects.toThrow(
      /^400 .*supportsResponseSchema/,
    );
    const loose = {
      type: 'json_schema' as const,
      json_schema: { name: 'x', strict: true, schema: { type: 'object', properties: { a: { type: 'string' } } } },
    };
    await expect(client.chat.completions.create({ model: 'plain', messages, response_format: loose })).rejects.toThrow(
      /^400 .*strict/,
    );
  });
});

at('fast').test('models are listed, and one can be looked for among them', async () => {
  const ids: string[] = [];
  for await (const { id, object, owned_by } of client.models.list()) {
    ids.push(id);
    expect([object, typeof owned_by]).toEqual(['model', 'string']);
  }
  expect(ids).toEqual(['no-schemas', 'plain']);
});

describe('what its users see when something is wrong', () => {
  const ask = (from = client, model = 'plain') => from.chat.completions.create({ model, messages });

  at('fast').test('a bad key is an AuthenticationError', async () => {
    await expect(ask(clientOf('tpk_unknown'))).rejects.toThrow('401 "This API key does not exist. Check');
    await expect(ask(clientOf('tpk_unknown'))).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  at('fast').test('an empty account is 402, in a sentence', async () => {
    const poor = await gateway.operator.createCaller({ usd: '0' });
    await expect(ask(clientOf(poor.key))).rejects.toMatchObject({
      status: 402,
      message: expect.stringMatching(/^402 "[A-Z].*\."$/),
    });
  });

  at('fast').test('an unknown model is a NotFoundError that names it', async () => {
    await expect(ask(client, 'gpt-none')).rejects.toThrow('There is no model');
    await expect(ask(client, 'gpt-none')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  at('fast').test(
    'what the upstream says of the request is a BadRequestError with its sentence, without its key',
    async () => {
      upstream.script = refuses(400, {
        error: { message: "This model's maximum context length is 4096 tokens (key sk-upstream-secret)." },
      });
      await expect(ask()).rejects.toThrow(`400 "This model's maximum context length is 4096 tokens (key [redacted])."`);
      await expect(ask()).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    },
  );

  test('an upstream that fails or is busy is 503, the latter with its Retry-After', async () => {
    upstream.script = refuses(500, {});
    await expect(ask()).rejects.toThrow(
      '503 "The model is not available right now. Nothing was charged. Try again shortly',
    );
    upstream.script = refuses(429, {}, { 'retry-after': '3' });
    await expect(ask()).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/^503 "The model is busy\. Nothing was charged/),
      headers: expect.objectContaining({}),
    });
    const error = await ask().catch((thrown: unknown) => thrown as InstanceType<typeof OpenAI.APIError>);
    expect((error as { headers: Headers }).headers.get('retry-after')).toBe('3');
  });

  at('fast').test('its own retries get over an upstream that is busy once', async () => {
    let asked = 0;
    upstream.script = (one, response) => (asked++ === 0 ? refuses(503, {}) : says('Hello.'))(one, response);
    const patient = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: caller.key });
    expect((await ask(patient)).choices[0]?.message.content).toBe('Hello.');
    expect(asked).toBe(2);
  });

  test('an error within a stream is thrown', async () => {
    upstream.script = streams(chunk('Hel'), 'data: {"error":{"message":"out of memory"}}\n\n');
    const stream = await client.chat.completions.create({ model: 'plain', messages, stream: true });
    await expect(
      (async () => {
        for await (const _part of stream);
      })(),
    ).rejects.toThrow('out of memory');
  });

  test('an error in place of a stream has its status', async () => {
    upstream.script = streams('data: {"error":{"message":"The prompt is too long.","code":400}}\n\n');
    await expect(client.chat.completions.create({ model: 'plain', messages, stream: true })).rejects.toThrow(
      '400 "The prompt is too long."',
    );
  });
});

test('an abort before the answer ends the call, and the upstream’s', async () => {
  upstream.script = () => undefined;
  const leaving = new AbortController();
  const asked = upstream.asked.length;
  const answer = client.chat.completions.create({ model: 'plain', messages }, { signal: leaving.signal });
  await expect.poll(() => upstream.asked.length).toBe(asked + 1);
  leaving.abort();
  await expect(answer).rejects.toBeInstanceOf(APIUserAbortError);
  expect(await upstream.asked.at(-1)?.aborted).toBe(true);
});
