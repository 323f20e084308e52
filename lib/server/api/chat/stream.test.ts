import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { charged, chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, refuses, says, scriptedModel, streams, usageChunk } from '@/test/scripted-model';

const ASK = { model: 'plain', stream: true, messages: [{ role: 'user', content: 'Hello?' }] };
const upstreams = (url: string) => ({ chatUpstreams: [{ name: 'test', url, key: 'sk-upstream-secret' }] });
const enclave = (url: string) => ({ enclaveUpstreams: [{ name: 'test', url }] });

describe('a stream', () => {
  it('is passed on byte for byte, without the usage that nobody asked for, and charged by it', async () => {
    const model = await scriptedModel(streams(chunk('Hel'), chunk('lo.'), usageChunk(), DONE));
    const gateway = await chatGateway(upstreams(model.url));
    const { status, headers, text } = await gateway.ask(ASK);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(text).toBe(chunk('Hel') + chunk('lo.') + DONE);
    expect(JSON.parse(model.asked[0]?.body ?? '')).toEqual({ ...ASK, stream_options: { include_usage: true } });
    expect(await gateway.charges()).toEqual([{ amount: 200_000, detail: '100 + 50 tokens', resource: 'chat/plain' }]);
  });

  it('has the usage where the client asked for it', async () => {
    const model = await scriptedModel(streams(chunk('Hello.'), usageChunk(), DONE));
    const { ask } = await chatGateway(upstreams(model.url));
    const body = { ...ASK, stream_options: { include_usage: true, other: 1 } };
    expect((await ask(body)).text).toBe(chunk('Hello.') + usageChunk() + DONE);
    expect(JSON.parse(model.asked[0]?.body ?? '')).toEqual(body);
  });

  it.each([1, 3, 7, 50, 10_000])('is the same in pieces of %i bytes', async (size) => {
    const whole = chunk('Héllo.') + usageChunk() + chunk('more') + DONE;
    const bytes = Buffer.from(whole);
    const model = await scriptedModel(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const { ask } = await chatGateway(upstreams(model.url));
    expect((await ask(ASK)).text).toBe(chunk('Héllo.') + chunk('more') + DONE);
  });

  it('of an attested model is neither asked for more nor relieved of anything', async () => {
    const model = await scriptedModel(streams(': comment\n\n', chunk('Hello.'), usageChunk(), DONE, '\n'));
    const gateway = await chatGateway(enclave(model.url));
    const body = JSON.stringify({ ...ASK, max_tokens: 10 }, null, 2);
    const { text } = await gateway.ask(body);
    expect(text).toBe(': comment\n\n' + chunk('Hello.') + usageChunk() + DONE + '\n');
    expect(model.asked[0]?.body).toBe(body);
    expect((await gateway.charges())[0]?.detail).toBe('100 + 50 tokens');
  });

  it('ends for its client though its server sends on and on after [DONE]', async () => {
    let sent = 0;
    const model = await scriptedModel((asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Hello.') + usageChunk() + DONE);
      const more = `: ${'x'.repeat(10_000)}\n\n`;
      const timer = setInterval(() => response.write(more) && (sent += more.length), 1);
      void asked.aborted.then(() => clearInterval(timer));
    });
    const gateway = await chatGateway(upstreams(model.url));
    const { text } = await gateway.ask(ASK);
    expect(text.startsWith(chunk('Hello.') + DONE)).toBe(true);
    expect(text.length).toBeLessThan(200_000);
    expect(await model.asked[0]?.aborted).toBe(true);
    expect((await gateway.charges()).map(({ detail }) => detail)).toEqual(['100 + 50 tokens']);
  });

  it('ends for its client though its server does not close after [DONE]', async () => {
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Hello.') + usageChunk() + DONE);
      const timer = setInterval(() => response.write(': \n\n'), 50);
      response.once('close', () => clearInterval(timer));
    });
    const gateway = await chatGateway({ ...upstreams(model.url), idleTimeoutMs: 400 });
    expect((await gateway.ask(ASK)).text.startsWith(chunk('Hello.') + DONE)).toBe(true);
    expect(await gateway.charges()).toHaveLength(1);
  });

  it('may be announced by an interim response', async () => {
    const model = await scriptedModel((_asked, response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(chunk('Hello.') + usageChunk() + DONE);
    });
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask(ASK)).text).toBe(chunk('Hello.') + DONE);
  });

  it('is charged an estimate where nobody counts', async () => {
    const model = await scriptedModel(streams(chunk('x'.repeat(400)), DONE));
    const gateway = await chatGateway(upstreams(model.url));
    await gateway.ask(ASK);
    expect((await gateway.charges())[0]?.detail).toBe('2 + 100 tokens');
  });

  it('reaches the client while it runs', async () => {
    let finish = (): void => undefined;
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('first'));
      finish = () => response.end(DONE);
    });
    const { chat } = await chatGateway(upstreams(model.url));
    const reader = ((await chat(ASK)).body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(chunk('first'));
    finish();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(DONE);
  });

  it('ends with [DONE] only once its charge is committed', async () => {
    const model = await scriptedModel(streams(chunk('a'), usageChunk(), DONE));
    const gateway = await chatGateway(upstreams(model.url));
    for (let i = 0; i < 10; i++) {
      const { text } = await gateway.ask(ASK);
      expect(text).toContain(DONE);
      expect(await gateway.charges()).toHaveLength(i + 1);
    }
  });

  it('frees all that it held but did not take', async () => {
    const model = await scriptedModel(streams(chunk('a'), usageChunk(), DONE));
    const gateway = await chatGateway(upstreams(model.url), 1_000_000_000);
    await gateway.ask(ASK);
    expect(await gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' })).toBe(
      1_000_000_000 - 200_000,
    );
  });

  it('is made of a whole answer where the server gave one instead', async () => {
    const model = await scriptedModel(says('Hello.'));
    const gateway = await chatGateway(upstreams(model.url));
    const { text, headers } = await gateway.ask(ASK);
    expect([text.match(/"content":"[^"]*"/g), text.endsWith(DONE), headers.get('content-type')]).toEqual([
      ['"content":"Hello."'],
      true,
      'text/event-stream',
    ]);
    expect((await gateway.charges()).map(({ detail }) => detail)).toEqual(['100 + 50 tokens']);
  });

  it('of many at once are all whole and all charged', async () => {
    const model = await scriptedModel(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let i = 0; i < 20; i++) {
        response.write(chunk(`word ${i}`));
        await sleep(2);
      }
      response.end(usageChunk() + DONE);
    });
    const gateway = await chatGateway(upstreams(model.url), 100_000_000_000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.ask(ASK)));
    for (const { text } of answers) expect(text.split('\n\n')).toHaveLength(22);
    expect(await gateway.charges()).toHaveLength(50);
  });
});

describe('a stream that breaks off', () => {
  const BROKEN =
    'data: {"error":{"message":"The model\'s answer ended early. The part that arrived was charged. Send the request again. The new answer starts from the beginning.","type":"invalid_request_error","code":"ANSWER_BROKEN","param":null}}\n\n';

  it('ends in an error, after what came, and is charged what was produced', async () => {
    const model = await scriptedModel(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)));
      await sleep(20);
      response.destroy();
    });
    const gateway = await chatGateway(upstreams(model.url));
    const reader = ((await gateway.chat(ASK)).body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(chunk('x'.repeat(40)));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(BROKEN);
    await expect(reader.read()).rejects.toThrow();
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 10 tokens$/);
  });

  it('in the middle of an event does not pass on half of it', async () => {
    const model = await scriptedModel(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('whole') + chunk('half').slice(0, 30));
      await sleep(20);
      response.destroy();
    });
    const gateway = await chatGateway(upstreams(model.url));
    const reader = ((await gateway.chat(ASK)).body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(chunk('whole'));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(BROKEN);
    await expect(reader.read()).rejects.toThrow();
  });

  it('before its first word, after events without any, is charged nothing', async () => {
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': waiting\n\n' + chunk(''));
      setTimeout(() => response.destroy(), 20);
    });
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask(ASK)).json.code).toBe('MODEL_UNAVAILABLE');
    expect(await gateway.charges()).toEqual([]);
    expect(await gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' })).toBe(
      1_000_000_000,
    );
  });

  it('by an orderly end of the connection is seen too: there was neither [DONE] nor a reason to end', async () => {
    const model = await scriptedModel(streams(chunk('x'.repeat(40))));
    const gateway = await chatGateway(upstreams(model.url));
    await expect(gateway.ask(ASK)).rejects.toThrow();
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 10 tokens$/);
  });

  it('is whole without [DONE] where a choice said why it ended', async () => {
    const parts = chunk('x'.repeat(40)) + 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
    const model = await scriptedModel(streams(parts));
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask(ASK)).text).toBe(parts);
    expect(await charged(gateway)).toHaveLength(1);
  });

  it('after usage was reported is charged that, and what came since', async () => {
    const counted = chunk('x'.repeat(40), { usage: { prompt_tokens: 7, completion_tokens: 3 } });
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(counted + chunk('y'.repeat(20)));
      setTimeout(() => response.destroy(), 20);
    });
    const gateway = await chatGateway(upstreams(model.url));
    await expect(gateway.ask(ASK)).rejects.toThrow();
    expect((await charged(gateway))[0]?.detail).toBe('7 + 8 tokens');
  });

  it('is waited for as long as a first event may take, however short the pauses may be after it', async () => {
    const model = await scriptedModel(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      await sleep(400);
      response.end(chunk('late') + DONE);
    });
    const gateway = await chatGateway({ ...upstreams(model.url), idleTimeoutMs: 100, firstByteTimeoutMs: 30_000 });
    expect((await gateway.ask(ASK)).text).toBe(chunk('late') + DONE);
  });

  it('because the upstream fell silent is the same', async () => {
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('then nothing'));
    });
    const gateway = await chatGateway({ ...upstreams(model.url), idleTimeoutMs: 50 });
    await expect(gateway.ask(ASK)).rejects.toThrow();
    expect(await charged(gateway)).toHaveLength(1);
  });

  it('before its first event has not begun: it is 503, and charged nothing', async () => {
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
    });
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask(ASK)).json.code).toBe('MODEL_UNAVAILABLE');
    expect(await gateway.charges()).toEqual([]);
    expect(await gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' })).toBe(
      1_000_000_000,
    );
  });

  it('because the client left aborts the upstream and is charged what was produced', async () => {
    const model = await scriptedModel((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)));
    });
    const gateway = await chatGateway(upstreams(model.url));
    const leaving = new AbortController();
    const response = await gateway.chat(ASK, { signal: leaving.signal });
    await (response.body as ReadableStream<Uint8Array>).getReader().read();
    leaving.abort();
    expect(await model.asked[0]?.aborted).toBe(true);
    expect((await charged(gateway))[0]?.detail).toBe('2 + 10 tokens');
  });

  it('because the client left before its first word aborts the upstream and is charged the prompt', async () => {
    const model = await scriptedModel(() => undefined);
    const gateway = await chatGateway(upstreams(model.url));
    for (const body of [ASK, { ...ASK, stream: false }]) {
      const leaving = new AbortController();
      const answer = gateway.chat(body, { signal: leaving.signal });
      const asked = model.asked.length;
      while (model.asked.length === asked) await sleep(5);
      leaving.abort();
      await expect(answer).rejects.toThrow();
      expect(await model.asked.at(-1)?.aborted).toBe(true);
    }
    await sleep(50);
    expect((await charged(gateway)).map(({ detail }) => detail)).toEqual(['2 + 0 tokens', '2 + 0 tokens']);
  });
});

describe('an upstream that refuses to stream', () => {
  it.each([
    [400, 'MODEL_REFUSED'],
    [401, 'MODEL_MISCONFIGURED'],
    [429, 'MODEL_BUSY'],
    [500, 'MODEL_UNAVAILABLE'],
  ])('with %i is %s, and charges nothing', async (said, code) => {
    const model = await scriptedModel(refuses(said, { error: { message: 'No, sk-upstream-secret.' } }));
    const gateway = await chatGateway(upstreams(model.url));
    const { json, text } = await gateway.ask(ASK);
    expect(json.code).toBe(code);
    expect(text).not.toContain('sk-upstream-secret');
    expect(await gateway.charges()).toEqual([]);
    expect(await gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' })).toBe(
      1_000_000_000,
    );
  });

  it('in an event tells its reason without its secrets', async () => {
    const model = await scriptedModel(
      streams(chunk('a'), 'data: {"error":{"message":"overloaded sk-upstream-secret"}}\n\n', DONE),
    );
    const { ask } = await chatGateway(upstreams(model.url));
    const { text } = await ask(ASK);
    expect(text).toContain('overloaded [redacted]');
    expect(text).not.toContain('sk-upstream-secret');
  });
});
