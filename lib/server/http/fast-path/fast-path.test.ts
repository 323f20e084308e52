import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiError } from '@/lib/protocol/errors';
import { serve, testGateway } from '@/test/test-gateway';
import { type BodySink, type Call, json, type PushBody, type Reply } from '../call';
import type { Endpoint } from '../endpoint';
import { nodeListener } from '../node-adapter';
import { FAST_PATHS, FastPath } from './fast-path';
import { FastPathCall } from './fast-path-call';

const [PROXY, CHATS] = FAST_PATHS;
const PART = Buffer.alloc(8_000_000, 'x');
const KEEP_ALIVE_MS = 75_000;
let calls: string[] = [];
let served: Call[] = [];
let pushed: Pushed[] = [];
const entryOf = (call: Call) => (call instanceof FastPathCall ? 'fast path' : 'node:http');

const echo: Endpoint = {
  path: `${PROXY}{network}`,
  POST: async (call): Promise<Reply> => {
    served.push(call);
    const text = Buffer.from(await call.readBody(100_000)).toString();
    calls.push(text);
    if (text.includes('"large"')) return { status: 200, headers: {}, body: [PART, PART] };
    if (text.includes('"bytes"')) return { status: 200, headers: {}, body: Buffer.from('é') };
    if (text.includes('"own cache"')) return json({}, 200, { 'cache-control': 'no-cache, no-transform' });
    if (text.includes('"fail"')) throw apiError('UPSTREAM_FAILED');
    if (text.includes('"wait"')) await new Promise<void>((resolve) => void call.whenGone(() => resolve()));
    if (text.includes('"late"')) await sleep(20);
    return json({
      network: call.params.network,
      path: call.path,
      thing: call.header('x-thing'),
      ip: call.clientIp,
      query: call.query.toString(),
      text,
    });
  },
};

class Pushed implements PushBody {
  heard: string[] = [];
  #sink: BodySink | null = null;

  start(sink: BodySink): void {
    this.#sink = sink;
    sink.write(Buffer.from('data: first\n\n'));
    sink.write(Buffer.from('data: \u00e9\n\n'));
  }

  get hasBegun(): boolean {
    return this.#sink !== null;
  }

  get sink(): BodySink {
    if (!this.#sink) throw new Error('It has not begun.');
    return this.#sink;
  }

  resume = (): void => void this.heard.push('resume');
  cancel = (): void => void this.heard.push('cancel');
  sent = (): void => void this.heard.push('sent');
}

const stream: Endpoint = {
  path: `${CHATS}completions`,
  POST: async (call): Promise<Reply> => {
    served.push(call);
    const text = Buffer.from(await call.readBody(100_000)).toString();
    const body = new Pushed();
    if (text.includes('"late"')) await sleep(20);
    pushed.push(body);
    return {
      status: 200,
      headers: { 'content-type': text.includes('"odd"') ? 'text/event-stream; \u2713' : 'text/event-stream' },
      body,
    };
  },
};

async function beginning(before = 0): Promise<Pushed> {
  for (let i = 0; i < 400 && pushed.length <= before; i++) await sleep(5);
  return pushed[before] as Pushed;
}

/** Starts one server with the fast path and one without, over the same endpoint. */
async function entries() {
  calls = [];
  served = [];
  pushed = [];
  const gateway = await testGateway({}, [echo, stream]);
  const withFastPath = await serve(nodeListener(gateway));
  withFastPath.server.keepAliveTimeout = KEEP_ALIVE_MS;
  const fastPath = new FastPath(withFastPath.server, gateway, { keepAliveMs: KEEP_ALIVE_MS, firstRequestMs: 60_000 });
  onTestFinished(() => fastPath.close());
  const without = await serve(nodeListener(gateway));
  without.server.keepAliveTimeout = KEEP_ALIVE_MS;
  return { fastPath, fast: withFastPath.port, plain: without.port };
}

/** Beginning of every answer. */
const MARK = 'HTTP/1.1 ';

class Dialled {
  text = '';
  isClosed = false;

  constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.text += chunk.toString())).on('error', () => undefined);
    socket.once('close', () => (this.isClosed = true));
    onTestFinished(() => void socket.destroy());
  }

  async until(answers: number): Promise<string> {
    for (let i = 0, [begun, at] = [0, 0]; i < 600 && !this.isClosed && begun < answers; i++) {
      for (let next = this.text.indexOf(MARK, at); next >= 0; next = this.text.indexOf(MARK, at))
        [begun, at] = [begun + 1, next + MARK.length];
      at = Math.max(at, this.text.length - MARK.length);
      if (begun < answers) await sleep(5);
    }
    await sleep(5);
    return this.text;
  }

  async untilClosed(): Promise<string> {
    for (let i = 0; i < 600 && !this.isClosed; i++) await sleep(5);
    expect(this.isClosed).toBe(true);
    return this.text;
  }
}

async function dial(port: number): Promise<Dialled> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return new Dialled(socket);
}

function post(body: string, headers = '', path = `${PROXY}base-mainnet`): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Returns the answer's lines without random values, sorted because the order of headers does not matter. */
function essence(text: string): string[] {
  return text
    .replaceAll(/x-request-id: [0-9a-f]{32}/g, 'x-request-id: some')
    .replaceAll(/Date: [^\r]+/g, 'Date: some')
    .split('\r\n')
    .sort();
}

describe('a call on the fast path', () => {
  it.each([
    ['text', '{"a":1}'],
    ['text beyond ASCII', '{"é":"\u{1f600}"}'],
    ['bytes', '"bytes"'],
    ['an error', '"fail"'],
    ['long text', 'x'.repeat(40_000)],
  ])('is answered as by node:http, with %s', async (_what, body) => {
    const { fast, plain } = await entries();
    const answers = [];
    for (const port of [fast, plain]) {
      const dialled = await dial(port);
      dialled.socket.write(post(body, 'X-Thing: some \r\nX-Forwarded-For: 1.2.3.4\r\n'));
      answers.push(essence(await dialled.until(1)));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(served.map(entryOf)).toEqual(['fast path', 'node:http']);
  });

  it.each([
    ['{}', 'no-store'],
    ['"fail"', 'no-store'],
    ['"own cache"', 'no-cache, no-transform'],
  ])(
    'is kept by no cache in between, which may not know that SIGN-IN-WITH-X names the caller: %s',
    async (body, expected) => {
      const { fast, plain } = await entries();
      for (const port of [fast, plain]) {
        const dialled = await dial(port);
        dialled.socket.write(post(body));
        expect((await dialled.until(1)).match(/^cache-control: .*$/gim)).toEqual([`cache-control: ${expected}`]);
      }
    },
  );

  it('comes in order where a client does not wait, and the connection goes on', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    const bodies = ['"late" 1', '2', '"late" 3', '4', '5'];
    dialled.socket.write(bodies.map((body) => post(body)).join(''));
    const text = await dialled.until(5);
    expect(Array.from(text.matchAll(/"text":"(.+?)"\}/g), ([, body]) => body?.replaceAll('\\"', '"'))).toEqual(bodies);
    dialled.socket.write(post('6'));
    expect(await dialled.until(6)).toMatch(/"text":"6"\}$/);
    expect(served.map(entryOf)).toEqual(Array(6).fill('fast path'));
  });

  it('goes where its own path leads, whatever was called before on the connection', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    const nowhere = `${CHATS}nothing`;
    const paths = [
      `${PROXY}base-mainnet`,
      `${PROXY}base-mainnet`,
      `${PROXY}base-sepolia`,
      nowhere,
      nowhere,
      `${PROXY}base-mainnet`,
    ];
    const answers: (string | undefined)[] = [];
    for (const [index, path] of paths.entries()) {
      dialled.socket.write(post(String(index), '', path));
      const answer = (await dialled.until(index + 1)).split('HTTP/1.1 ').at(-1) ?? '';
      answers.push(/"network":"(.+?)"/.exec(answer)?.[1] ?? answer.slice(0, 3));
    }
    expect(answers).toEqual(['base-mainnet', 'base-mainnet', 'base-sepolia', '404', '404', 'base-mainnet']);
    expect(served.map((call) => [entryOf(call), call.path])).toEqual(
      paths.filter((path) => path !== nowhere).map((path) => ['fast path', path]),
    );
  });

  it('with an answer larger than what a client reads at once is sent whole, and what follows waits for it', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.pause();
    dialled.socket.write(post('"large"') + post('"large"') + post('after'));
    await sleep(50);
    expect(calls).toEqual(['"large"']);
    dialled.socket.resume();
    const text = await dialled.until(3);
    expect(text.length).toBeGreaterThan(4 * PART.length);
    expect(text).toMatch(/"text":"after"\}$/);
  });

  it('whose answer is not taken at all is not held for long; one that is taken slowly is', async () => {
    const gateway = await testGateway({}, [echo]);
    const { server, port } = await serve(nodeListener(gateway));
    const fastPath = new FastPath(server, gateway, {
      keepAliveMs: KEEP_ALIVE_MS,
      firstRequestMs: 60_000,
      stallMs: 400,
    });
    onTestFinished(() => fastPath.close());
    const [greedy, slow] = [await dial(port), await dial(port)];
    for (const { socket } of [greedy, slow]) socket.pause().write(post('"large"'));
    // Each pause is a fraction of the timeout, even on a busy machine. All pauses together are longer.
    for (let i = 0; i < 14; i++) {
      await sleep(140);
      slow.socket.resume();
      await sleep(5);
      slow.socket.pause();
    }
    for (const { socket } of [greedy, slow]) socket.resume();
    await greedy.untilClosed();
    expect(greedy.text.length).toBeLessThan(2 * PART.length);
    for (let i = 0; i < 400 && slow.text.length < 2 * PART.length; i++) await sleep(5);
    expect(slow.text.length).toBeGreaterThan(2 * PART.length);
    slow.socket.write(post('after'));
    expect(await slow.until(2)).toMatch(/"text":"after"\}$/);
  });

  it('ends with its client', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.write(post('"wait"'));
    while (served.length === 0) await sleep(2);
    let gone = 0;
    served[0]?.whenGone(() => gone++);
    served[0]?.whenGone(() => gone++)();
    dialled.socket.destroy();
    for (let i = 0; i < 400 && gone === 0; i++) await sleep(5);
    expect(gone).toBe(1);
    served[0]?.whenGone(() => gone++);
    expect(gone).toBe(2);
  });

  it('that is over tells nobody that its client is gone', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.write(post('1'));
    await dialled.until(1);
    let gone = 0;
    served[0]?.whenGone(() => gone++);
    dialled.socket.destroy();
    await sleep(30);
    expect(gone).toBe(0);
  });
});

describe('a stream on the fast path', () => {
  const ask = (body = '{}') => post(body, '', stream.path);

  it('is answered as by node:http, begins in one piece, and the connection goes on', async () => {
    const { fast, plain } = await entries();
    const answers = [];
    for (const [index, port] of [fast, plain].entries()) {
      const dialled = await dial(port);
      const pieces: string[] = [];
      dialled.socket.on('data', (piece: Buffer) => pieces.push(piece.toString()));
      dialled.socket.write(ask());
      const { sink } = await beginning(index);
      await dialled.until(1);
      expect(pieces).toHaveLength(1);
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(40_000, 'x'), Buffer.from('data: last\n\n')])
        sink.write(bytes);
      sink.end();
      for (let i = 0; i < 400 && !dialled.text.endsWith('0\r\n\r\n'); i++) await sleep(5);
      answers.push(essence(dialled.text));
      dialled.socket.write(post('1'));
      expect(await dialled.until(2)).toMatch(/0\r\n\r\nHTTP\/1\.1 200[\s\S]*"text":"1"\}$/);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(pushed.map(({ heard }) => heard.filter((each) => each !== 'resume'))).toEqual([['sent'], ['sent']]);
    expect(served.map(entryOf)).toEqual(['fast path', 'fast path', 'node:http', 'node:http']);
  });

  it('is told when a slow client takes more', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.pause();
    dialled.socket.write(ask());
    const body = await beginning();
    expect(body.sink.write(Buffer.from('little'))).toBe(true);
    expect(body.sink.write(PART)).toBe(false);
    await sleep(20);
    expect(body.heard).toEqual([]);
    dialled.socket.resume();
    for (let i = 0; i < 400 && body.heard.length === 0; i++) await sleep(5);
    expect(body.heard).toEqual(['resume']);
  });

  it.each(['destroy', 'end'] as const)('is cancelled once its client goes, by %s', async (how) => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.write(ask());
    const { heard, sink } = await beginning();
    await dialled.until(1);
    dialled.socket[how]();
    for (let i = 0; i < 400 && heard.length === 0; i++) await sleep(5);
    // Later writes have no effect.
    sink.write(Buffer.from('more'));
    sink.end();
    await sleep(20);
    expect(heard).toEqual(['cancel']);
  });

  it('is cancelled where its client went before it began, and where its head cannot be sent', async () => {
    const { fast } = await entries();
    const gone = await dial(fast);
    gone.socket.write(ask('"late"'));
    while (served.length === 0) await sleep(2);
    gone.socket.destroy();
    const body = await beginning();
    // On a busy machine the client's end is read only now and looks like that of a waiting client, until the next
    // write.
    for (let i = 0; i < 400 && body.heard.length === 0; i++) {
      if (body.hasBegun) body.sink.write(Buffer.from('data: more\n\n'));
      await sleep(5);
    }
    expect(body.heard).toEqual(['cancel']);
    const odd = await dial(fast);
    odd.socket.write(ask('"odd"'));
    expect(await odd.untilClosed()).toBe('');
    expect((await beginning(1)).heard).toEqual(['cancel']);
  });

  it('that fails arrives as far as it came, and ends without its mark', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.write(ask());
    const { heard, sink } = await beginning();
    sink.write(Buffer.from('data: last\n\n'));
    sink.fail();
    expect(await dialled.untilClosed()).toMatch(/data: last\n\n\r\n$/);
    for (let i = 0; i < 400 && heard.length === 0; i++) await sleep(5);
    expect(heard).toEqual(['cancel']);
  });

  it('is waited for by what follows, and by a gateway that stops', async () => {
    const { fast, fastPath } = await entries();
    const dialled = await dial(fast);
    dialled.socket.write(ask() + post('after'));
    const first = await beginning();
    await sleep(20);
    expect(calls).toEqual([]);
    first.sink.end();
    expect(await dialled.until(2)).toMatch(/"text":"after"\}$/);
    dialled.socket.write(ask());
    const second = await beginning(1);
    fastPath.close();
    await sleep(20);
    expect(dialled.isClosed).toBe(false);
    second.sink.end();
    expect(await dialled.untilClosed()).toMatch(/0\r\n\r\n$/);
  });

  it('is no idle connection', async () => {
    const gateway = await testGateway({}, [stream]);
    pushed = [];
    const { server, port } = await serve(nodeListener(gateway));
    const fastPath = new FastPath(server, gateway, { keepAliveMs: 10, firstRequestMs: 60_000 });
    onTestFinished(() => fastPath.close());
    const dialled = await dial(port);
    dialled.socket.write(ask());
    const { sink } = await beginning();
    await sleep(60);
    sink.end();
    expect(await dialled.untilClosed()).toMatch(/0\r\n\r\n$/);
  });
});

describe('a connection is given to node:http with all that came', () => {
  it('wherever a request is cut', async () => {
    const { fast } = await entries();
    const request = post('{"cut":1}');
    for (let at = 1; at < request.length; at += 7) {
      const dialled = await dial(fast);
      dialled.socket.write(request.slice(0, at));
      await sleep(2);
      dialled.socket.write(request.slice(at) + post('{"next":1}'));
      const text = await dialled.until(2);
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
      expect(text).toMatch(/\{\\"cut\\":1\}[\s\S]*\{\\"next\\":1\}/);
      dialled.socket.destroy();
    }
  });

  it.each([
    ['another path', 'GET /api/nowhere HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 404[\s\S]*"NOT_FOUND"/],
    ['another verb', `DELETE ${PROXY}a HTTP/1.1\r\nHost: a\r\n\r\n`, /^HTTP\/1\.1 405/],
    [
      'a body in chunks',
      `POST ${PROXY}a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 200[\s\S]*"text":"\{\}"/,
    ],
    ['an expectation', post('{}', 'Expect: 100-continue\r\n'), /^HTTP\/1\.1 100 Continue[\s\S]*HTTP\/1\.1 200/],
    ['a query', post('{}', '', `${PROXY}a?b=c`), /"query":"b=c"/],
    ['an escape', post('{}', '', `${PROXY}a%62`), /"network":"ab"/],
    ['no host', 'POST /api/v1/crypto/rpc/a HTTP/1.1\r\nContent-Length: 0\r\n\r\n', /^HTTP\/1\.1 400/],
    ['two lengths', post('{}', 'Content-Length: 3\r\n'), /^HTTP\/1\.1 400/],
    ['no HTTP', '\x16\x03\x01\r\n\r\n', /^HTTP\/1\.1 400/],
  ])('for %s, first or after calls on the fast path', async (_what, request, expected) => {
    const { fast } = await entries();
    const first = await dial(fast);
    first.socket.write(request, 'latin1');
    expect(await first.until(1)).toMatch(expected);
    const later = await dial(fast);
    later.socket.write(post('"late"') + request, 'latin1');
    expect((await later.until(2)).replace(/^HTTP\/1\.1 200[\s\S]*?\}(?=HTTP)/, '')).toMatch(expected);
  });

  it('when nothing comes on it for too long', async () => {
    const gateway = await testGateway({}, [echo]);
    const { server, port } = await serve(nodeListener(gateway));
    const taken: Socket[] = [];
    server.on('connection', (socket) => taken.push(socket));
    const fastPath = new FastPath(server, gateway, { keepAliveMs: 20, firstRequestMs: 20 });
    onTestFinished(() => fastPath.close());
    const silent = await dial(port);
    for (let i = 0; i < 400 && taken.length === 0; i++) await sleep(5);
    expect(taken).toHaveLength(1);
    silent.socket.write(post('now'));
    expect(await silent.until(1)).toMatch(/"text":"now"/);
  });
});

describe('a connection ends', () => {
  it('when a client ends it', async () => {
    const { fast } = await entries();
    const dialled = await dial(fast);
    dialled.socket.write(post('1'));
    await dialled.until(1);
    dialled.socket.end();
    await dialled.untilClosed();
  });

  it('after it has been idle for too long', async () => {
    const gateway = await testGateway({}, [echo]);
    const { server, port } = await serve(nodeListener(gateway));
    const fastPath = new FastPath(server, gateway, { keepAliveMs: 30, firstRequestMs: 60_000 });
    onTestFinished(() => fastPath.close());
    const dialled = await dial(port);
    dialled.socket.write(post('1'));
    expect(await dialled.untilClosed()).toMatch(/"text":"1"/);
  });

  it('when the gateway stops: at once where it is idle, else after its answer', async () => {
    const { fast, fastPath } = await entries();
    const idle = await dial(fast);
    idle.socket.write(post('1'));
    await idle.until(1);
    const busy = await dial(fast);
    busy.socket.write(post('"late"'));
    while (calls.length < 2) await sleep(2);
    fastPath.close();
    await idle.untilClosed();
    expect(await busy.untilClosed()).toMatch(/late/);
  });

  it('when the gateway stops, but not before the first request of a client that has just connected', async () => {
    const { fast, fastPath } = await entries();
    const [early, silent] = [await dial(fast), await dial(fast)];
    await sleep(20);
    fastPath.close();
    const late = await dial(fast);
    await sleep(50);
    for (const { socket } of [early, late]) socket.write(post('1'));
    for (const dialled of [early, late]) {
      const text = await dialled.untilClosed();
      expect(text).toMatch(/"text":"1"/);
      expect(text).toMatch(/\r\nConnection: close\r\n/i);
    }
    expect(await silent.untilClosed()).toBe('');
  });

  it('and nothing is done for a request that comes after its end, which could be charged and not be answered', async () => {
    const { fast, fastPath } = await entries();
    const socket = connect({ port: fast, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    await once(socket, 'connect');
    const dialled = new Dialled(socket);
    socket.write(post('1'));
    await dialled.until(1);
    fastPath.close();
    await once(socket, 'end');
    socket.write(post('2'));
    await sleep(100);
    expect(calls).toHaveLength(1);
    expect(dialled.text).not.toMatch(/"text":"2"/);
  });
});
