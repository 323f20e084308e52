import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type ChatGateway, chatGateway } from '@/test/chat-gateway';
import { chunk, completionText, DONE, scriptedModel } from '@/test/scripted-model';
import { until } from '@/test/until';

const GRANT_NANO_USD = 50_000_000;

/** Gateway over a model server that answers when the test says so, with two callers. */
async function heldModel(maxConcurrentRequests: number) {
  const open = new Map<string, ServerResponse>();
  const model = await scriptedModel(({ body }, response) => void open.set(textOf(body), response));
  const server = { name: 'held', url: model.url, maxConcurrentRequests };
  const gateway = await chatGateway({ chatUpstreams: [server] }, GRANT_NANO_USD, {
    embeddings: { upstreams: [server], models: { vectors: {} } },
  });
  const bob = await gateway.caller(GRANT_NANO_USD);
  const [upstream] = gateway.gateway.chat.current.upstreams;
  return {
    ...gateway,
    model,
    bob,
    open,
    slots: upstream?.slots ?? expect.unreachable(),
    askedTexts: () => model.asked.map(({ body }) => textOf(body)),
    answer: (text: string) => {
      open.get(text)?.setHeader('content-type', 'application/json').end(completionText('Hello.'));
      open.delete(text);
    },
  };
}

function textOf(body: string): string {
  const { messages, input } = JSON.parse(body) as { messages?: { content: string }[]; input?: string };
  return messages?.[0]?.content ?? input ?? '';
}

const chatOf = (content: string, more: object = {}) => ({
  model: 'plain',
  max_tokens: 10,
  messages: [{ role: 'user', content }],
  ...more,
});

function expectRefused({ status, json, headers }: Awaited<ReturnType<ChatGateway['ask']>>): void {
  expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'MODEL_BUSY', expect.stringMatching(/^[1-9]/)]);
}

it('while 128 slow chats of one caller run and wait, every chat of another caller is answered', async () => {
  const { ask, bob, open, answer, slots, askedTexts } = await heldModel(64);
  const slow = Array.from({ length: 128 }, (_none, index) => ask(chatOf(`a${index}`)));
  await until(() => slots.taken + slots.waiting === 128);
  for (let index = 0; index < 10; index++) {
    const answered = ask(chatOf(`b${index}`), { key: bob });
    await until(() => open.has(`b${index}`));
    answer(`b${index}`);
    expect((await answered).status).toBe(200);
  }
  await until(() => slots.taken === 48);
  expect([slots.waiting, askedTexts().filter((text) => text.startsWith('a')).length]).toEqual([80, 48]);
  let isAnswered = false;
  void Promise.all(slow).then(() => (isAnswered = true));
  await until(() => {
    for (const text of open.keys()) answer(text);
    return isAnswered;
  });
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]));
  expect([slots.taken, slots.waiting]).toEqual([0, 0]);
});

describe('a model server with one slot', () => {
  it('gets no chat beyond the queue: 503 with Retry-After, uncharged, with nothing held', async () => {
    const { ask, charges, answer, open, slots, askedTexts, model, bob } = await heldModel(1);
    const running = [0, 1, 2, 3, 4].map((index) => ask(chatOf(`a${index}`)));
    await until(() => open.size === 1 && slots.waiting === 4);
    expectRefused(await ask(chatOf('refused')));
    expectRefused(await ask(chatOf('refused', { stream: true })));
    running.push(ask(chatOf('b'), { key: bob }));
    await until(() => slots.waiting === 5);
    expect(await charges()).toEqual([]);
    for (let count = 1; count <= 6; count++) {
      await until(() => model.asked.length === count);
      answer(askedTexts().at(-1) as string);
    }
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(running.map(() => 200));
    expect([askedTexts().indexOf('b') <= 2, (await charges()).length]).toEqual([true, 6]);
    const spent = (await charges()).reduce((sum, { amount }) => sum + amount, 0);
    const tokens = Math.floor((GRANT_NANO_USD - spent) / 2_000 / 128);
    model.script = (_asked, response) => void response.end(completionText('Hello.'));
    // A chat that needs nearly the whole balance would be shortened if anything were held.
    expect((await ask(chatOf('all', { n: 16, max_tokens: tokens }))).status).toBe(200);
    expect(JSON.parse(model.asked.at(-1)?.body ?? '')).toMatchObject({ max_tokens: tokens });
  });

  it('keeps a stream in the slot to its end; a caller who leaves while waiting frees the place and pays nothing', async () => {
    const { ask, chat, charges, answer, open, slots, askedTexts } = await heldModel(1);
    const streaming = ask(chatOf('stream', { stream: true }));
    await until(() => open.has('stream'));
    open.get('stream')?.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Hel'));
    const leaving = new AbortController();
    const left = [1, 2, 3, 4].map((index) =>
      chat(chatOf(`left ${index}`, { stream: index > 2 }), { signal: leaving.signal }).catch(() => 'left'),
    );
    await until(() => slots.waiting === 4);
    expectRefused(await ask(chatOf('refused')));
    leaving.abort();
    expect(await Promise.all(left)).toEqual(['left', 'left', 'left', 'left']);
    await until(() => slots.waiting === 0);
    const next = ask(chatOf('next'));
    await until(() => slots.waiting === 1);
    expect(askedTexts()).toEqual(['stream']);
    open.get('stream')?.end(chunk('lo') + DONE);
    expect((await streaming).text).toContain('[DONE]');
    await until(() => open.has('next'));
    answer('next');
    expect([(await next).status, askedTexts(), (await charges()).length]).toEqual([200, ['stream', 'next'], 2]);
  });

  it('frees the slot of a stream whose client leaves, and of one that the server breaks off', async () => {
    const { ask, chat, open, slots, answer } = await heldModel(1);
    const leaving = new AbortController();
    const left = chat(chatOf('left', { stream: true }), { signal: leaving.signal });
    await until(() => open.has('left'));
    open.get('left')?.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Hel'));
    await left;
    const broken = ask(chatOf('broken', { stream: true })).catch(() => 'broken');
    await until(() => slots.waiting === 1);
    leaving.abort();
    await until(() => open.has('broken'));
    open.get('broken')?.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Hel'));
    const next = ask(chatOf('next'));
    await until(() => slots.waiting === 1);
    open.get('broken')?.destroy();
    await until(() => open.has('next'));
    answer('next');
    await broken;
    expect((await next).status).toBe(200);
    await until(() => slots.taken === 0);
  });

  it('gets no embeddings beyond the queue of its own service, and the others are answered', async () => {
    const { origin, key, model, charges } = await heldModel(1);
    model.script = async (_asked, response) => {
      await until(() => refused === 2);
      response.end(JSON.stringify({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 1 } }));
    };
    let refused = 0;
    const answers = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const response = await fetch(`${origin}/api/v1/embeddings`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: 'vectors', input: 'x' }),
        });
        if (response.status === 503) refused++;
        return [response.status, response.headers.get('retry-after')];
      }),
    );
    expect(answers.sort()).toEqual([...Array.from({ length: 5 }, () => [200, null]), [503, '1'], [503, '1']]);
    expect((await charges()).length).toBe(5);
  });
});
