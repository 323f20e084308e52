/**
 * @at next: Next's own server streams audio and handles disconnects, and code from Next's own bundler starts the
 *   encoder. Fields and refusals are decided behind the adapter.
 * @at postgres: database functions reserve and settle speech in steps.
 */
import { spawnSync } from 'node:child_process';
import OpenAI from 'openai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { AUDIO_FORMAT_INFO, AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import {
  refusesSpeech,
  samplesFor,
  startScriptedSpeech,
  type ScriptedSpeech,
  tone,
  wavHead,
} from '@/test/scripted-speech';
import { at } from './harness/at';
import { chosenEntry } from './harness/entries';
import { announcedLength } from './harness/started-entry';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { until } from '@/test/until';

const TEXT = 'The quick brown fox jumps over the lazy dog. Dr. Smith saw it at 3.15 in the afternoon! Did you?';
const PRICE_NANO_USD = 15_000;
const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;

let gateway: GatewayUnderTest;
let server: ScriptedSpeech;
let stopServer: () => Promise<void>;
let caller: Caller;

beforeAll(async () => {
  ({ speech: server, stop: stopServer } = await startScriptedSpeech());
  gateway = await startGateway({
    profile: 'live',
    config: {
      speech: {
        upstreams: [{ name: 'test', url: server.url, key: 'sk-upstream-secret' }],
        models: { 'tts-kokoro': { usdPerMillionCharacters: '15' } },
        handles: { vv_4711: 'tts-chatterbox-hd' },
        firstByteTimeoutMs: 1_000,
        concurrency: 4,
        queueLength: 0,
      },
      limits: { requestsPerMinute: 100_000 },
    },
  });
  caller = await gateway.operator.createCaller({ usd: '100' });
}, 120_000);

afterAll(async () => {
  await gateway?.stop();
  await stopServer?.();
});

const speak = (body: unknown, { signal, key = caller.key }: { signal?: AbortSignal; key?: string } = {}) =>
  fetch(`${gateway.url}/api/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Returns a file's duration in seconds as ffprobe decodes its packets, because streams state no length. */
function decodedSeconds(bytes: Buffer, format: AudioFormat): number {
  if (format === 'pcm') return bytes.length / 48_000;
  const raw = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-i', 'pipe:0', '-f', 's16le', '-ar', '24000', '-ac', '1', 'pipe:1'],
    { input: bytes, maxBuffer: 1 << 28 },
  );
  expect(raw.stderr.toString()).toBe('');
  return raw.stdout.length / 48_000;
}

const chargesSince = (before: number) => gateway.books.charges(caller.accountId).slice(before);

/** A single test for Postgres, where only the database differs. */
const FORMATS: readonly AudioFormat[] = chosenEntry() === 'postgres' ? ['mp3'] : AUDIO_FORMATS;

describe.each(FORMATS)('%s', (format) => {
  test.each([false, true])(
    'by the official client, streaming %s: right type, whole, charged by the character',
    async (streaming) => {
      const before = gateway.books.charges(caller.accountId).length;
      server.script = tone();
      const client = new OpenAI({ apiKey: caller.key, baseURL: `${gateway.url}/api/v1`, maxRetries: 0 });
      const response = await client.audio.speech.create({
        model: 'tts-kokoro',
        voice: 'af_sky',
        input: TEXT,
        response_format: format,
        ...{ streaming },
      });
      expect(response.headers.get('content-type')).toBe(AUDIO_FORMAT_INFO[format].contentType);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!streaming) expect(response.headers.get('content-length')).toBe(announcedLength(bytes));
      // Decodes it, because a streamed FLAC states no length. The stream has a pause after two of its sentences.
      if (hasFfprobe)
        expect(Math.abs(decodedSeconds(bytes, format) - TEXT.length / 100 - (streaming ? 0.6 : 0))).toBeLessThanOrEqual(
          0.1,
        );
      expect(bytes.length).toBeGreaterThan(500);
      expect(chargesSince(before)).toMatchObject([
        { amount: TEXT.length * PRICE_NANO_USD, resource: 'speech/tts-kokoro', pot: 'usd' },
      ]);
    },
  );
});

at('fast').describe('texts that are accepted, with audio', () => {
  test.each([
    ' ',
    '\n\n\t',
    '!?…',
    '★ ♥ →',
    '😀👩‍🚀🎉',
    'مرحبا بالعالم. كيف حالك؟',
    'שלום עולם!',
    '<speak>Hello <break time="1s"/> &amp; bye</speak>',
    '今日は雨です。明日は晴れます。',
    'x'.repeat(4_096),
    '😀'.repeat(4_096),
  ])('%j', async (input) => {
    server.script = tone();
    for (const streaming of [false, true]) {
      const before = gateway.books.charges(caller.accountId).length;
      const response = await speak({ input, response_format: 'wav', streaming });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
      expect(bytes.length).toBeGreaterThan(44);
      expect(chargesSince(before)[0]?.amount).toBe([...input].length * PRICE_NANO_USD);
    }
  });
});

at('fast').describe('requests that are refused, and charged nothing', () => {
  const OK = { input: 'Hello.' };
  test.each([
    [{ ...OK, input: '' }, 400, 'input'],
    [{ ...OK, input: 'x'.repeat(4_097) }, 400, 'input'],
    [{ ...OK, input: 'a\u0000b' }, 400, 'input'],
    ['{"input":"\\ud83d"}', 400, 'input'],
    [{ ...OK, prompt: 'p'.repeat(501) }, 400, 'prompt'],
    [{ ...OK, voice: 'v'.repeat(513) }, 400, 'voice'],
    [{ ...OK, voice: 'nobody' }, 400, 'voice'],
    [{ ...OK, voice: 'vv_4711' }, 400, 'voice'],
    [{ ...OK, language: 'e' }, 400, 'language'],
    [{ ...OK, response_format: 'ogg' }, 400, 'response_format'],
    [{ ...OK, model: 'tts-orpheus', response_format: 'aac' }, 400, 'response_format'],
    [{ ...OK, speed: 0.2 }, 400, 'speed'],
    [{ ...OK, speed: 4.01 }, 400, 'speed'],
    [{ ...OK, temperature: 2.01 }, 400, 'temperature'],
    [{ ...OK, top_p: 1.01 }, 400, 'top_p'],
  ])('%j is %i', async (body, status, field) => {
    const before = gateway.books.count();
    const answer = await gateway.ask({
      method: 'POST',
      path: '/api/v1/audio/speech',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.key}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(answer.status).toBe(status);
    expect((answer.json as { details: object }).details).toHaveProperty(field);
    expect(gateway.books.count()).toBe(before);
  });

  test('without a credential: 402 with discovery; without money: 402', async () => {
    const bare = await gateway.ask({
      method: 'POST',
      path: '/api/v1/audio/speech',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(OK),
    });
    expect([bare.status, (bare.json as { x402Version: number }).x402Version]).toEqual([402, 2]);
    const poor = await gateway.operator.createCaller({ usd: '0' });
    expect((await speak(OK, { key: poor.key })).status).toBe(402);
  });

  test('an unknown model is 404', async () => {
    const response = await speak({ ...OK, model: 'tts-1' });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'MODEL_NOT_FOUND']);
  });
});

describe('upstreams that fail', () => {
  at('fast', 'postgres').test.each([
    ['401', refusesSpeech(401, { error: 'sk-upstream-secret' }), 503, 'MODEL_MISCONFIGURED'],
    ['429', refusesSpeech(429, {}), 503, 'MODEL_BUSY'],
    ['400', refusesSpeech(400, { error: { message: 'Too loud, sk-upstream-secret' } }), 400, 'MODEL_REFUSED'],
    [
      'HTML',
      (_asked, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    ['silence', () => undefined, 504, 'MODEL_TIMEOUT'],
    ['a death', (_asked, response) => void response.destroy(), 503, 'MODEL_UNAVAILABLE'],
  ] as [string, ReturnType<typeof tone>, number, string][])(
    '%s, whole and streamed, charge nothing',
    async (_name, script, status, code) => {
      server.script = script;
      const before = gateway.books.count();
      for (const streaming of [false, true]) {
        const response = await speak({ input: TEXT, response_format: 'mp3', streaming });
        const text = await response.text();
        expect([response.status, (JSON.parse(text) as { code: string }).code]).toEqual([status, code]);
        expect(text).not.toContain('sk-upstream-secret');
      }
      expect(gateway.books.count()).toBe(before);
    },
  );

  test.each(['mp3', 'pcm'] as const)(
    'in mid-sentence break the connection of a %s stream, with what came before charged',
    async (format) => {
      const before = gateway.books.charges(caller.accountId).length;
      server.script = async (asked, response) => {
        if (!asked.body.input.startsWith('Dr.')) return tone()(asked, response);
        response.writeHead(200, { 'content-type': 'audio/wav' });
        response.write(Buffer.concat([wavHead(0xffffffff), Buffer.from(samplesFor('Dr. Smith').buffer)]));
        setTimeout(() => response.destroy(), 300);
      };
      const response = await speak({ input: TEXT.repeat(2), response_format: format, streaming: true });
      if (response.status === 200) await expect(response.arrayBuffer()).rejects.toThrow();
      else expect(response.status).toBe(503);
      const first = TEXT.slice(0, TEXT.indexOf('Dr.'));
      if (response.status === 200) await until(() => chargesSince(before).length === 1);
      expect(chargesSince(before).map(({ amount }) => amount)).toEqual(
        response.status === 200 ? [first.length * PRICE_NANO_USD] : [],
      );
    },
  );
});

describe('clients that leave', () => {
  test('whole: the upstream is stopped, and the text that was sent there is charged', async () => {
    const before = gateway.books.charges(caller.accountId).length;
    server.script = () => undefined;
    const leaving = new AbortController();
    const asked = server.asked.length;
    const answer = speak({ input: TEXT }, { signal: leaving.signal });
    await until(() => server.asked.length > asked);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await server.asked.at(-1)?.aborted).toBe(true);
    await until(() => chargesSince(before).length === 1);
    expect(chargesSince(before)[0]?.amount).toBe(TEXT.length * PRICE_NANO_USD);
  });

  test('streamed: the upstream is stopped, and the sentences that it was sent are charged', async () => {
    const before = gateway.books.charges(caller.accountId).length;
    server.script = (asked, response) => {
      if (asked.body.input.startsWith('The quick')) return tone()(asked, response);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.write(wavHead(0xffffffff));
    };
    const leaving = new AbortController();
    const response = await speak({ input: TEXT, response_format: 'pcm', streaming: true }, { signal: leaving.signal });
    const asked = server.asked.at(-1);
    await (response.body as ReadableStream<Uint8Array>).getReader().read();
    await until(() => server.asked.at(-1) !== asked || server.asked.at(-1)?.body.input.startsWith('Dr.') === true);
    leaving.abort();
    expect(await server.asked.at(-1)?.aborted).toBe(true);
    await until(() => chargesSince(before).length === 1);
    expect(chargesSince(before)[0]?.amount).toBe(TEXT.indexOf('Did you') * PRICE_NANO_USD);
  });
});

at('fast', 'postgres').describe('the caller', () => {
  const post = (headers: Record<string, string>, body: object = { input: TEXT }, on = gateway) =>
    on.ask({
      method: 'POST',
      path: '/api/v1/audio/speech',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const as = ({ key }: Pick<Caller, 'key'>) => ({ authorization: `Bearer ${key}` });

  test('without a credential gets 402 with discovery, whatever the body says, and with a bad one 401', async () => {
    for (const body of [{ input: TEXT }, {}]) {
      const { status, json, headers } = await post({}, body);
      expect([status, typeof headers['payment-required']]).toEqual([402, 'string']);
      expect(json).toMatchObject({
        x402Version: 2,
        accepts: expect.any(Array) as unknown[],
        authOptions: expect.any(Object) as object,
      });
    }
    expect((await post({ authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  test('with a key and too little money gets 402, before anything is spoken', async () => {
    const poor = await gateway.operator.createCaller({ usd: '0.000015' });
    const asked = server.asked.length;
    expect(await post(as(poor))).toMatchObject({ status: 402, json: { code: 'INSUFFICIENT_BALANCE' } });
    expect(server.asked).toHaveLength(asked);
  });

  test('with a wallet pays from what it prepaid, is told what is left, whole and streamed, and else what to pay', async () => {
    server.script = tone();
    const account = privateKeyToAccount(generatePrivateKey());
    const unsigned = buildSignIn({ address: account.address, uri: gateway.url, chainId: 8453 });
    const wallet = { 'sign-in-with-x': unsigned.header(await account.signMessage({ message: unsigned.text })) };
    const refused = await post(wallet);
    expect(refused).toMatchObject({ status: 402, json: { code: 'PAYMENT_REQUIRED', reason: 'insufficient_balance' } });
    expect(refused.headers['payment-required']).toBeTypeOf('string');
    await gateway.operator.prepay(account.address, '1');
    for (const [streaming, left] of [
      [false, '0.999970'],
      [true, '0.999940'],
    ] as const) {
      const response = await fetch(`${gateway.url}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...wallet },
        body: JSON.stringify({ input: 'Hi', streaming }),
      });
      expect([response.status, response.headers.get('x-balance-remaining')]).toEqual([200, left]);
      await response.arrayBuffer();
    }
  });

  test('more often than the cap of a minute gets 429 with when to come back', async () => {
    server.script = tone();
    const capped = await startGateway({
      profile: 'live',
      config: { speech: { upstreams: [{ name: 'test', url: server.url }] }, limits: { requestsPerMinute: 2 } },
    });
    onTestFinished(() => capped.stop());
    const owner = await capped.operator.createCaller({ usd: '1' });
    for (const input of ['', 'x'.repeat(5_000)]) expect((await post(as(owner), { input }, capped)).status).toBe(400);
    const { status, headers } = await post(as(owner), { input: 'Hi' }, capped);
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'retry-after': expect.stringMatching(/^[0-9]+$/) as string,
    });
    expect(capped.books.count()).toBe(0);
  });
});

at('fast').test(
  'a caller with its share of the slots gets 503 with Retry-After, and another still speaks',
  async () => {
    server.script = () => undefined;
    const other = await gateway.operator.createCaller({ usd: '1' });
    const leaving = new AbortController();
    const asked = server.asked.length;
    const begin = (key: string) => speak({ input: TEXT }, { signal: leaving.signal, key }).catch(() => null);
    const running = Array.from({ length: 3 }, () => begin(caller.key));
    await until(() => server.asked.length >= asked + 3);
    const response = await speak({ input: TEXT });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'SPEECH_BUSY']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    running.push(begin(other.key));
    await until(() => server.asked.length >= asked + 4);
    leaving.abort();
    await Promise.all(running);
  },
);

at('fast').test('GET /models?type=tts lists the eleven models with their formats', async () => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/models?type=tts' });
  const { data } = json as {
    data: { id: string; model_spec: { supported_formats: string[]; default_format: string } }[];
  };
  expect(data.map(({ id }) => id)).toEqual([...SPEECH_MODEL_IDS]);
  for (const { model_spec: spec } of data) expect(spec.supported_formats).toContain(spec.default_format);
});
