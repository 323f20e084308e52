import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createTurnpike } from '../../src/turnpike';
import { describeCall, type ProxiedCall } from './proxied-call';
import { startProxy } from './proxy-server';

/** Guarantee: the proxy answers the requests that coding agents make besides calls, in every spelling of its paths. */

const TOKEN = 'token-of-a-test-1';
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a proxy at a gateway that gives each chat the same answer and other requests an empty one. */
async function proxied({
  model = {},
  refuse = () => null,
}: { model?: object; refuse?: (body: string) => object | null } = {}) {
  const paths: string[] = [];
  const sent: string[] = [];
  const calls: ProxiedCall[] = [];
  const completion = {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  };
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const isChat = request.url?.includes('completions') === true;
        if (isChat) sent.push(body);
        const refusal = isChat ? refuse(body) : null;
        response
          .writeHead(refusal === null ? 200 : 400, { 'content-type': 'application/json' })
          .end(JSON.stringify(refusal ?? (isChat ? completion : model)));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => void server.close().closeAllConnections());
  const customer = createTurnpike({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: 'key-of-a-test',
  });
  const running = await startProxy({
    customer,
    privacy: 'plain',
    privately: {},
    model: null,
    token: TOKEN,
    port: 0,
    onCall: (call) => calls.push(call),
  });
  ends.push(() => running.close());
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${running.port}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
  return {
    paths,
    calls,
    sent,
    ask,
    post: (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

const MESSAGES = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello there, how are you?' }] };

describe('a coding agent', () => {
  test.each([
    '/v1/models/org/name',
    '/v1/models/org%2Fname',
    '/v1/models/org/name/',
    '//v1/models/org/name',
    '/api/v1/models/org%2fname',
  ])('may ask for a model by %s', async (path) => {
    const { ask, paths } = await proxied();
    expect((await ask(path)).status).toBe(200);
    expect(paths).toEqual(['/api/v1/models/org%2Fname']);
  });

  test("may ask for a model with any marks that JavaScript's encodeURIComponent leaves", async () => {
    const { ask, paths } = await proxied();
    expect((await ask("/v1/models/~org/(a)'s_model!*")).status).toBe(200);
    expect(paths).toEqual(["/api/v1/models/~org%2F(a)'s_model!*"]);
  });

  test.each([
    '/v1/models/%2e%2e',
    '/v1/models/%2e',
    '/v1/models/a%00',
    '/v1/models/..%2fbilling%2fbalance',
    '/v1/models/..\\billing',
  ])('reaches nothing else by %s', async (path) => {
    const { ask, paths } = await proxied();
    await ask(path);
    for (const asked of paths) expect(asked).toMatch(/^\/api\/v1\/models(\/[^/]*%[^/]*)?$/);
  });

  test.each(['/v1/messages', '//v1/messages', '/v1/messages/', '/v1//messages?beta=true'])(
    'may send Messages to %s',
    async (path) => {
      const { post } = await proxied();
      expect(await (await post(path, MESSAGES)).json()).toMatchObject({ type: 'message', content: [{ text: 'Hi.' }] });
    },
  );

  test('may look whether the address answers, and have tokens counted, for which nobody is asked', async () => {
    const { ask, post, paths } = await proxied();
    expect((await ask('/', { method: 'HEAD' })).status).toBe(200);
    const few = (await (await post('/v1/messages/count_tokens', MESSAGES)).json()) as { input_tokens: number };
    const more = (await (
      await post('/v1/messages/count_tokens?beta=true', { ...MESSAGES, system: 'Be brief. '.repeat(100) })
    ).json()) as { input_tokens: number };
    expect(few.input_tokens).toBeGreaterThan(0);
    expect(more.input_tokens).toBeGreaterThan(few.input_tokens + 100);
    expect((await post('/v1/messages/count_tokens', { messages: 'x' })).status).toBe(400);
    expect(paths).toEqual([]);
  });

  test('is told on the terminal what its model was not sent', async () => {
    const { post, calls } = await proxied();
    await (await post('/v1/responses', { model: 'm', input: 'Hi', tools: [{ type: 'web_search\u001b[31m' }] })).text();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.leftOut).toHaveLength(1);
    expect(describeCall(calls[0] as ProxiedCall)).toMatch(/\n {2}Left out: .*web_search[^\u001b]*\n$/);
  });
});

describe('a picture in a session', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
  const pictured = {
    ...MESSAGES,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
  };
  const chat = {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
    ],
  };
  const blind = (body: string) =>
    body.includes('image_url')
      ? { error: 'This model does not support image input.', code: 'MODEL_REFUSED', hint: 'x' }
      : null;

  test('that a model refuses is left out of one more call, and of those that follow', async () => {
    const { post, sent, calls } = await proxied({ refuse: blind });
    expect(await (await post('/v1/messages', pictured)).json()).toMatchObject({
      content: [{ text: 'Hi.' }],
      metadata: { left_out: expect.stringContaining('images') as string },
    });
    expect((await post('/v1/chat/completions', chat)).status).toBe(200);
    expect(sent.map((body) => body.includes('image_url'))).toEqual([true, false, false]);
    await expect.poll(() => calls.length).toBe(2);
    for (const { leftOut } of calls) expect(leftOut).not.toEqual([]);
  });

  test('is sent to no model that the list calls blind, and to one that sees as it came', async () => {
    const listed = (supportsVision: boolean) => ({ model_spec: { capabilities: { supportsVision } } });
    const unseeing = await proxied({ model: listed(false) });
    expect(await (await unseeing.post('/v1/messages', pictured)).json()).toMatchObject({ content: [{ text: 'Hi.' }] });
    expect((await unseeing.post('/v1/chat/completions', chat)).status).toBe(200);
    for (const body of unseeing.sent) expect(body).not.toContain('image_url');
    const seeing = await proxied({ model: listed(true), refuse: blind });
    expect((await seeing.post('/v1/chat/completions', chat)).status).toBe(400);
    expect(seeing.sent).toEqual([JSON.stringify(chat)]);
  });
});

describe('an item that a request refers to, as the default provider of AI SDK does from the second turn on', () => {
  interface Answer {
    output: { id: string }[];
  }
  const next = (id: string, type: { type?: string | null } = { type: 'item_reference' }) => ({
    model: 'm',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { ...type, id: 'rs_0' },
      { ...type, id },
      { role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
    ],
  });
  const asked = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'And?' },
  ];

  test.each([false, true])('is one of an answer of this proxy (streamed: %s)', async (stream) => {
    const { post, sent } = await proxied();
    const first = await (await post('/v1/responses', { model: 'm', input: 'Hi', stream })).text();
    const [item] = (
      stream
        ? (JSON.parse(/event: response.completed\ndata: (.*)/.exec(first)?.[1] ?? '{}') as { response: Answer })
            .response
        : (JSON.parse(first) as Answer)
    ).output;
    for (const type of [undefined, {}, { type: null }]) {
      expect((await post('/v1/responses', next(item?.id ?? '', type))).status).toBe(200);
      expect((JSON.parse(sent.at(-1) ?? '{}') as { messages: unknown }).messages).toEqual(asked);
    }
  });

  test('is none of an answer that was not to be kept, or of another proxy', async () => {
    const { post } = await proxied();
    const { output } = (await (
      await post('/v1/responses', { model: 'm', input: 'Hi', store: false })
    ).json()) as Answer;
    for (const id of [output[0]?.id ?? '', 'msg_of_another']) {
      const refused = await post('/v1/responses', next(id));
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('Set \\"store\\" to false'),
      ]);
    }
  });
});
