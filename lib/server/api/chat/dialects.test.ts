import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, type ModelScript, scriptedModel, streams, USAGE, usageChunk } from '@/test/scripted-model';

/** Guarantee: an answer with many tool calls or several choices is served whole or ends with an error. */

const CALLS = 130;
const many: ModelScript = (_asked, response) => {
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'plain',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' },
      ],
      usage: USAGE,
    }),
  );
};

async function stage(script: ModelScript) {
  const model = await scriptedModel(script);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
  const post = (path: string, body: object) =>
    fetch(`${gateway.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify(body),
    });
  return { gateway, post };
}

it.each<[string, object, RegExp]>([
  ['/responses', { model: 'plain', input: 'Hi', stream: true }, /"type":"response.output_item.done"/g],
  [
    '/messages',
    { model: 'plain', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], stream: true },
    /"type":"content_block_stop"/g,
  ],
  ['/responses', { model: 'plain', input: 'Hi' }, /"type":"function_call"/g],
  ['/messages', { model: 'plain', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }, /"type":"tool_use"/g],
])('%s hands on more than 128 calls that came whole: they are paid for', async (path, body, each) => {
  const { gateway, post } = await stage(many);
  const response = await post(path, body);
  expect([response.status, (await response.text()).match(each)?.length]).toEqual([200, CALLS]);
  expect(await gateway.charges()).toHaveLength(1);
});

describe('a stream of several choices', () => {
  const finish = (index: number): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index, delta: {}, finish_reason: 'stop' }] })}\n\n`;
  const HELLO = { model: 'plain', stream: true, n: 2, messages: [{ role: 'user', content: 'Hi' }] };

  it('is broken where it ends with one of them unfinished', async () => {
    const { gateway, post } = await stage(streams(chunk('A'), finish(0), chunk('B')));
    await expect(post('/chat/completions', HELLO).then((response) => response.text())).rejects.toThrow();
    expect(await gateway.charges()).toHaveLength(1);
  });

  it.each([
    ['all of them have finished', [chunk('A'), finish(0), finish(1)]],
    ['[DONE] came', [chunk('A'), finish(0), usageChunk(), DONE]],
    [
      'one event finishes both',
      [chunk('A'), finish(0).replace(']}', ',{"index":1,"delta":{},"finish_reason":"length"}]}')],
    ],
  ])('is whole where %s', async (_where, events) => {
    const { post } = await stage(streams(...events));
    expect(await (await post('/chat/completions', HELLO)).text()).toContain('"A"');
  });

  it('and one choice that was asked for is whole once it has finished', async () => {
    const { post } = await stage(streams(chunk('A'), finish(0)));
    expect(await (await post('/chat/completions', { ...HELLO, n: 1 })).text()).toContain('"A"');
  });
});

describe.each<[string, object]>([
  ['/responses', { model: 'plain', input: 'Hi' }],
  ['/messages', { model: 'plain', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }],
])('under an Idempotency-Key %s', (path, body) => {
  it.each([false, true])('is answered again for nothing, in the same bytes (streamed: %s)', async (stream) => {
    const { gateway } = await stage(stream ? streams(chunk('Hel'), chunk('lo.'), usageChunk(), DONE) : many);
    const ask = async (key: string, more: object = {}) => {
      const response = await fetch(`${gateway.origin}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}`, 'idempotency-key': key },
        body: JSON.stringify({ ...body, stream, ...more }),
      });
      return {
        text: await response.text(),
        status: response.status,
        isReplayed: response.headers.get('idempotent-replayed'),
      };
    };
    const [first, second, other] = [await ask('one'), await ask('one'), await ask('two')];
    expect([second.text, first.isReplayed, second.isReplayed]).toEqual([first.text, null, 'true']);
    expect(other.text).not.toBe(first.text);
    expect(await gateway.charges()).toHaveLength(2);
    expect(await ask('one', { temperature: 1 })).toMatchObject({
      status: 400,
      text: expect.stringContaining('IDEMPOTENCY_KEY_REUSED') as string,
    });
  });
});
