import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { type ModelScript, scriptedModel } from '@/test/scripted-model';
import { serve } from '@/test/test-gateway';
import { chunk, DONE, type Found, type OddStream } from './odd-stream';
import { ODD_STREAMS } from './odd-streams';
import { toldByAiSdk, toldByOpenAI } from './official-readers';
import {
  proxyBefore,
  type Told,
  toldByChats,
  toldByConsole,
  toldByMessages,
  toldByPackage,
  toldByResponses,
} from './stream-readers';

/**
 * Guarantee: gateway, proxy, package and console return the same result for every format of a server's answer, and so
 * do OpenAI's SDK and the AI SDK behind the gateway.
 */

const STAYS_OPEN_MS = 20_000;
/** Timeout for an answer whose server keeps its connection open, on a busy machine. */
const READ_MS_MAX = 10_000;

function send({ body, contentType = 'text/event-stream', then = 'ends' }: OddStream, response: ServerResponse): void {
  response.writeHead(200, contentType === null ? {} : { 'content-type': contentType });
  if (then === 'ends') return void response.end(body);
  response.write(body);
  const timer = setTimeout(
    () => (then === 'breaks' ? response.destroy() : response.end()),
    then === 'breaks' ? 20 : STAYS_OPEN_MS,
  );
  response.once('close', () => clearTimeout(timer));
}

/** Tokens that a charge states. */
function chargedTokens(detail: string): Found['usage'] {
  const [, promptTokens, completionTokens] = /^(\d+) \+ (\d+) tokens$/.exec(detail) ?? [];
  return { promptTokens: Number(promptTokens), completionTokens: Number(completionTokens) };
}

function expectSame(told: Told, { text, hasBegun, end, ...expected }: Found): void {
  if (typeof end === 'object') {
    if (hasBegun) expect(told.end).toEqual({ error: expect.stringContaining(end.error) as string });
    else expect(told.end).toHaveProperty('error');
  } else if (end === 'cut') expect(told.end).toHaveProperty('error');
  else {
    const { reasoning = expected.reasoning, calls = expected.calls, usage = expected.usage } = told;
    expect({ text: told.text, reasoning, calls, usage, end: told.end }).toEqual({ ...expected, text, end });
  }
}

const NEXT: ModelScript = (_asked, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(
      'data: {"choices":[{"index":0,"delta":{"content":"From the next."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );

test('there are 60 of them at least, under names of their own', () => {
  expect(new Set(ODD_STREAMS.map(({ name }) => name)).size).toBe(ODD_STREAMS.length);
  expect(ODD_STREAMS.length).toBeGreaterThanOrEqual(60);
});

test('an event of 20 MiB comes through the gateway, and one that does not end is broken off', async () => {
  const content = 'x'.repeat(20 * 1024 * 1024);
  const model = await scriptedModel((_asked, response) =>
    send(
      { name: '', body: chunk({ content }) + chunk({}, 'stop') + DONE, expected: ODD_STREAMS[0]?.expected as Found },
      response,
    ),
  );
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] }, 1_000_000_000_000);
  const ask = () => gateway.chat({ model: 'plain', stream: true, messages: [{ role: 'user', content: 'Hello?' }] });
  const told = await toldByPackage(await ask());
  expect([told.text?.length, told.end]).toEqual([content.length, 'stop']);
  model.script = (asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: "${content}${content}`);
    void asked.aborted.then(() => response.destroy());
  };
  expect((await ask()).status).toBeGreaterThanOrEqual(500);
}, 60_000);

describe.each(ODD_STREAMS.map((stream) => [stream.name, stream] as const))('an answer %s', (name, stream) => {
  const { expected } = stream;

  test('is the same for package, console and proxy', async () => {
    const { origin } = await serve(
      (request, response) => void request.resume().once('end', () => send(stream, response)),
    );
    const proxy = await proxyBefore(origin);
    const startedMs = performance.now();
    const read = [
      fetch(`${origin}/api/v1/chat/completions`, { method: 'POST', body: '{}' }).then(toldByPackage),
      toldByConsole(origin),
      toldByChats(proxy),
      toldByMessages(proxy),
      toldByResponses(proxy),
    ];
    const told = await Promise.all(read);
    for (const each of told) expectSame(each, expected);
    expect(performance.now() - startedMs).toBeLessThan(
      stream.then === 'stays open' ? READ_MS_MAX : Number.POSITIVE_INFINITY,
    );
  });

  test('is the same behind the gateway, and charged by what was told', async () => {
    const model = await scriptedModel((_asked, response) => send(stream, response));
    const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
    const response = await gateway.chat({
      model: 'plain',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hello?' }],
    });
    if (response.ok) expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    // A client that reads only HTTP can notice a cut stream.
    const isCut = expected.end === 'cut' && expected.hasBegun;
    if (isCut) await expect(response.text()).rejects.toThrow();
    const told = isCut ? null : await toldByPackage(response);
    if (told && !expected.hasBegun) {
      expectSame(told, expected);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await gateway.charges()).toEqual([]);
      return;
    }
    await expect.poll(async () => (await gateway.charges()).length).toBe(1);
    const [charge] = await gateway.charges();
    const charged = chargedTokens(charge?.detail ?? '');
    if (expected.usage !== null) expect(charged).toEqual(expected.usage);
    // If the server states no usage, the caller gets the charged tokens.
    if (told) expectSame(told, { ...expected, usage: charged });
  });

  test("is read behind the gateway by OpenAI's SDK and the AI SDK", async () => {
    const model = await scriptedModel((_asked, response) => send(stream, response));
    const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] }, 1_000_000_000_000);
    // The AI SDK needs a finish reason.
    const readers = name === 'without a reason to end' ? [toldByOpenAI] : [toldByOpenAI, toldByAiSdk];
    for (const read of readers) {
      const told = await read(gateway);
      const { usage = null, ...rest } = told;
      // The AI SDK does not wait for an id.
      if (name === 'calls with an id that comes late' && read === toldByAiSdk) delete rest.calls;
      // If the server states no usage, the gateway counts the tokens.
      expectSame({ ...rest, ...(expected.usage !== null && usage !== null && { usage }) }, expected);
    }
  });

  if (expected.hasBegun) return;
  test('is given by the next server, since none has begun', async () => {
    const [one, other] = [await scriptedModel((_asked, response) => send(stream, response)), await scriptedModel(NEXT)];
    const gateway = await chatGateway({
      chatUpstreams: [
        { name: 'one', url: one.url },
        { name: 'other', url: other.url },
      ],
    });
    const told = await toldByPackage(
      await gateway.chat({ model: 'plain', stream: true, messages: [{ role: 'user', content: 'Hello?' }] }),
    );
    expect([told.text, told.end]).toEqual(['From the next.', 'stop']);
    expect([one.asked.length, other.asked.length, (await gateway.charges()).length]).toEqual([1, 1, 1]);
  });
});
