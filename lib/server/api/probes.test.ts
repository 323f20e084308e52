import { describe, expect, it } from 'vitest';
import type { Gateway } from '@/lib/server/create-gateway';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { refusingUrl, resultOf, type ScriptedNode, scriptedNode, sound } from '@/test/scripted-node';
import { gatewayOfFile, serve } from '@/test/test-gateway';

const HEIGHT = '"0x10"';
/** Answers Ethereum's chain id and a block height. */
const evm = ({ method }: { method: string }): string => (method === 'eth_chainId' ? '"0x1"' : HEIGHT);

const ALL = { readiness: { networks: 'all' } };

/** Starts a live gateway with upstreams for each network, and functions that read its probes. */
async function gatewayOf(networks: Record<string, string[]>, settings: object = {}) {
  const upstreams = Object.fromEntries(Object.entries(networks).map(([slug, urls]) => [slug, { upstreams: urls }]));
  const gateway = await gatewayOfFile({ networks: upstreams, rpc: { healthChecks: { intervalMs: 50 } }, ...settings });
  const { origin } = await serve(nodeListener(gateway));
  return { gateway, ready: () => probe(origin, '/readyz'), live: () => probe(origin, '/livez') };
}

async function probe(origin: string, path: string) {
  const response = await fetch(`${origin}${path}`);
  const body = (await response.json()) as { status: string; reasons?: { check: string; reason: string }[] };
  return { code: response.status, ...body };
}

function backendOf({ networks }: Gateway, slug: string) {
  const backend = networks.find(slug)?.backend;
  if (!backend) throw new Error(`${slug} has no upstream.`);
  return backend;
}

async function ethereumNode(): Promise<ScriptedNode> {
  return scriptedNode(sound(evm));
}

describe('GET /readyz', () => {
  it('is 503 until the upstreams of every network have been checked, and 200 once each network has one that answers', async () => {
    const node = await ethereumNode();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    node.script = (asked, response) => held.then(() => sound(evm)(asked, response));
    const { ready } = await gatewayOf({ 'ethereum-mainnet': [await refusingUrl(), node.url] }, ALL);
    expect(await ready()).toMatchObject({
      reasons: [{ check: 'networks', reason: 'The upstreams of ethereum-mainnet have not been checked yet.' }],
    });
    release();
    await expect.poll(async () => (await ready()).code, { timeout: 10_000 }).toBe(200);
  });

  it('names the network whose upstreams are all away, and is 200 again when one is back, though nobody calls meanwhile', async () => {
    const node = await ethereumNode();
    node.script = (_asked, response) => void response.writeHead(500).end();
    const { ready } = await gatewayOf({ 'ethereum-mainnet': [node.url] }, ALL);
    await expect
      .poll(async () => (await ready()).reasons?.[0]?.reason, { timeout: 10_000 })
      .toBe('No upstream of ethereum-mainnet can be asked.');
    node.script = sound(evm);
    await expect.poll(async () => (await ready()).code, { timeout: 10_000 }).toBe(200);
  });

  it('is 503 where the only upstream is of another chain', async () => {
    const node = await scriptedNode(({ items: [item] }) =>
      resultOf(item as { id: number }, item?.method === 'eth_chainId' ? '"0x5"' : HEIGHT),
    );
    const { ready } = await gatewayOf({ 'ethereum-mainnet': [node.url] }, ALL);
    await expect
      .poll(async () => (await ready()).reasons?.[0]?.reason, { timeout: 10_000 })
      .toBe('No upstream of ethereum-mainnet can be asked.');
  });

  it('holds the networks to the declared policy: any one, those that are listed, or none', async () => {
    const node = await ethereumNode();
    const networks = { 'ethereum-mainnet': [node.url], 'base-mainnet': [await refusingUrl()] };
    const any = await gatewayOf(networks, { readiness: { networks: 'any' } });
    const listed = await gatewayOf(networks, { readiness: { networks: ['ethereum-mainnet'] } });
    const none = await gatewayOf(networks, { readiness: { networks: 'none' } });
    expect((await none.ready()).code).toBe(200);
    for (const { ready } of [any, listed])
      await expect.poll(async () => (await ready()).code, { timeout: 10_000 }).toBe(200);
    const missing = await gatewayOf(networks, { readiness: { networks: ['polygon-mainnet'] } });
    expect((await missing.ready()).reasons).toEqual([
      { check: 'networks', reason: 'No upstream is configured for polygon-mainnet, which readiness.networks lists.' },
    ]);
  });

  it('needs any one network by default: one dead upstream takes no gateway out', async () => {
    const node = await ethereumNode();
    const { ready } = await gatewayOf({ 'ethereum-mainnet': [node.url], 'base-mainnet': [await refusingUrl()] });
    await expect.poll(async () => (await ready()).code, { timeout: 10_000 }).toBe(200);
    const alone = await gatewayOf({ 'base-mainnet': [await refusingUrl()] });
    await expect
      .poll(async () => (await alone.ready()).reasons, { timeout: 10_000 })
      .toEqual([{ check: 'networks', reason: 'No network has an upstream that can be asked.' }]);
  });

  it('is 503 as soon as the gateway is told to stop, with every other reason beside', async () => {
    const { gateway, ready, live } = await gatewayOf({}, { readiness: { networks: ['base-mainnet'] } });
    gateway.drain.begin();
    const { code, reasons } = await ready();
    expect([code, reasons?.map(({ check }) => check)]).toEqual([503, ['drain', 'networks']]);
    expect((await live()).status).toBe('ok');
  });

  it('asks no upstream that answers calls anyway', async () => {
    const node = await ethereumNode();
    const { gateway, ready } = await gatewayOf(
      { 'ethereum-mainnet': [node.url] },
      { rpc: { healthChecks: { intervalMs: 0 } } },
    );
    expect((await ready()).code).toBe(200);
    expect(backendOf(gateway, 'ethereum-mainnet').pool.usedAt).toBeNull();
    expect(node.asked).toEqual([]);
  });
});
