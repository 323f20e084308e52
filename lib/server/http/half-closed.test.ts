import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve, testGateway } from '@/test/test-gateway';
import { until } from '@/test/until';
import { type BodySink, type Call, json, type PushBody, type Reply } from './call';
import type { Endpoint } from './endpoint';
import { FAST_PATHS, FastPath } from './fast-path/fast-path';
import { nodeListener } from './node-adapter';

const [PROXY, CHATS] = FAST_PATHS;

/** A stream that sends one event, is silent, and sends another. */
class Slow implements PushBody {
  cancelled = 0;
  constructor(private readonly silentMs: number) {}
  start(sink: BodySink): void {
    sink.write(Buffer.from('data: first\n\n'));
    setTimeout(() => {
      sink.write(Buffer.from('data: last\n\n'));
      sink.end();
    }, this.silentMs);
  }
  resume = (): void => undefined;
  cancel = (): void => void this.cancelled++;
}

interface Stage {
  calls: Call[];
  gone: string[];
  streams: Slow[];
}

/** Answers `after N` after N ms, `wait` when its client has left, and `stream N` with N ms of silence. */
function endpoints({ calls, gone, streams }: Stage): Endpoint[] {
  const POST = async (call: Call): Promise<Reply> => {
    calls.push(call);
    const text = Buffer.from(await call.readBody(200_000)).toString();
    call.whenGone(() => void gone.push(text));
    const [, kind = '', ms = '0'] = /^(after|stream) (\d+)/.exec(text) ?? [];
    if (kind === 'after') await sleep(Number(ms));
    if (text === 'wait') await new Promise<void>((resolve) => void call.whenGone(() => resolve()));
    if (kind !== 'stream') return json({ text: text.slice(0, 20) });
    const stream = new Slow(Number(ms));
    streams.push(stream);
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: stream };
  };
  return [
    { path: `${PROXY}{network}`, POST },
    { path: `${CHATS}completions`, POST },
  ];
}

async function entry(kind: 'fast' | 'node'): Promise<Stage & { port: number }> {
  const stage: Stage = { calls: [], gone: [], streams: [] };
  const gateway = await testGateway({}, endpoints(stage));
  const { server, port } = await serve(nodeListener(gateway));
  if (kind === 'fast') {
    const fastPath = new FastPath(server, gateway, { keepAliveMs: 75_000, firstRequestMs: 60_000 });
    onTestFinished(() => fastPath.close());
  }
  return { ...stage, port };
}

function post(body: string, path = `${PROXY}base-mainnet`): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Sends bytes, ends the client's side, and returns everything that arrives. */
async function halfClosed(port: number, bytes: string): Promise<string> {
  const socket = await dial(port);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.end(bytes);
  await once(socket, 'end');
  return text;
}

async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Decodes a chunked body as strictly as a client may. */
function dechunked(text: string): string {
  let rest = text.slice(text.indexOf('\r\n\r\n') + 4);
  let body = '';
  for (;;) {
    const [, digits = ''] = /^([0-9a-f]{1,16})\r\n/.exec(rest) ?? [];
    expect(digits).not.toBe('');
    const size = Number.parseInt(digits, 16);
    rest = rest.slice(digits.length + 2);
    if (size === 0) {
      expect(rest).toBe('\r\n');
      return body;
    }
    body += rest.slice(0, size);
    expect(rest.slice(size, size + 2)).toBe('\r\n');
    rest = rest.slice(size + 2);
  }
}

describe.each(['fast', 'node'] as const)('a client that ends its side after its request (%s)', (kind) => {
  it.each([0, 20, 400])('is answered, after %i ms, with the bytes that any client gets', async (delayMs) => {
    const { port, gone } = await entry(kind);
    const text = await halfClosed(port, post(`after ${delayMs}`));
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"text":"after \d+"\}$/);
    expect(gone).toEqual([]);
  });

  it('is answered all requests that it sent, in order', async () => {
    const { port } = await entry(kind);
    const text = await halfClosed(
      port,
      post('after 50') + post('after 10') + post('after 60') + post('x'.repeat(70_000)),
    );
    expect(text.match(/"text":"[^"]*"/g)).toEqual([
      '"text":"after 50"',
      '"text":"after 10"',
      '"text":"after 60"',
      `"text":"${'x'.repeat(20)}"`,
    ]);
    expect(text.split('HTTP/1.1 200 OK\r\n')).toHaveLength(5);
  });

  it('is answered requests of another kind behind one that takes long', async () => {
    const { port } = await entry(kind);
    const text = await halfClosed(port, `${post('after 50')}GET /api/nowhere HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*"text":"after 50"\}HTTP\/1\.1 404 /);
  });

  it('gets a stream to its end', async () => {
    const { port, streams } = await entry(kind);
    expect(dechunked(await halfClosed(port, post('stream 300', `${CHATS}completions`)))).toBe(
      'data: first\n\ndata: last\n\n',
    );
    expect(streams[0]?.cancelled).toBe(0);
  });

  it('has gone where it ends its side in the middle of a stream', async () => {
    const { port, streams } = await entry(kind);
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).write(post('stream 30000', `${CHATS}completions`));
    await until(() => text.includes('first'));
    socket.end();
    await until(() => streams[0]?.cancelled === 1);
  });
});

describe.each(['fast', 'node'] as const)('a client that goes away (%s)', (kind) => {
  it('is noticed while its call waits, though its end looks the same at first', async () => {
    const { port, gone, calls } = await entry(kind);
    const socket = await dial(port);
    socket.write(post('wait'));
    await until(() => calls.length === 1);
    socket.destroy();
    await until(() => gone.length === 1);
  });

  it('is noticed behind an answer that it did not wait for', async () => {
    const { port, gone, calls } = await entry(kind);
    const socket = await dial(port);
    socket.write(post('after 100') + post('wait'));
    await until(() => calls.length >= 1);
    socket.destroy();
    await until(() => gone.includes(calls.length === 1 ? 'after 100' : 'wait'));
  });

  it('is noticed in the silence of a stream', async () => {
    const { port, streams } = await entry(kind);
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).write(post('stream 30000', `${CHATS}completions`));
    await until(() => text.includes('first'));
    socket.destroy();
    await until(() => streams[0]?.cancelled === 1);
  });

  it('is noticed by its reset', async () => {
    const { port, gone, calls } = await entry(kind);
    const socket = await dial(port);
    socket.write(post('wait'));
    await until(() => calls.length === 1);
    socket.resetAndDestroy();
    await until(() => gone.length === 1);
  });
});
