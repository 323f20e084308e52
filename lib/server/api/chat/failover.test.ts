import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { refusingUrl } from '@/test/scripted-node';
import {
  chunk,
  completionText,
  DONE,
  type ModelScript,
  refuses,
  says,
  type ScriptedModel,
  scriptedModel,
  streams,
  usageChunk,
} from '@/test/scripted-model';

const WHOLE = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }] };
const STREAMED = { ...WHOLE, stream: true };
const REPLY = completionText('From the second.');
const EVENTS = chunk('From the second.') + DONE;

/** Starts two servers with the same model. The test scripts the first, and the second answers. */
async function two(first: ModelScript, settings: Record<string, unknown> = {}) {
  const one = await scriptedModel(first);
  const other = await scriptedModel((asked, response) =>
    (asked.body.includes('"stream":true')
      ? streams(chunk('From the second.'), usageChunk(), DONE)
      : says('From the second.'))(asked, response),
  );
  const gateway = await chatGateway({
    chatUpstreams: [
      { name: 'one', url: one.url },
      { name: 'other', url: other.url },
    ],
    ...settings,
  });
  return { one, other, ...gateway };
}

const HEADERS_ONLY = 'headers only';
const beginsAndHangs: ModelScript = (_asked, response) =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
const breaksOff: ModelScript = (_asked, response) => void response.destroy();
const saysNothing: ModelScript = () => undefined;
const beginsWith =
  (text: string): ModelScript =>
  (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    setTimeout(() => response.destroy(), 20);
  };

describe('where one upstream fails before its answer begins, the next that has the model answers, and is charged once', () => {
  it.each<[string, ModelScript]>([
    ['breaks off', breaksOff],
    ['takes too long', saysNothing],
    ['says 500', refuses(500, 'oops')],
    ['says 502 in HTML', refuses(502, '<html>', { 'content-type': 'text/html' })],
    ['says 429', refuses(429, {})],
    ['says 408', refuses(408, {})],
    ['says 402', refuses(402, {})],
    ['answers in HTML', refuses(200, '<html>It works!</html>', { 'content-type': 'text/html' })],
    ['says 503 in the body of a 200', refuses(200, { error: { message: 'overloaded', code: 503 } })],
    ['says nothing of use', refuses(200, {})],
  ])('one that %s', async (_what, script) => {
    const { one, other, ask, charges } = await two(script, { firstByteTimeoutMs: 300 });
    expect((await ask(WHOLE)).text).toBe(REPLY);
    expect((await ask(STREAMED)).text).toBe(EVENTS);
    expect([one.asked.length, other.asked.length]).toEqual([2, 2]);
    expect((await charges()).map(({ detail }) => detail)).toEqual(['100 + 50 tokens', '100 + 50 tokens']);
  });

  it.each<[string, string]>([
    ['breaks off after its headers', ''],
    ['says nothing after its headers', HEADERS_ONLY],
    ['breaks off in its first event', chunk('half').slice(0, 20)],
    ['begins with an error', 'data: {"error":{"message":"overloaded"}}\n\n'],
  ])('a stream that %s', async (_what, text) => {
    const { ask, charges } = await two(text === HEADERS_ONLY ? beginsAndHangs : beginsWith(text), {
      firstByteTimeoutMs: 300,
    });
    expect((await ask(STREAMED)).text).toBe(EVENTS);
    expect(await charges()).toHaveLength(1);
  });

  it('one that is not there at all', async () => {
    const other = await scriptedModel(says('From the second.'));
    const gone = await scriptedModel();
    const { ask } = await chatGateway({
      chatUpstreams: [
        { name: 'gone', url: await refusingUrl() },
        { name: 'other', url: other.url },
      ],
    });
    expect((await ask(WHOLE)).text).toBe(REPLY);
    expect(gone.asked).toEqual([]);
  });
});

describe('no other upstream is asked', () => {
  it.each([400, 401, 403, 404, 413, 422])('where the first refuses with %i', async (status) => {
    const { other, ask, charges } = await two(refuses(status, { error: { message: 'No' } }));
    for (const body of [WHOLE, STREAMED]) expect((await ask(body)).status).toBeGreaterThanOrEqual(400);
    expect(other.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it('once something was produced', async () => {
    const { other, ask, charges } = await two(beginsWith(chunk('x'.repeat(40))));
    await expect(ask(STREAMED)).rejects.toThrow();
    await expect.poll(async () => (await charges()).length).toBe(1);
    expect(other.asked).toEqual([]);
  });

  it('once the client has gone', async () => {
    const { one, other, chat, charges } = await two(saysNothing);
    for (const body of [WHOLE, STREAMED]) {
      const leaving = new AbortController();
      const before = one.asked.length;
      const answer = chat(body, { signal: leaving.signal });
      await expect.poll(() => one.asked.length).toBe(before + 1);
      leaving.abort();
      await expect(answer).rejects.toThrow();
      expect(await one.asked.at(-1)?.aborted).toBe(true);
    }
    await expect.poll(async () => (await charges()).length).toBe(2);
    expect(other.asked).toEqual([]);
  });

  it('after the time for all of them is over', async () => {
    const { other, ask } = await two(saysNothing, { firstByteTimeoutMs: 400, failoverTimeoutMs: 200 });
    expect((await ask(WHOLE)).json.code).toBe('MODEL_TIMEOUT');
    expect(other.asked).toEqual([]);
  });

  it.each([
    ['another enclave', (url: string) => ({ enclaveUpstreams: [{ name: 'second', url }] })],
    ['a plain server', (url: string) => ({ chatUpstreams: [{ name: 'second', url }] })],
  ])(
    'for an attested model, though %s has one of that name: nobody else has the key that was attested',
    async (_what, second) => {
      const [one, other] = [await scriptedModel(breaksOff), await scriptedModel()];
      const { enclaveUpstreams = [], ...rest } = second(other.url) as { enclaveUpstreams?: object[] };
      const { ask, charges } = await chatGateway({
        enclaveUpstreams: [{ name: 'first', url: one.url }, ...enclaveUpstreams],
        ...rest,
      });
      for (let i = 0; i < 5; i++)
        for (const body of [WHOLE, STREAMED]) expect((await ask(body)).json.code).toBe('MODEL_UNAVAILABLE');
      expect(other.asked).toEqual([]);
      expect(await charges()).toEqual([]);
    },
  );

  it('that can do less than the model does', async () => {
    const one = await scriptedModel(breaksOff);
    const other = await scriptedModel(says('x'), [{ id: 'plain', capabilities: { supportsFunctionCalling: false } }]);
    const { ask } = await chatGateway({
      chatUpstreams: [
        { name: 'one', url: one.url },
        { name: 'other', url: other.url },
      ],
    });
    expect((await ask(WHOLE)).json.code).toBe('MODEL_UNAVAILABLE');
    expect(other.asked).toEqual([]);
  });
});

describe('an upstream that keeps failing', () => {
  it('is asked last after three failures, and nobody waits for it', async () => {
    const { one, other, ask } = await two(refuses(500, {}));
    for (let i = 0; i < 6; i++) expect((await ask(WHOLE)).status).toBe(200);
    expect([one.asked.length, other.asked.length]).toEqual([3, 6]);
  });

  it('is asked all the same where the others fail too', async () => {
    const { one, other, ask } = await two(refuses(500, {}));
    for (let i = 0; i < 3; i++) await ask(WHOLE);
    one.script = says('Well again.');
    other.script = breaksOff;
    expect((await ask(WHOLE)).text).toBe(completionText('Well again.'));
  });

  it('is the only one of its model: it is never refused unasked', async () => {
    const model = await scriptedModel(refuses(500, {}));
    const { ask } = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
    for (let i = 0; i < 5; i++) expect((await ask(WHOLE)).status).toBe(503);
    model.script = says('Hello.');
    expect((await ask(WHOLE)).status).toBe(200);
  });

  it('is offline in the list of models only where nobody else has the model', async () => {
    const offline = async (get: (path: string) => Promise<{ json: unknown }>) =>
      ((await get('/models')).json as { data: { model_spec: { offline: boolean } }[] }).data.map(
        ({ model_spec: spec }) => spec.offline,
      );
    const { ask, get } = await two(refuses(500, {}));
    for (let i = 0; i < 3; i++) await ask(WHOLE);
    expect(await offline(get)).toEqual([false]);
    const alone = await scriptedModel(refuses(500, {}));
    const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: alone.url }] });
    expect(await offline(gateway.get)).toEqual([false]);
    for (let i = 0; i < 3; i++) await gateway.ask(WHOLE);
    await expect.poll(() => offline(gateway.get), { timeout: 5_000 }).toEqual([true]);
  });
});

describe('what is held', () => {
  it('covers the largest of the models that may answer', async () => {
    const huge: ScriptedModel = await scriptedModel(says('long', { prompt_tokens: 2_000, completion_tokens: 2_000 }), [
      { id: 'plain', context_length: 50_000 },
    ]);
    const one = await scriptedModel(breaksOff);
    const { ask, charges } = await chatGateway({
      chatUpstreams: [
        { name: 'one', url: one.url },
        { name: 'huge', url: huge.url },
      ],
    });
    await ask({ ...WHOLE, padding: 'x'.repeat(3_000) });
    expect(await charges()).toMatchObject([{ amount: 2_000 * 1_000 + 2_000 * 2_000 }]);
  });

  it('is the larger of two limits: servers differ in which one they keep to', async () => {
    const model = await scriptedModel(says('long', { prompt_tokens: 10, completion_tokens: 900 }));
    const { ask, charges } = await chatGateway({ chatUpstreams: [{ name: 'one', url: model.url }] });
    await ask({ ...WHOLE, max_completion_tokens: 1, max_tokens: 900 });
    expect(await charges()).toMatchObject([{ amount: 10 * 1_000 + 900 * 2_000 }]);
  });
});
