import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve, testGateway } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';
import { until } from '@/test/until';
import { type Call, json, type Reply } from '../call';
import type { Endpoint } from '../endpoint';
import { FastPath } from '../fast-path/fast-path';
import { HeldMemory, type HeldMemoryLimits } from '../held-memory/held-memory';
import { nextRoute } from '../next-adapter';
import { nodeListener } from '../node-adapter';
import { Router } from '../router';
import { type ServedApi, setServedApi } from '../served-api';

const PATH = '/api/v1/crypto/rpc/base-mainnet';
const ROUTE = '/api/v1/crypto/rpc/{network}';
const LIMITS: HeldMemoryLimits = {
  answersBytesMax: 64_000_000,
  callerBytesMax: 32_000_000,
  waitingMax: 4,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 60_000,
};
const DECODE: Record<string, (bytes: Uint8Array) => Buffer> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Answers with JSON of about as many bytes as its body says, and `stream` with events. */
const endpoint: Endpoint = {
  path: ROUTE,
  GET: () => json({ text: 'x'.repeat(2_000) }, 200, { vary: 'Host' }),
  POST: async (call: Call): Promise<Reply> => {
    const asked = Buffer.from(await call.readBody(100)).toString();
    if (asked === 'stream') return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: eventsOf() };
    return { ...json(itemsOf(Number(asked))), accountId: 1 };
  },
};

function eventsOf(): Reply['body'] {
  return {
    start: (sink) => {
      sink.write(Buffer.from(`data: ${'x'.repeat(2_000)}\n\n`));
      sink.end();
    },
    resume: () => undefined,
    cancel: () => undefined,
  };
}

/** Returns random digits, which no compressor reduces below half. */
function itemsOf(bytes: number): unknown {
  let state = bytes;
  const digits = Buffer.allocUnsafe(bytes);
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    digits[i] = 48 + ((state >>> 16) % 10);
  }
  return { result: digits.toString('latin1') };
}

type Entry = 'fast' | 'node';

async function entry(kind: Entry): Promise<{ port: number; origin: string; memory: HeldMemory }> {
  const memory = new HeldMemory(LIMITS);
  onTestFinished(() => memory.close());
  const served: ServedApi = { ...(await testGateway()), memory, router: new Router([endpoint]) };
  const { server, port, origin } = await serve(nodeListener(served));
  if (kind === 'fast') {
    const fastPath = new FastPath(server, served, { keepAliveMs: 10_000, firstRequestMs: 10_000 });
    onTestFinished(() => fastPath.close());
  }
  return { port, origin, memory };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const post = (body: string, accept?: string): string =>
  `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${accept === undefined ? '' : `Accept-Encoding: ${accept}\r\n`}Content-Length: ${body.length}\r\n\r\n${body}`;

interface RawAnswer {
  head: string;
  body: Buffer;
}

/** Sends a text and returns the answers, which must have a Content-Length. */
async function answers(port: number, text: string, count = 1): Promise<RawAnswer[]> {
  const socket = await dial(port);
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])));
  socket.write(text);
  const found: RawAnswer[] = [];
  for (let i = 0; i < 2_000 && found.length < count; i++) {
    await sleep(5);
    for (let end = bytes.indexOf('\r\n\r\n'); end >= 0; end = bytes.indexOf('\r\n\r\n')) {
      const head = bytes.toString('latin1', 0, end).toLowerCase();
      const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
      if (bytes.length < end + 4 + length) break;
      found.push({ head, body: bytes.subarray(end + 4, end + 4 + length) });
      bytes = bytes.subarray(end + 4 + length);
    }
  }
  expect(found).toHaveLength(count);
  return found;
}

describe.each<Entry>(['fast', 'node'])('an answer of the %s entry', (kind) => {
  it.each(['zstd', 'br', 'gzip'])('in %s is the same bytes, of a told length, small and large', async (coding) => {
    const { port, memory } = await entry(kind);
    for (const bytes of [2_000, 30_000, 1_000_000]) {
      const [answer] = (await answers(port, post(String(bytes), coding))) as [RawAnswer];
      expect(answer.head).toMatch(new RegExp(`content-encoding: ${coding}\r?$`, 'm'));
      expect(answer.head).toMatch(/^vary: accept-encoding\r?$/m);
      expect(answer.body.length).toBeLessThan(bytes * 0.7);
      expect(DECODE[coding]?.(answer.body).equals(Buffer.from(JSON.stringify(itemsOf(bytes))))).toBe(true);
    }
    await until(() => memory.figures.heldBytes === 0 && memory.figures.readers === 0);
  });

  it('to a client that says nothing, or garbage, is as it is', async () => {
    const { port } = await entry(kind);
    for (const accept of [undefined, 'gzip;q=0', '*;q=0', 'gzip;q=2', ';;,q='.repeat(1_600)]) {
      const [answer] = (await answers(port, post('2000', accept))) as [RawAnswer];
      expect(answer.head).not.toContain('content-encoding');
      expect(answer.head).toContain('vary: accept-encoding');
      expect(answer.body.toString()).toBe(JSON.stringify(itemsOf(2_000)));
    }
  });

  it('that is small has not a header more', async () => {
    const { port } = await entry(kind);
    const [plain, asked] = await Promise.all([
      answers(port, post('500')),
      answers(port, post('500', 'gzip, br, zstd')),
    ]);
    const masked = ([answer]: RawAnswer[]): string =>
      (answer as RawAnswer).head.replace(/^(?:date|x-request-id): .*$/gm, '');
    expect(masked(asked)).toBe(masked(plain));
    expect(masked(plain)).not.toMatch(/vary|encoding: /);
  });

  it('that waits for a thread is followed by the next one on its connection, in order', async () => {
    const { port } = await entry(kind);
    const found = await answers(port, post('400000', 'gzip') + post('20', 'gzip') + post('3000', 'br'), 3);
    const texts = found.map(({ head, body }) =>
      (DECODE[/content-encoding: (\w+)/.exec(head)?.[1] ?? '']?.(body) ?? body).toString(),
    );
    expect(texts).toEqual([400_000, 20, 3_000].map((bytes) => JSON.stringify(itemsOf(bytes))));
  });

  it('that is a stream of events is as it is', async () => {
    const { port } = await entry(kind);
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(post('stream', 'gzip, br, zstd'));
    await until(() => text.endsWith('0\r\n\r\n'));
    expect(text).toContain(`data: ${'x'.repeat(2_000)}\n\n`);
    expect(text.toLowerCase()).not.toMatch(/content-encoding|vary/);
  });

  it('that nobody reads is free as soon as its reader leaves', async () => {
    const { port, memory } = await entry(kind);
    const socket = (await dial(port)).pause();
    // Even compressed, these answers exceed the kernel's buffer.
    for (let i = 0; i < 6; i++) socket.write(post('8000000', 'gzip'));
    await until(() => memory.figures.readers > 0);
    expect(memory.figures.heldBytes).toBeLessThan(8_000_000 * 6);
    expect(memory.figures.heldBytes).toBeGreaterThan(1_000_000);
    await sleep(50);
    socket.destroy();
    await until(() => memory.figures.heldBytes === 0 && memory.figures.readers === 0);
  });

  it('whose client leaves while it is compressed holds nothing, and the others are served', async () => {
    const { port, memory } = await entry(kind);
    for (let i = 0; i < 10; i++) {
      const socket = await dial(port);
      socket.write(post('4000000', 'br'));
      await sleep(i * 5);
      socket.destroy();
    }
    const [answer] = (await answers(port, post('100000', 'br'))) as [RawAnswer];
    expect(answer.head).toContain('content-encoding: br');
    await until(() => memory.figures.heldBytes === 0 && memory.figures.readers === 0);
  });
});

it('fetch decodes by itself, and HEAD has the headers of GET', async () => {
  const { origin } = await entry('node');
  const got = await fetch(`${origin}${PATH}`, { headers: { 'accept-encoding': 'gzip' } });
  expect(await got.json()).toEqual({ text: 'x'.repeat(2_000) });
  const head = await fetch(`${origin}${PATH}`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  const ofBoth = ({ headers }: Response) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
    );
  expect(ofBoth(head)).toEqual(ofBoth(got));
  expect(ofBoth(head)).toMatchObject({ vary: 'Host, Accept-Encoding', 'content-encoding': 'gzip' });
});

it('repeated headers are one', async () => {
  const { port } = await entry('node');
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path: PATH,
    headers: [
      ['Host', 'a'],
      ['Accept-Encoding', 'deflate'],
      ['Accept-Encoding', 'br;q=0.5'],
    ].flat(),
  });
  request.end();
  const [response] = (await once(request, 'response')) as [{ headers: Record<string, string>; resume(): void }];
  response.resume();
  expect(response.headers['content-encoding']).toBe('br');
});

describe('a route of Next', () => {
  async function ask(init: RequestInit): Promise<{ response: Response; encodedAs: string[]; memory: HeldMemory }> {
    const memory = new HeldMemory(LIMITS);
    onTestFinished(() => memory.close());
    setServedApi({ ...(await testGateway()), memory, router: new Router([endpoint]) });
    const encodedAs: string[] = [];
    const handler = nextRoute(ROUTE)[(init.method ?? 'GET') as 'GET'];
    const response = await throughEntry(handler, new Request(`http://gateway${PATH}`, init), {
      encodedAs: (coding) => encodedAs.push(coding),
    });
    return { response, encodedAs, memory };
  }

  it.each(['zstd', 'br', 'gzip'])('answers in %s, and says so to its entry, which Next would not', async (coding) => {
    for (const bytes of [2_000, 1_000_000]) {
      const { response, encodedAs, memory } = await ask({
        method: 'POST',
        body: String(bytes),
        headers: { 'accept-encoding': coding },
      });
      expect([encodedAs, response.headers.get('vary')]).toEqual([[coding], 'Accept-Encoding']);
      const body = Buffer.from(await response.arrayBuffer());
      expect(DECODE[coding]?.(body).toString()).toBe(JSON.stringify(itemsOf(bytes)));
      expect(memory.figures).toMatchObject({ heldBytes: 0, readers: 0 });
    }
  });

  it('says the same to HEAD', async () => {
    const { response, encodedAs } = await ask({ method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect([encodedAs, response.headers.get('vary'), await response.text()]).toEqual([
      ['br'],
      'Host, Accept-Encoding',
      '',
    ]);
  });

  it('answers as it is what is small, streamed or asked for by nobody', async () => {
    for (const [body, accept] of [
      ['100', 'gzip'],
      ['stream', 'gzip'],
      ['2000', 'gzip;q=0'],
    ] as const) {
      const { response, encodedAs } = await ask({ method: 'POST', body, headers: { 'accept-encoding': accept } });
      await response.text();
      expect([encodedAs, response.headers.get('content-encoding')]).toEqual([[], null]);
    }
  });
});
