import { describe, expect, it } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import {
  type AskedItem,
  errorOf,
  type NodeScript,
  resultOf,
  scriptedNode,
  type ScriptedNode,
  sound,
} from '@/test/scripted-node';
import { networkHealthOf } from '../../rpc/network-health';

const CALL = { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] };
const SEND = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x01'] };
const IDENTITY_METHODS = ['eth_chainId', 'getGenesisHash', 'starknet_chainId'];

/** A node that reports this chain and answers everything else. */
const saying = (identity: string): NodeScript =>
  sound((item: AskedItem) => (IDENTITY_METHODS.includes(item.method) ? identity : '"0x7"'));
const proving = { chainIdentity: undefined };
const looks = (node: ScriptedNode) =>
  node.asked.filter(({ items: [item] }) => IDENTITY_METHODS.includes(item!.method)).length;
const calls = (node: ScriptedNode) => node.asked.length - looks(node);
const LONG = { timeout: 30_000 };

describe('an upstream of another chain', LONG, () => {
  it.each([
    ['a read', CALL],
    ['a send', SEND],
    ['a batch', [CALL, { ...CALL, id: 2, method: 'eth_blockNumber' }]],
  ])('is never asked %s and never billed, were it the only one', async (_what, body) => {
    const node = await scriptedNode(saying('"0x5"'));
    const gateway = await rpcGateway([node.url], {}, undefined, proving);
    for (let call = 0; call < 3; call++) {
      const answer = await gateway.ask(body);
      expect([answer.status, answer.credits]).toEqual([500, null]);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'UPSTREAM_FAILED',
        error: expect.stringContaining(
          'it serves another chain: its eth_chainId is 0x5, but ethereum-mainnet has 0x1',
        ) as string,
      });
    }
    expect([looks(node), calls(node)]).toEqual([1, 0]);
    expect(gateway.charges()).toEqual([]);
    expect(networkHealthOf(gateway.backend).upstreams).toMatchObject([{ state: 'wrongChain' }]);
  });

  it('is never asked beside a right one, not even when that is gone', async () => {
    const wrong = await scriptedNode(saying('"0x5"'));
    const right = await scriptedNode(saying('"0x1"'));
    const gateway = await rpcGateway([wrong.url, right.url], {}, undefined, proving);
    for (let call = 0; call < 5; call++) expect((await gateway.ask({ ...CALL, id: call })).status).toBe(200);
    right.script = (_asked, response) => void response.writeHead(503).end();
    expect((await gateway.ask(CALL)).status).toBe(500);
    expect((await gateway.ask(SEND)).status).toBe(500);
    expect(calls(wrong)).toBe(0);
    expect(gateway.charges()).toHaveLength(5);
  });

  it('is found out by the periodic check where it changed after its proof, and let in again when it is right', async () => {
    const node = await scriptedNode(saying('"0x1"'));
    const gateway = await rpcGateway([node.url], { healthChecks: { intervalMs: 10 } }, undefined, proving);
    expect((await gateway.ask(CALL)).status).toBe(200);
    node.script = saying('"0x5"');
    await expect
      .poll(() => networkHealthOf(gateway.backend).upstreams[0]?.state, { timeout: 20_000 })
      .toBe('wrongChain');
    expect((await gateway.ask(CALL)).status).toBe(500);
    node.script = saying('"0x1"');
    await expect.poll(async () => (await gateway.ask(CALL)).status, { timeout: 20_000 }).toBe(200);
  });

  it.each([
    [
      'solana-mainnet',
      '"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"',
      '"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"',
      'getBalance',
      ['11111111111111111111111111111111'],
    ],
    [
      'solana-devnet',
      '"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"',
      '"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"',
      'getBalance',
      ['11111111111111111111111111111111'],
    ],
    ['starknet-mainnet', '"0x534e5f4d41494e"', '"0x534e5f5345504f4c4941"', 'starknet_blockNumber', []],
    ['starknet-sepolia', '"0x534e5f5345504f4c4941"', '"0x534e5f4d41494e"', 'starknet_blockNumber', []],
  ])('is told on %s by its genesis hash or chain id', async (network, right, other, method, params) => {
    const node = await scriptedNode(saying(other));
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const refused = await rpcGateway([node.url], {}, network, proving);
    expect((await refused.ask(body)).status).toBe(500);
    expect([calls(node), refused.charges()]).toEqual([0, []]);
    node.script = saying(right);
    const taken = await rpcGateway([node.url], {}, network, proving);
    expect((await taken.ask(body)).status).toBe(200);
  });
});

describe('an upstream that has not proved its chain yet', LONG, () => {
  it('does so before its first call, by one look for all who wait, and by none after', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const node = await scriptedNode(async (asked, response) => {
      if (asked.items[0]?.method === 'eth_chainId') await held;
      return saying('"0x1"')(asked, response);
    });
    const gateway = await rpcGateway([node.url], {}, undefined, proving);
    const answers = Array.from({ length: 20 }, (_none, id) =>
      gateway.ask({ ...CALL, id, method: id % 2 ? 'eth_blockNumber' : 'eth_gasPrice' }),
    );
    await expect.poll(() => looks(node)).toBe(1);
    expect(calls(node)).toBe(0);
    answer();
    for (const each of await Promise.all(answers)) expect(each.status).toBe(200);
    await gateway.ask(CALL);
    expect(looks(node)).toBe(1);
  });

  it.each<[string, NodeScript]>([
    ['answers with an error', ({ items: [item] }) => errorOf(item!, -32603, 'internal')],
    ['says nothing that is an id', ({ items: [item] }) => resultOf(item!, '{"a":1}')],
    ['answers HTML', () => '<html>'],
    ['is down', (_asked, response) => void response.writeHead(503).end()],
  ])('and %s when asked is not used, and is once it does', async (_what, script) => {
    const node = await scriptedNode((asked, response) =>
      asked.items[0]?.method === 'eth_chainId' ? script(asked, response) : saying('"0x1"')(asked, response),
    );
    const gateway = await rpcGateway([node.url], {}, undefined, proving);
    expect((await gateway.ask(CALL)).status).toBe(500);
    expect([calls(node), gateway.charges()]).toEqual([0, []]);
    node.script = saying('"0x1"');
    await expect.poll(async () => (await gateway.ask(CALL)).status, { timeout: 10_000 }).toBe(200);
  });

  it('and is silent keeps nobody waiting while another has proved its own', async () => {
    const silent = await scriptedNode(() => undefined);
    const node = await scriptedNode(saying('"0x1"'));
    const gateway = await rpcGateway([silent.url, node.url], {}, undefined, proving);
    const answer = await gateway.ask(CALL);
    expect([answer.status, calls(silent)]).toEqual([200, 0]);
    expect(answer.elapsedMs).toBeLessThan(4_000);
  });
});

describe('what the configuration says of a chain counts', LONG, () => {
  it('a genesis hash or chain id of its own, a further network by its chain id; and with false it is believed', async () => {
    const node = await scriptedNode(saying('"0x539"'));
    const statusOf = async (network: string, settings: Record<string, unknown>) =>
      (await (await rpcGateway([node.url], {}, network, settings)).ask(CALL)).status;
    expect(await statusOf('ethereum-mainnet', { chainIdentity: '1337' })).toBe(200);
    expect(await statusOf('ethereum-mainnet', { chainIdentity: false })).toBe(200);
    expect(await statusOf('example-testnet', { chainId: 1337 })).toBe(200);
    expect(await statusOf('example-testnet', { chainId: 1338 })).toBe(500);
    expect(await statusOf('example-testnet', { chainIdentity: false })).toBe(200);
  });
});
