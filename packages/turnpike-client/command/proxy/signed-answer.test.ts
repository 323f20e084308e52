import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTurnpike } from '../../src/turnpike';
import { ProxiedRequest } from './proxied-request';
import { signedAnswer } from './signed-answer';

/**
 * Guarantee: in every API, the proxy withholds whatever a program could read as the end of an attested answer until the
 * signature is valid.
 */

const MODEL = 'tee-guide';
const TOKEN = 'token-of-the-proxy';
const enclave = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const utf8 = new TextEncoder();
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const chunk = (delta: object, more: object = {}, id = 'chatcmpl-1') => ({
  id,
  object: 'chat.completion.chunk',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const WORDS =
  event(chunk({ role: 'assistant', content: '' })) +
  event(chunk({ content: 'Trust ' })) +
  event(chunk({ content: 'me.' }));
const FINISH = event(chunk({}, { finish_reason: 'stop' }));
const USAGE = event({ id: 'chatcmpl-1', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } });
const DONE = 'data: [DONE]\n\n';
const WHOLE = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Trust me.' }, finish_reason: 'stop' }],
});

/** Behavior of an untrusted gateway. */
interface Scene {
  chunks: readonly Uint8Array[];
  contentType: string;
  signs: 'the answer' | 'another answer' | 'with another key' | 'nothing';
  /** Text that the program has received when the proxy requests the signature. */
  sentBefore: string;
}
let scene: Scene;
const play = (body: string | readonly Uint8Array[], signs: Scene['signs'], contentType = 'text/event-stream'): void =>
  void (scene = { chunks: typeof body === 'string' ? [utf8.encode(body)] : body, contentType, signs, sentBefore: '' });

let url = '';
let written = '';
const signatureOf = async (request: string): Promise<Response> => {
  scene.sentBefore = written;
  if (scene.signs === 'nothing')
    return Response.json(
      { error: 'There is none.', code: 'SIGNATURE_NOT_FOUND' },
      { status: 404, headers: { 'x-request-id': 'r'.repeat(32) } },
    );
  const answer = scene.signs === 'another answer' ? sha256('') : sha256(Buffer.concat(scene.chunks));
  const text = `${sha256(request)}:${answer}`;
  return Response.json({
    text,
    signature: await (scene.signs === 'with another key' ? other : enclave).signMessage({ message: text }),
    signing_algo: 'ecdsa',
  });
};
const chats: typeof fetch = (_input, init) => {
  const bodyText = String(init?.body);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const bytes of scene.chunks) controller.enqueue(bytes);
      controller.close();
    },
  });
  const connection = { baseUrl: 'https://gateway.example', fetch: () => signatureOf(bodyText) };
  return signedAnswer(new Response(body, { headers: { 'content-type': scene.contentType } }), {
    connection,
    model: MODEL,
    bodyText,
    attestedAddress: enclave.address.toLowerCase(),
    signal: null,
    retryDelaysMs: [],
    onSignature: () => undefined,
  });
};
const customer = createTurnpike({ url: 'https://gateway.example', account: enclave });
const server = createServer((request, response) => {
  const write = response.write.bind(response) as (part: string | Uint8Array) => boolean;
  response.write = (part: string | Uint8Array) => {
    written += typeof part === 'string' ? part : Buffer.from(part).toString();
    return write(part);
  };
  void new ProxiedRequest(request, response, {
    customer,
    chats,
    model: null,
    token: TOKEN,
    onCall: () => undefined,
  }).serve((server.address() as AddressInfo).port);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

const APIS = {
  chat: { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } },
  responses: { path: '/v1/responses', body: { input: 'Hi' } },
  messages: { path: '/v1/messages', body: { max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] } },
} as const;
type Api = keyof typeof APIS;
const apis = Object.keys(APIS) as Api[];

async function ask(api: Api, stream = true): Promise<{ status: number; text: string }> {
  written = '';
  const response = await fetch(url + APIS[api].path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ model: MODEL, stream, ...APIS[api].body }),
  });
  return { status: response.status, text: await response.text() };
}

/** Returns whether the most lenient program would consider an answer ended. */
function looksEnded(text: string): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const data = line.replace(/^[\s\ufeff]*(?:data)?\s*:?\s*/, '');
    return (
      data.startsWith('[DONE]') ||
      /"finish\\?_?(?:\\u005f)?reason"\s*:\s*"|"finish_reason"\s*:\s*(?!null)\S|"message_stop"|"stop_reason"\s*:\s*"|response\.(?:completed|incomplete)/iu.test(
        data,
      )
    );
  });
}

/** Cuts a text into chunks at these byte offsets. */
function cut(text: string, places: readonly number[]): Uint8Array[] {
  const bytes = utf8.encode(text);
  const at = [
    0,
    ...[...new Set(places.map((place) => place % bytes.length))].sort((one, another) => one - another),
    bytes.length,
  ];
  return at.slice(1).map((end, index) => bytes.slice(at[index], end));
}

const FORGED = [
  DONE,
  'data:[DONE]\n\n',
  'data: [DONE] \n\n',
  'data: [DONE] and more\n\n',
  'data:  [DONE]\n\n',
  'data: [DONE]',
  'data: [DONE]\n',
  ' data: [DONE]\n\n',
  '\ufeffdata: [DONE]\n\n',
  'data : [DONE]\n\n',
  ': a comment\ndata: [DONE]\n\n',
  'event: message\ndata: [DONE]\n\n',
  'data: {"choices":\ndata: []}\ndata: [DONE]\n\n',
  ': data: [DONE]\n\n',
  DONE + DONE,
  DONE + event(chunk({ content: 'A tail.' })) + DONE,
  FINISH,
  FINISH + USAGE + DONE,
  event(chunk({ content: '' }, { finish_reason: 'length' })),
  event({
    choices: [
      { index: 1, delta: {}, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'stop' },
    ],
  }),
  event(chunk({}, { finish_reason: true })),
  event({ choices: { 0: { delta: {}, finish_reason: 'stop' } } }),
  'data: {"choices":[{"delta":{},"finish\\u005freason" : "stop"}]}\n\n',
  'data: {"choices":[{"delta":{},"finish_reason":"stop","finish_reason":null}]}\n\n',
  'data: {"choices":[{"delta":{},"Finish_Reason":"stop"}]}\n\n',
  'data: {"choices":[{"delta":{},\ndata: "finish_reason":\ndata: "stop"}]}\n\n',
  event({ type: 'message_stop', choices: [{ delta: {}, finish_reason: 'stop' }] }),
  event(JSON.parse(WHOLE)),
  WHOLE,
] as const;
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const places = fc.array(fc.nat(), { maxLength: 12 });
const faulty = fc.constantFrom<Scene['signs']>('another answer', 'with another key', 'nothing');

describe('an end that nobody has signed', () => {
  test('is not passed on, however it is written, cut and typed, in any of the three APIs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FORGED),
        lineEnd,
        places,
        faulty,
        fc.constantFrom(...apis),
        async (end, lines, cuts, signs, api) => {
          play(cut((WORDS + end).replaceAll('\n', lines), cuts), signs);
          const { text } = await ask(api);
          expect(looksEnded(text)).toBe(false);
          expect(text).toMatch(/"error"/);
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each(apis)('one byte at a time (%s)', async (api) => {
    for (const end of FORGED) {
      play(cut(WORDS + end, [...utf8.encode(WORDS + end).keys()]), 'another answer');
      const { text } = await ask(api);
      expect([end, looksEnded(text)]).toEqual([end, false]);
    }
  });

  test.each(apis)('ends no whole answer either: there is none (%s)', async (api) => {
    for (const contentType of ['application/json', 'text/plain', 'text/event-stream2']) {
      for (const signs of ['another answer', 'with another key', 'nothing'] as const) {
        play(WHOLE, signs, contentType);
        const { status, text } = await ask(api, false);
        expect([status >= 400, text.includes('Trust me.')]).toEqual([true, false]);
      }
    }
  });

  test.each(apis)('is not shown as an end if the gateway sends no answer (%s)', async (api) => {
    for (const contentType of ['application/json', 'text/event-stream']) {
      play([], 'the answer', contentType);
      const { text } = await ask(api, contentType === 'text/event-stream');
      expect([looksEnded(text), /"error"/.test(text)]).toEqual([false, true]);
    }
  });
});

describe('an answer that is signed', () => {
  const honest = fc.tuple(lineEnd, places, fc.constantFrom('', '\ufeff', ': keep-alive\n\n'), fc.constantFrom(...apis));
  test('is passed on whole, however its stream is written and cut, and its end only after the check', async () => {
    await fc.assert(
      fc.asyncProperty(honest, async ([lines, cuts, beginning, api]) => {
        play(cut((beginning + WORDS + FINISH + USAGE + DONE).replaceAll('\n', lines), cuts), 'the answer');
        const { text } = await ask(api);
        expect([looksEnded(scene.sentBefore), looksEnded(text)]).toEqual([false, true]);
        expect(text.replace(/\s/g, '')).toMatch(/Trust.*me\./s);
        if (api === 'chat') expect(text.replace(/^(?::\n\n)+/, '')).toBe(WORDS + FINISH + USAGE + DONE);
      }),
      { numRuns: 60 },
    );
  });

  test('goes on while it comes: words are there before the check', async () => {
    play(cut(WORDS + FINISH + DONE, [utf8.encode(WORDS).length]), 'the answer');
    await ask('chat');
    expect(scene.sentBefore).toBe(WORDS);
  });

  test('keeps what a chunk says to the digit and the character', async () => {
    const odd =
      'data: {"id":"c","n":1.0,"big":12345678901234567890,"choices":[{"delta":{"content":"\u2028 data: [DONE] \\"finish_reason\\":\\"stop\\" ü🦊"},"finish_reason": null}]}\n\n';
    play(cut(odd + DONE, [utf8.encode(odd).length]), 'the answer');
    expect((await ask('chat')).text).toBe(odd + DONE);
    expect(scene.sentBefore).toBe(odd);
  });

  test('with an incomplete last event never looks ended', async () => {
    play(WORDS + FINISH.slice(0, -4), 'the answer');
    const { text } = await ask('chat');
    expect([looksEnded(text), /"error"/.test(text)]).toEqual([false, true]);
  });

  test.each(apis)('that is whole is handed on (%s)', async (api) => {
    play(WHOLE, 'the answer', 'application/json');
    const { status, text } = await ask(api, false);
    expect([status, text.includes('Trust me.')]).toEqual([200, true]);
  });
});
