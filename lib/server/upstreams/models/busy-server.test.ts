import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RequestRecord } from '../../http/request-record';
import { CancelSignal } from '../nodes/asker';
import { askForWhole, requireFreeSlots } from './failover';
import { ModelUpstream } from './model-upstream';

const ENOUGH_MS = 20_000;
const TIMEOUTS = { connectTimeoutMs: ENOUGH_MS, firstByteTimeoutMs: ENOUGH_MS, idleTimeoutMs: ENOUGH_MS };
const CONFIG = { ...TIMEOUTS, failoverTimeoutMs: ENOUGH_MS, answerBytesMax: 10_000 };
const [ALICE, BOB] = [1, 2] as const;
const stays = () => () => undefined;

/** Server that runs one request at a time and answers when the test says so. */
async function heldServer(name: string) {
  const open: ServerResponse[] = [];
  let askedCount = 0;
  const server = createServer((request, response) => {
    request.resume();
    askedCount++;
    open.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const upstream = new ModelUpstream(
    { name, url, key: null, headers: {}, isEnclave: false, maxConcurrentRequests: 1 },
    TIMEOUTS,
  );
  onTestFinished(() => upstream.close());
  const whenAsked = (count: number) =>
    vi.waitFor(() => expect(askedCount).toBe(count), { timeout: ENOUGH_MS, interval: 2 });
  return { upstream, whenAsked, answer: () => open.shift()?.end('{}') };
}

type Held = Awaited<ReturnType<typeof heldServer>>;
const question = (caller: number, whenGone: CancelSignal['whenGone'] = stays) =>
  ({ method: 'POST', path: '/embeddings', body: '{}', turn: { caller, whenGone } }) as const;
const ask = ({ upstream }: Held, caller: number, timeoutMs = ENOUGH_MS, client = new CancelSignal()) =>
  upstream.ask({ ...question(caller, client.whenGone), timeoutMs }, 1_000).then(
    () => 'answered',
    ({ reason, isUnsent }: { reason: string; isUnsent: boolean }) => `${reason}, ${isUnsent ? 'unsent' : 'sent'}`,
  );
const askFirst = (servers: readonly Held[], caller: number) =>
  askForWhole(
    servers.map(({ upstream }) => ({ upstream })),
    {
      config: CONFIG,
      log: pino({ enabled: false }),
      call: { requestId: 'r', record: new RequestRecord({ header: () => null }), whenGone: stays },
      caller,
    },
    () => ({ method: 'POST', path: '/embeddings', body: '{}' }),
    (_answer, { upstream }) => upstream.name,
  );
const slotsOf = ({ upstream: { slots } }: Held) => [slots.taken, slots.waiting];

describe('a model server with one slot', () => {
  it('gets waiting requests in turns; requests of the gateway itself take no slot', async () => {
    const server = await heldServer('one');
    const asked = [ask(server, ALICE), ask(server, ALICE), ask(server, BOB)];
    await server.whenAsked(1);
    expect(slotsOf(server)).toEqual([1, 2]);
    const own = server.upstream.ask({ method: 'GET', path: '/models' }, 1_000);
    await server.whenAsked(2);
    server.answer();
    server.answer();
    for (const count of [3, 4]) {
      await server.whenAsked(count);
      server.answer();
    }
    expect([await Promise.all(asked), (await own).status]).toEqual([['answered', 'answered', 'answered'], 200]);
    expect(slotsOf(server)).toEqual([0, 0]);
  });

  it('is not asked for a caller whose queue is full, whose wait ended, or who disconnected', async () => {
    const server = await heldServer('one');
    const leaving = new CancelSignal();
    const running = ask(server, ALICE);
    await server.whenAsked(1);
    const left = ask(server, ALICE, ENOUGH_MS, leaving);
    leaving.cancel();
    expect(await left).toBe('gone, unsent');
    const vain = Array.from({ length: 4 }, () => ask(server, ALICE, 10));
    expect(await ask(server, ALICE)).toBe('busy, unsent');
    expect(new Set(await Promise.all(vain))).toEqual(new Set(['busy, unsent']));
    expect(slotsOf(server)).toEqual([1, 0]);
    server.answer();
    expect(await running).toBe('answered');
    await server.whenAsked(1);
    expect([slotsOf(server), server.upstream.breaker.admits(performance.now())]).toEqual([[0, 0], true]);
  });

  it('frees the slot when a request times out, and when its client leaves', async () => {
    const server = await heldServer('one');
    expect(await ask(server, ALICE, 30)).toBe('timeout, sent');
    expect(slotsOf(server)).toEqual([0, 0]);
    const client = new CancelSignal();
    const asked = server.upstream.ask(question(ALICE), 1_000, client.whenGone).catch(({ reason }) => String(reason));
    await server.whenAsked(2);
    client.cancel();
    expect([await asked, slotsOf(server)]).toEqual(['gone', [0, 0]]);
  });

  it('frees the slot when it refuses connections, breaks them, or is closed', async () => {
    const server = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const config = { name: 'gone', url, key: null, headers: {}, isEnclave: false, maxConcurrentRequests: 1 };
    const upstream = new ModelUpstream(config, TIMEOUTS);
    const held = { upstream } as Held;
    expect(await Promise.all([ask(held, ALICE), ask(held, ALICE)])).toEqual(['away, sent', 'away, sent']);
    await new Promise((resolve) => server.close(resolve));
    expect(await ask(held, ALICE)).toMatch(/^away/);
    await upstream.close();
    expect([await ask(held, ALICE), await ask(held, BOB)]).toEqual([
      expect.stringMatching(/^away/),
      expect.stringMatching(/^away/),
    ]);
    expect(slotsOf(held)).toEqual([0, 0]);
  });
});

it('requests of the gateway itself are sent while callers have all slots of the largest server', async () => {
  let posts = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') response.end('{}');
    else posts++;
  }).listen({ port: 0, host: '127.0.0.1', backlog: 2_048 });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const config = { name: 'large', url, key: null, headers: {}, isEnclave: false, maxConcurrentRequests: 1_024 };
  const upstream = new ModelUpstream(config, TIMEOUTS);
  const asked = Array.from({ length: 1_024 }, (_none, index) => ask({ upstream } as Held, index + 1));
  await vi.waitFor(() => expect(posts).toBe(1_024), { timeout: ENOUGH_MS, interval: 10 });
  expect((await upstream.ask({ method: 'GET', path: '/models', timeoutMs: 5_000 }, 1_000)).status).toBe(200);
  server.closeAllConnections();
  server.close();
  await Promise.all(asked);
  await upstream.close();
  expect(slotsOf({ upstream } as Held)).toEqual([0, 0]);
});

describe('a model on two servers', () => {
  it('is asked of the one with a free slot, and of the first if both have one', async () => {
    const [first, second] = [await heldServer('first'), await heldServer('second')];
    const asked = [askFirst([first, second], ALICE), askFirst([first, second], BOB)];
    await Promise.all([first.whenAsked(1), second.whenAsked(1)]);
    first.answer();
    second.answer();
    expect(await Promise.all(asked)).toEqual(['first', 'second']);
  });

  it('is busy with a retry delay if neither takes another request, and a payment is then not taken', async () => {
    const servers = [await heldServer('first'), await heldServer('second')];
    const models = servers.map(({ upstream }) => ({ upstream }));
    const asked = servers.map((server) => ask(server, ALICE));
    await Promise.all(servers.map((server) => server.whenAsked(1)));
    const waiting = servers.flatMap((server) => [10, 11, 12, 13].map((caller) => ask(server, caller)));
    expect(() => requireFreeSlots(models, 14)).not.toThrow();
    waiting.push(...servers.flatMap((server) => [14, 15, 16, 17].map((caller) => ask(server, caller))));
    await vi.waitFor(
      () =>
        expect(servers.map(slotsOf)).toEqual([
          [1, 8],
          [1, 8],
        ]),
      { interval: 2 },
    );
    const busy = { code: 'MODEL_BUSY', headers: { 'retry-after': expect.stringMatching(/^[1-9]/) as string } };
    await expect(askFirst(servers, 10)).rejects.toMatchObject(busy);
    expect(() => requireFreeSlots(models, 18)).toThrow(expect.objectContaining(busy) as Error);
    for (const server of servers) await server.upstream.close();
    await Promise.all([...asked, ...waiting]);
  });

  it('is busy for a caller whose own queues are full, and a payment of this caller is then not taken', async () => {
    const servers = [await heldServer('first'), await heldServer('second')];
    const models = servers.map(({ upstream }) => ({ upstream }));
    const asked = servers.flatMap((server) => Array.from({ length: 5 }, () => ask(server, ALICE)));
    await Promise.all(servers.map((server) => server.whenAsked(1)));
    await expect(askFirst(servers, ALICE)).rejects.toMatchObject({ code: 'MODEL_BUSY' });
    expect(() => requireFreeSlots(models, BOB)).not.toThrow();
    expect(() => requireFreeSlots(models, ALICE)).toThrow(expect.objectContaining({ code: 'MODEL_BUSY' }) as Error);
    for (const server of servers) await server.upstream.close();
    await Promise.all(asked);
  });
});
