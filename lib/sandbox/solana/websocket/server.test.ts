import { once } from 'node:events';
import http from 'node:http';
import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { recordingLog } from '../../sandbox-under-test';
import { ask, serveSolana, type SolanaServer } from '../solana-under-test';
import { NeighbourPort, SolanaWebSocket } from './server';

let server: SolanaServer;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  server = await serveSolana();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => server.close());

async function connect(
  url = server.wsUrl,
  options = {},
): Promise<{ say(text: string): void; hear(): Promise<Record<string, unknown>>; socket: WebSocket }> {
  const socket = new WebSocket(url, options);
  sockets.push(socket);
  const heard: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const take = waiting.shift();
    if (take) take(data.toString());
    else heard.push(data.toString());
  });
  await once(socket, 'open');
  return {
    socket,
    say: (text) => socket.send(text),
    hear: async () =>
      JSON.parse(heard.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))) as Record<
        string,
        unknown
      >,
  };
}

const request = (method: string, params: unknown[] = [], id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('messages that make no sense get the JSON-RPC error, and the connection goes on', () => {
  it.each<[string, string, number]>([
    ['no JSON', '{', -32_700],
    ['a number', '7', -32_600],
    ['an unknown method', request('fooSubscribe'), -32_601],
    ['a method for HTTP', request('getSlot'), -32_601],
    ['an invalid signature', request('signatureSubscribe', ['abc']), -32_602],
    ['no signature', request('signatureSubscribe'), -32_602],
    ['an invalid address', request('accountSubscribe', ['0OIl']), -32_602],
    ['logs of two addresses', request('logsSubscribe', [{ mentions: ['1', '2'] }]), -32_602],
    ['an unknown subscription', request('slotUnsubscribe', [99]), -32_602],
    ['an unknown commitment', request('signatureSubscribe', ['1'.repeat(64), { commitment: 'x' }]), -32_602],
  ])('%s', async (_name, message, code) => {
    const { say, hear } = await connect();
    say(message);
    expect(await hear()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    say(request('slotSubscribe', [], 'next'));
    expect(await hear()).toMatchObject({ id: 'next', result: 0 });
  });

  it('a binary message or one of 100 KB ends it', async () => {
    for (const message of [Buffer.from('{}'), 'x'.repeat(100_000)]) {
      const { socket } = await connect();
      socket.send(message);
      await once(socket, 'close');
    }
    expect(
      (await fetch(server.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }))
        .status,
    ).toBe(200);
  });
});

describe('subscriptions', () => {
  it('tell of a signature once, and of it again to nobody', async () => {
    const { result } = await ask(server.rpcUrl, 'requestAirdrop', [Keypair.generate().publicKey.toBase58(), 1_000_000]);
    const { say, hear } = await connect();
    say(request('signatureSubscribe', [result]));
    expect(await hear()).toMatchObject({ id: 1, result: 0 });
    expect(await hear()).toMatchObject({
      method: 'signatureNotification',
      params: { subscription: 0, result: { value: { err: null } } },
    });
    say(request('signatureUnsubscribe', [0], 2));
    expect(await hear()).toMatchObject({ id: 2, error: { code: -32_602 } });
  });

  it('end when told to', async () => {
    const { say, hear } = await connect();
    say(request('slotSubscribe'));
    await hear();
    expect(await hear()).toMatchObject({ method: 'slotNotification' });
    say(request('slotUnsubscribe', [0], 'end'));
    let answer = await hear();
    while (answer['id'] !== 'end') answer = await hear();
    expect(answer).toMatchObject({ result: true });
    say(request('rootUnsubscribe', [0], 'again'));
    expect(await hear()).toMatchObject({ id: 'again', error: { code: -32_602 } });
  });

  it('are a thousand on one connection at most', async () => {
    const { say, hear } = await connect();
    for (let count = 0; count < 1_001; count += 1) say(request('logsSubscribe', ['all'], count));
    let answer = await hear();
    while (answer['id'] !== 1_000) answer = await hear();
    expect(answer).toMatchObject({ error: { code: -32_602 } });
  });
});

describe('refused before the upgrade', () => {
  it.each([
    ['an unknown network', '/solana/solana-narnia', '127.0.0.1', 404],
    ['an EVM network', '/solana/ethereum-mainnet', '127.0.0.1', 404],
    ['a name that a page made resolve to this machine', '/solana/solana-devnet', 'evil.example', 421],
  ])('%s', async (_name, path, host, status) => {
    const socket = new WebSocket(new URL(path, server.wsUrl), { headers: { host } });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, http.IncomingMessage];
    expect(response.statusCode).toBe(status);
    response.resume();
  });

  it("a path in front of the slug is the client's own business", async () => {
    const { say, hear } = await connect(server.wsUrl.replace('/solana/', '/api/v1/crypto/rpc/'));
    say(request('slotSubscribe'));
    expect(await hear()).toMatchObject({ result: 0 });
  });
});

describe('NeighbourPort', () => {
  it('says in the log where its port is taken, and in HTTP what it is for', async () => {
    const taken = http.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const log = recordingLog();
    const webSocket = new SolanaWebSocket(new Map(), log);
    new NeighbourPort(port, webSocket, log).open();
    await expect.poll(() => log.lines).toEqual([expect.stringContaining(`port ${port} could not be opened`)]);
    taken.close();
    await once(taken, 'close');
    const neighbour = new NeighbourPort(port, webSocket, log);
    neighbour.open();
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(426);
    neighbour.close();
  });
});
