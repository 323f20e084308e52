/**
 * @at next: a form with a file passes Next's own server in parts.
 * @not postgres: charging has the same steps as speech and chats, which run on Postgres.
 */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { experimental_transcribe } from 'ai';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIO_KINDS, audioFile } from '@/test/audio-files';
import { at } from './harness/at';
import { startProxyCommand } from './harness/command-line';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';
import { startStubTranscriber, type StubTranscriber, TRANSCRIBER_MODEL } from './harness/stub-transcriber';
import { until } from '@/test/until';
import { WAYS_TO_PAY, type WaysToPay, waysToPay } from './harness/ways-to-pay';

/** Transcripts of a stub, requested by unmodified third-party clients and paid in each way. */

const MODEL = TRANSCRIBER_MODEL;
const USD_PER_SECOND = 0.001;

let gateway: GatewayUnderTest;
let demoKey: string;
let ways: WaysToPay;
let stub: StubTranscriber;
beforeAll(async () => {
  stub = await startStubTranscriber(USD_PER_SECOND);
  const started = await startSandboxGateway({ transcriptions: stub.transcriptions });
  ({ gateway } = started);
  ({ demoKey } = started.sandbox);
  ways = await waysToPay(gateway, started.sandbox);
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  stub?.stop();
});

const uploads = () => readdirSync(join(gateway.dataDir, 'uploads'));

describe.each(WAYS_TO_PAY)('paid by %s', (way) => {
  const client = () =>
    new OpenAI({
      baseURL: `${gateway.url}/api/v1`,
      apiKey: 'none',
      defaultHeaders: { Authorization: null, ...ways[way].headers },
      fetch: ways[way].fetch,
      maxRetries: 0,
    });

  test('by the OpenAI SDK, as JSON, with segments and as text, of a file that is larger than a small body', async () => {
    stub.received.length = 0;
    const bytes = await audioFile('wav', 20);
    const file = () => toFile(bytes, 'lecture.wav');
    const audio = client().audio.transcriptions;
    const text = `${bytes.length} bytes`;
    expect(await audio.create({ model: MODEL, file: await file(), language: 'en', temperature: 0.5 })).toMatchObject({
      text,
    });
    expect(
      await audio.create({
        model: MODEL,
        file: await file(),
        response_format: 'verbose_json',
        timestamp_granularities: ['segment'],
      }),
    ).toMatchObject({ text, segments: [{ start: 0, end: 1, text }] });
    expect(await audio.create({ model: MODEL, file: await file(), response_format: 'text' })).toBe(text);
    expect(stub.received.map((each) => each.bytes)).toEqual([bytes.length, bytes.length, bytes.length]);
    expect(stub.received[0]?.fields).toMatchObject({ model: MODEL, language: 'en', temperature: '0.5' });
  });

  test('by the AI SDK, unmodified', async () => {
    stub.received.length = 0;
    const bytes = await audioFile('wav', 1);
    const provider = createOpenAI({
      baseURL: `${gateway.url}/api/v1`,
      apiKey: 'none',
      // The provider always sends a key, so another way to pay must replace it.
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.delete('authorization');
        for (const [name, value] of Object.entries(ways[way].headers)) headers.set(name, value);
        return ways[way].fetch(input, { ...init, headers });
      },
    });
    const { text } = await experimental_transcribe({ model: provider.transcription(MODEL), audio: bytes });
    expect([text, stub.received]).toMatchObject([`${bytes.length} bytes`, [{ bytes: bytes.length }]]);
  });

  test('a file that cannot be measured is refused, and no money is taken', async () => {
    const form = new FormData();
    form.append('model', MODEL);
    form.append('file', new Blob(['This is text.']), 'a.wav');
    const response = await ways[way].fetch(`${gateway.url}/api/v1/audio/transcriptions`, {
      method: 'POST',
      headers: ways[way].headers,
      body: form,
    });
    const { code } = (await response.json()) as { code: string };
    expect([response.status, code, response.headers.get('payment-response')]).toEqual([
      400,
      'AUDIO_UNMEASURABLE',
      null,
    ]);
  });
});

at('fast').test.each(AUDIO_KINDS)('%s costs what the list says of its seconds', async (kind) => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/models?type=asr' });
  const [model] = (json as { data: { model_spec: { pricing: { per_audio_second: { usd: number } } } }[] }).data;
  const usd = model?.model_spec.pricing.per_audio_second.usd ?? 0;
  expect(usd).toBe(USD_PER_SECOND);
  const balanceAfter = async (seconds: number) => {
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(await audioFile(kind, seconds))]), 'x');
    const response = await fetch(`${gateway.url}/api/v1/audio/transcriptions`, {
      method: 'POST',
      headers: ways['sign-in'].headers,
      body: form,
    });
    expect(response.status).toBe(200);
    return Number(response.headers.get('x-balance-remaining'));
  };
  const before = await balanceAfter(1);
  const seconds = (before - (await balanceAfter(4))) / usd;
  expect(Math.abs(seconds - 4)).toBeLessThan(0.2);
});

test('the 402 of a file names its price', async () => {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await audioFile('wav', 30))]), 'x.wav');
  const response = await fetch(`${gateway.url}/api/v1/audio/transcriptions`, { method: 'POST', body: form });
  const { accepts } = (await response.json()) as { accepts: { amount: string }[] };
  expect([response.status, accepts[0]?.amount]).toEqual([402, '30000']);
});

test('a caller who leaves within the file leaves nothing behind, and the place is free again', async () => {
  const { hostname, port } = new URL(gateway.url);
  for (let round = 0; round < 6; round++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const head = `POST /api/v1/audio/transcriptions HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${demoKey}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 500000\r\n\r\n`;
    const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'RIFF'.repeat(1_000)}`;
    await new Promise<void>((resolve) => socket.write(head + part, () => resolve()));
    socket.destroy();
  }
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await audioFile('wav', 1))]), 'x.wav');
  await until(async () => {
    const response = await fetch(`${gateway.url}/api/v1/audio/transcriptions`, {
      method: 'POST',
      headers: ways.key.headers,
      body: form,
    });
    return response.status === 200;
  });
  expect(uploads()).toEqual([]);
});

test('through the proxy, which pays for a program that knows no wallet', async () => {
  const proxy = await startProxyCommand(['--privacy', 'plain'], {
    TURNPIKE_URL: gateway.url,
    TURNPIKE_API_KEY: demoKey,
  });
  try {
    const openai = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: proxy.token, maxRetries: 0 });
    const bytes = await audioFile('mp3', 3);
    const answer = await openai.audio.transcriptions.create({ model: MODEL, file: await toFile(bytes, 'a.mp3') });
    expect(answer.text).toBe(`${bytes.length} bytes`);
  } finally {
    await proxy.stop();
  }
});
