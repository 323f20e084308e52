/**
 * @at next: Next's own server notices disconnected clients and cuts streams off.
 * @at postgres: database functions settle reservations.
 * @waits: for upstreams to notice that a client has left.
 */
import { request as httpRequest } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunk, DONE, says, streams, usageChunk } from '@/test/scripted-model';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';
import { until } from '@/test/until';

/**
 * Disconnects by the client before the first token, during the stream, and during an answer without streaming; and
 * disconnects by the upstream. The gateway aborts the upstream request, charges the output, and releases the rest of
 * the reservation.
 */

const PRICES = { inputUsdPerMillionTokens: '1', outputUsdPerMillionTokens: '2' };
const messages = [{ role: 'user' as const, content: 'Hello?' }];
/** Token estimate for a prompt of six bytes. */
const PROMPT_NANO_USD = 2 * 1_000;

let upstream: ScriptedUpstream;
let second: ScriptedUpstream;
let gateway: GatewayUnderTest;
let caller: Caller;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  second = await startScriptedUpstream([{ id: 'plain', context_length: 4_096 }]);
  const chatUpstreams = [
    { name: 'first', url: upstream.url },
    { name: 'second', url: second.url },
  ];
  gateway = await startGateway({ profile: 'live', config: { inference: { chatUpstreams, prices: PRICES } } });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  upstream?.close();
  second?.close();
});

/** Each test has its own caller, so that charges are separate. */
async function newCaller(): Promise<void> {
  caller = await gateway.operator.createCaller({ usd: '0.05' });
}

interface Leaving {
  body: string;
  /** Text of the answer after which the client disconnects; null to disconnect right after the upstream request. */
  afterText: string | null;
}

/** Sends a request and disconnects during the answer. */
async function leave({ body, afterText }: Leaving): Promise<void> {
  const asked = upstream.asked.length;
  const request = httpRequest({
    port: gateway.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/chat/completions',
    agent: false,
    headers: {
      authorization: `Bearer ${caller.key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  request.on('error', () => undefined);
  let text = '';
  request.once('response', (response) => {
    response.on('data', (part: Buffer) => (text += part.toString()));
    response.on('error', () => undefined);
  });
  request.end(body);
  await until(() => upstream.asked.length > asked);
  if (afterText !== null) await until(() => text.includes(afterText));
  request.destroy();
}

const charges = () => gateway.books.charges(caller.accountId);
/** Expects that nothing is reserved: a chat that needs nearly the whole balance is admitted. */
async function expectNothingHeld(): Promise<void> {
  upstream.script = says('Hello.', { prompt_tokens: 1, completion_tokens: 1 });
  const spent = charges().reduce((sum, { amount }) => sum + amount, 0);
  const tokens = Math.floor((50_000_000 - spent) / 2_000 / 16) - 50;
  const { status } = await gateway.ask({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain', messages, n: 16, max_tokens: tokens }),
  });
  expect(status).toBe(200);
  // A reservation would have shortened the answer.
  expect(JSON.parse(upstream.asked.at(-1)?.body ?? '')).toMatchObject({ max_tokens: tokens });
}

describe('a client that leaves', () => {
  test.each([true, false])(
    'before the first token (streamed: %s): the upstream is aborted, the prompt charged',
    async (isStreamed) => {
      await newCaller();
      upstream.script = () => undefined;
      const body = JSON.stringify({ model: 'plain', messages, stream: isStreamed });
      await leave({ body, afterText: null });
      expect(await upstream.asked.at(-1)?.aborted).toBe(true);
      await until(() => charges().length === 1);
      expect(charges()[0]?.amount).toBe(PROMPT_NANO_USD);
      await expectNothingHeld();
      expect(second.asked).toEqual([]);
    },
  );

  test('in the middle of a stream: the upstream is aborted, what was produced is charged', async () => {
    await newCaller();
    upstream.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)) + chunk('y'.repeat(40)));
    };
    const body = JSON.stringify({ model: 'plain', messages, stream: true });
    await leave({ body, afterText: 'yyy' });
    expect(await upstream.asked.at(-1)?.aborted).toBe(true);
    await until(() => charges().length === 1);
    expect(charges()[0]?.amount).toBe(PROMPT_NANO_USD + 20 * 2_000);
    await expectNothingHeld();
  });

  test('by the abort of the official client', async () => {
    await newCaller();
    upstream.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)));
    };
    const client = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: caller.key, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'plain', messages, stream: true });
    for await (const _part of stream) stream.controller.abort();
    expect(await upstream.asked.at(-1)?.aborted).toBe(true);
    await until(() => charges().length === 1);
    await expectNothingHeld();
  });
});

describe('an upstream that breaks off', () => {
  test('in the middle of a stream: the connection breaks, the official client throws, what was produced is charged', async () => {
    await newCaller();
    upstream.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)));
      setTimeout(() => response.destroy(), 100);
    };
    const client = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: caller.key, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'plain', messages, stream: true });
    let text = '';
    const read = (async () => {
      for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
    })();
    await expect(read).rejects.toThrow();
    expect(text).toBe('x'.repeat(40));
    await until(() => charges().length === 1);
    await expectNothingHeld();
    expect(second.asked).toEqual([]);
  });

  test('in order, but without an end of its stream: the same', async () => {
    await newCaller();
    upstream.script = streams(chunk('x'.repeat(40)));
    const response = await fetch(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'plain', messages, stream: true }),
    });
    await expect(response.text()).rejects.toThrow();
    await until(() => charges().length === 1);
  });

  test('before its stream begins: another answers, and is charged alone', async () => {
    await newCaller();
    upstream.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
    };
    second.script = streams(chunk('From the second.'), usageChunk({ prompt_tokens: 10, completion_tokens: 5 }), DONE);
    const client = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: caller.key, maxRetries: 0 });
    let text = '';
    for await (const part of await client.chat.completions.create({ model: 'plain', messages, stream: true }))
      text += part.choices[0]?.delta.content ?? '';
    expect(text).toBe('From the second.');
    expect(charges().map(({ amount }) => amount)).toEqual([10 * 1_000 + 5 * 2_000]);
  });
});

test('the books agree after all of it', async () => {
  expect(await gateway.operator.checkLedger()).toMatchObject({ ok: true });
});
