import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testGateway } from '@/test/test-gateway';
import { type BodySink, type Call, json, type PushBody, type Reply } from './call';
import { admit } from './destination';
import { type DrainTimes, drainServers } from './drain-server';
import { FAST_PATHS, FastPath } from './fast-path/fast-path';
import { nodeListener } from './node-adapter';

const [PROXY] = FAST_PATHS;
/** A path of the fast path and another one. */
const PATHS = [`${PROXY}any`, '/api/elsewhere'];

/** An answer that runs until the test ends it. */
class Endless implements PushBody {
  isCancelled = false;
  #sink: BodySink | null = null;

  start(sink: BodySink): void {
    this.#sink = sink;
    sink.write(Buffer.from('first'));
  }

  end(): void {
    this.#sink?.write(Buffer.from('last'));
    this.#sink?.end();
  }

  resume(): void {
    // Pushes only what a test writes.
  }

  cancel(): void {
    this.isCancelled = true;
  }
}

/**
 * Starts a server with both entries and an endpoint that answers immediately, late or endlessly; returns its drain too.
 */
async function served(times: DrainTimes) {
  const bodies: Endless[] = [];
  let isAnswered = 0;
  const handler = async (call: Call): Promise<Reply> => {
    const text = Buffer.from(await call.readBody(1_000)).toString();
    if (text.includes('late')) await sleep(150);
    isAnswered++;
    if (!text.includes('stream')) return json({ ok: true });
    const body = new Endless();
    bodies.push(body);
    return { status: 200, headers: {}, body };
  };
  const gateway = await testGateway({}, [
    { path: `${PROXY}{network}`, POST: handler },
    { path: '/api/elsewhere', POST: handler },
  ]);
  const api = nodeListener(gateway);
  const server: Server = createServer((request, response) => {
    if (admit(request, response, { profileHeader: null, drain: gateway.drain, isDevelopment: false }))
      api(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fastPath = new FastPath(server, gateway, { keepAliveMs: 60_000, firstRequestMs: 60_000 });
  onTestFinished(() => {
    server.closeAllConnections();
    fastPath.cut();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    bodies,
    answered: () => isAnswered,
    drain: () => drainServers([server], gateway.drain, times, () => fastPath),
  };
}

/** Clients on another thread. Each opens a connection on command, reports the attempt, and reports the answer. */
const CLIENTS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, opened, request } } = require('node:worker_threads');
  parentPort.on('message', () => {
    let text = '';
    const tried = () => {
      Atomics.add(opened, 0, 1);
      Atomics.notify(opened, 0);
    };
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request);
      tried();
    });
    socket.on('data', (chunk) => (text += chunk)).on('error', (error) => (text += error.message)).on('error', tried).on('close', () => parentPort.postMessage(text));
  });
`;

interface Client {
  socket: Socket;
  text: () => string;
  ask(path: string, what: string): void;
}

async function client(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  const ask = (path: string, what: string): void => {
    const body = JSON.stringify(what);
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  };
  return { socket, text: () => text, ask };
}

describe('connections that were opened before the listener closed', () => {
  it('are taken, however many wait, and their first requests answered', async () => {
    const { port, drain, answered } = await served({ delayMs: 1, timeoutMs: 5_000 });
    // The kernel queues all connections, and the event loop accepts one per turn.
    const texts = Array.from({ length: 60 }, async () => {
      const socket = connect({ port, host: '127.0.0.1' });
      onTestFinished(() => void socket.destroy());
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString())).on('error', (error) => (text += error.message));
      socket.write(
        `POST ${PROXY}any HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      );
      await once(socket, 'close');
      return text;
    });
    await drain();
    for (const text of await Promise.all(texts)) expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(answered()).toBe(60);
  });

  it('are taken also where one comes while the loop is busy, after turns that took none', async () => {
    const { port, drain } = await served({ delayMs: 1, timeoutMs: 5_000 });
    const opened = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(CLIENTS, {
      eval: true,
      workerData: {
        port,
        opened,
        request: `POST ${PROXY}any HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      },
    });
    onTestFinished(async () => void (await clients.terminate()));
    await once(clients, 'online');
    const texts: string[] = [];
    clients.on('message', (text: string) => texts.push(text));
    let turns = 0;
    // Opens a connection in every third turn, so that the two turns in between accept none.
    const busyTurn = (): void => {
      if (++turns % 3 === 0) {
        const before = Atomics.load(opened, 0);
        clients.postMessage('open');
        Atomics.wait(opened, 0, before);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      if (turns < 9) setImmediate(busyTurn);
    };
    setImmediate(busyTurn);
    await drain();
    await expect.poll(() => texts.length).toBe(3);
    for (const text of texts) expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe.each(PATHS)('a server that drains, at %s', (path) => {
  it('goes on answering for the delay, on new connections and on old ones, and says that each is closed', async () => {
    const { port, drain } = await served({ delayMs: 400, timeoutMs: 5_000 });
    const old = await client(port);
    old.ask(path, 'soon');
    await expect.poll(old.text).toContain('{"ok":true}');
    expect(old.text().toLowerCase()).toContain('connection: keep-alive');
    const drained = drain();
    old.ask(path, 'again');
    const fresh = await client(port);
    fresh.ask(path, 'soon');
    await Promise.all([once(old.socket, 'close'), once(fresh.socket, 'close')]);
    for (const { text } of [old, fresh])
      expect(text().toLowerCase()).toMatch(/connection: close\r\n[^]*\{"ok":true\}$/);
    expect(await drained).toBe(false);
  });

  it('says so in an answer that was being made when the end was asked for', async () => {
    const { port, drain } = await served({ delayMs: 0, timeoutMs: 5_000 });
    const { socket, text, ask } = await client(port);
    ask(path, 'late');
    await sleep(50);
    const drained = drain();
    await once(socket, 'close');
    expect(text().toLowerCase()).toMatch(/connection: close\r\n[^]*\{"ok":true\}$/);
    expect(await drained).toBe(false);
  });

  it('lets a stream come to its end, and takes no new connections meanwhile', async () => {
    const { port, bodies, drain } = await served({ delayMs: 0, timeoutMs: 5_000 });
    const { socket, text, ask } = await client(port);
    ask(path, 'stream');
    await expect.poll(text).toContain('first');
    const drained = drain();
    await expect(client(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    bodies[0]?.end();
    await once(socket, 'close');
    expect(text()).toMatch(/last\r\n0\r\n\r\n$/);
    expect(await drained).toBe(false);
  });

  it('cuts what goes on for longer than the time-out, which hears of it as of a client that has gone', async () => {
    const { port, bodies, drain } = await served({ delayMs: 0, timeoutMs: 100 });
    const { socket, text, ask } = await client(port);
    ask(path, 'stream');
    await expect.poll(text).toContain('first');
    expect(await drain()).toBe(true);
    if (!socket.closed) await once(socket, 'close');
    expect(text()).not.toContain('0\r\n\r\n');
    await expect.poll(() => bodies[0]?.isCancelled).toBe(true);
  });

  it('does not wait for connections on which nothing is asked', async () => {
    const { port, drain } = await served({ delayMs: 0, timeoutMs: 60_000 });
    const { socket, text, ask } = await client(port);
    ask(path, 'soon');
    await expect.poll(text).toContain('{"ok":true}');
    const closed = once(socket, 'close');
    expect(await drain()).toBe(false);
    await closed;
  });
});
