import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '@/lib/server/admin/command-line';
import { askGateways, controlAnswerSchema, listenForCommands } from '@/lib/server/admin/control-socket';
import { changesBetween } from '@/lib/server/config/changes';
import { readConfig } from '@/lib/server/config/load';
import { createGateway } from '@/lib/server/create-gateway';
import { createAccount } from '@/lib/server/db/accounts';
import { insertApiKey, newApiKeySecret } from '@/lib/server/db/api-keys';
import { grantWithin } from './lib/server/db/credits';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { createLog } from '@/lib/server/telemetry/log';
import { tempFolder } from '@/test/temp-folder';
import { serve } from '@/test/test-gateway';
import { listenForReloads } from './reloading';

const ENV = { TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 'correct-horse-battery-staple-2026' };

/** Starts a node that answers with its name, when the test lets it. */
async function node(name: string) {
  let release: () => void = () => undefined;
  let gate: Promise<void> = Promise.resolve();
  let asked = 0;
  const { origin } = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked++;
      const { id } = JSON.parse(text) as { id: unknown };
      void gate.then(() =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: name })),
      );
    });
  });
  return {
    origin,
    asked: () => asked,
    hold: () => void (gate = new Promise((resolve) => (release = resolve))),
    release: () => release(),
  };
}

/** Starts a model server with one model. */
async function models(id: string): Promise<string> {
  const { origin } = await serve((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id }] })),
  );
  return `${origin}/v1`;
}

/** Starts a gateway that can reload its file. */
async function gatewayOf(file: Record<string, unknown>) {
  const folder = tempFolder();
  const env = { ...ENV, TURNPIKE_DATA_DIR: join(folder, 'd') };
  const write = (settings: unknown): void =>
    writeFileSync(
      join(folder, 'turnpike.config.json'),
      typeof settings === 'string' ? settings : JSON.stringify(settings),
    );
  write(file);
  const read = () => readConfig(env, folder);
  const { config, source } = read();
  const gateway = await createGateway(config, null, createLog('silent'));
  onTestFinished(() => gateway.close());
  const said: string[] = [];
  const log = createLog('silent');
  const note = (...all: unknown[]): void => void said.push(String(all.at(-1)));
  Object.assign(log, { info: note, error: note });
  const reloads = await listenForReloads({
    log,
    dataDir: config.dataDir,
    source,
    read,
    status: () => gateway.figures(),
    takeOver: (next, changed) => gateway.reload(next, changed),
  });
  onTestFinished(() => reloads.close());
  const { origin } = await serve(nodeListener(gateway));
  const accountId = await createAccount(gateway.db, { label: 'x', tier: 'standard' });
  await grantWithin(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000_000, detail: 'test' });
  const key = newApiKeySecret();
  await insertApiKey(gateway.db, key, {
    accountId,
    type: 'INFERENCE',
    description: 'x',
    expiresAt: null,
    limitPeriod: 'LIFETIME',
    limitUsdNano: null,
    limitDiemNano: null,
  });
  const rpc = async (network = 'ethereum-mainnet') => {
    const response = await fetch(`${origin}/api/v1/crypto/rpc/${network}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    });
    return {
      status: response.status,
      json: (await response.json()) as { result?: unknown },
      costUsd: response.headers.get('x-service-rpc-cost-usd'),
    };
  };
  const modelIds = async () =>
    (
      (await (await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
        data: { id: string }[];
      }
    ).data.map(({ id }) => id);
  const command = async (line: string) => {
    let out = '';
    const code = await runCommandLine(line.split(' '), {
      env,
      cwd: folder,
      out: (text) => (out += text),
      err: (text) => (out += text),
    });
    return { code, out };
  };
  return { folder, config, gateway, write, reload: reloads.reload, said, rpc, modelIds, command };
}

const network = (...upstreams: string[]) => ({
  networks: { 'ethereum-mainnet': { upstreams, chainIdentity: false } },
  rpc: { healthChecks: { intervalMs: 0 }, cacheBytesMax: 0 },
});

describe('a reload', () => {
  it('takes over upstreams, prices, limits and models, by the command, and tells what changed', async () => {
    const [first, second] = await Promise.all([node('first'), node('second')]);
    const { write, rpc, command, modelIds, said } = await gatewayOf({
      ...network(first.origin),
      pricePerCreditUsd: '0.000001',
      inference: { chatUpstreams: [{ name: 'a', url: await models('model-a') }] },
    });
    expect(await rpc()).toMatchObject({ json: { result: 'first' }, costUsd: '0.00002000' });
    expect(await modelIds()).toContain('model-a');
    write({
      ...network(second.origin),
      pricePerCreditUsd: '0.000002',
      limits: { rpcRequestsPerMinute: { paid: 2 } },
      inference: { chatUpstreams: [{ name: 'a', url: await models('model-b') }] },
    });
    const { code, out } = await command('reload --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      gateways: [
        {
          pid: process.pid,
          ok: true,
          changed: [
            'pricePerCreditUsd',
            'networks.ethereum-mainnet.upstreams',
            'limits.rpcRequestsPerMinute.paid',
            'inference.chatUpstreams',
          ],
        },
      ],
    });
    expect(said.at(-1)).toBe('configuration reload finished');
    expect(await rpc()).toMatchObject({ json: { result: 'second' }, costUsd: '0.00004000' });
    expect(await modelIds()).toEqual(expect.arrayContaining(['model-b']));
    expect(await modelIds()).not.toContain('model-a');
    // Counts survive the reload: this was the second call of the minute.
    expect((await rpc()).status).toBe(429);
  });

  it('ends no call that is in flight: it gets the answer of its upstream, at the price at which it was admitted', async () => {
    const [first, second] = await Promise.all([node('first'), node('second')]);
    const { write, rpc, reload } = await gatewayOf({ ...network(first.origin), pricePerCreditUsd: '0.000001' });
    first.hold();
    const inFlight = rpc();
    await expect.poll(first.asked).toBe(1);
    write({ ...network(second.origin), pricePerCreditUsd: '0.000009' });
    expect(await reload()).toMatchObject({ ok: true });
    expect(await rpc()).toMatchObject({ json: { result: 'second' }, costUsd: '0.00018000' });
    first.release();
    expect(await inFlight).toMatchObject({ status: 200, json: { result: 'first' }, costUsd: '0.00002000' });
  });

  it('keeps what is known of the upstreams of a network whose settings are the same', async () => {
    const first = await node('first');
    const { write, reload, gateway } = await gatewayOf(network(first.origin));
    const before = gateway.networks.find('ethereum-mainnet');
    write({
      ...network(first.origin),
      networks: { ...network(first.origin).networks, 'base-mainnet': { upstreams: [`${first.origin}/base`] } },
    });
    expect(await reload()).toMatchObject({ ok: true, changed: ['networks.base-mainnet'] });
    expect(gateway.networks.find('ethereum-mainnet')).toBe(before);
    expect(gateway.networks.find('base-mainnet')?.backend).not.toBeNull();
  });

  it.each<[string, (good: object) => unknown, RegExp]>([
    ['that is no JSON', () => '{"networks": ', /is not valid JSON/],
    ['with a mistake', (good) => ({ ...good, trustProxyHops: 99 }), /^trustProxyHops: expected at most 10/],
    [
      'with an unset variable',
      (good) => ({ ...good, networks: { 'ethereum-mainnet': { upstreams: ['https://x.example/${NOT_SET}'] } } }),
      /NOT_SET is not set/,
    ],
    [
      'that changes what needs a restart, beside what does not',
      (good) => ({ ...good, log: { level: 'warn' }, pricePerCreditUsd: '0.5' }),
      /^log\.level: needs a restart/,
    ],
    [
      'that changes a time-out by which leases are made',
      (good) => ({ ...good, rpc: { healthChecks: { intervalMs: 0 }, cacheBytesMax: 0, timeoutMs: 1_234 } }),
      /^rpc\.timeoutMs: needs a restart/,
    ],
  ])('of a file %s changes nothing, and says so in the log and in the answer', async (_name, change, fault) => {
    const first = await node('first');
    const good = { ...network(first.origin), pricePerCreditUsd: '0.000001' };
    const { write, rpc, command, said } = await gatewayOf(good);
    write(change(good));
    const { code, out } = await command('reload --json');
    expect(code).toBe(1);
    const [answer] = (JSON.parse(out) as { gateways: { ok: boolean; message: string; faults: string[] }[] }).gateways;
    expect(answer).toMatchObject({
      ok: false,
      message: expect.stringContaining('Nothing was changed'),
      faults: [expect.stringMatching(fault)],
    });
    expect(said.at(-1)).toBe('configuration reload failed');
    expect(await rpc()).toMatchObject({ status: 200, json: { result: 'first' }, costUsd: '0.00002000' });
    // A later valid file is applied.
    write({ ...good, pricePerCreditUsd: '0.000002' });
    expect((await command('reload')).code).toBe(0);
    expect((await rpc()).costUsd).toBe('0.00004000');
  });

  it('is made by SIGHUP too', async () => {
    const first = await node('first');
    const { write, rpc } = await gatewayOf({ ...network(first.origin), pricePerCreditUsd: '0.000001' });
    write({ ...network(first.origin), pricePerCreditUsd: '0.000003' });
    process.kill(process.pid, 'SIGHUP');
    await expect.poll(async () => (await rpc()).costUsd).toBe('0.00006000');
  });

  it('of an unchanged file says that nothing has changed', async () => {
    const { reload } = await gatewayOf(network((await node('first')).origin));
    expect(await reload()).toEqual({ ok: true, message: 'Nothing has changed.', changed: [], faults: [] });
  });
});

describe('the command', () => {
  it('says that no gateway runs on a folder, and clears what one left behind', async () => {
    const { folder, command } = await gatewayOf({});
    const other = tempFolder();
    writeFileSync(join(other, 'x'), '');
    const left = createServer();
    await new Promise<void>((resolve) => left.listen(join(other, 'control-1.sock'), resolve));
    await new Promise((resolve) => left.close(resolve));
    writeFileSync(join(other, 'control-2.sock'), '');
    expect(await command(`reload --data ${other}`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('No gateway runs on'),
    });
    expect(readdirSync(other)).toEqual(['x']);
    expect(existsSync(join(folder, 'd', `control-${process.pid}.sock`))).toBe(true);
  });
});

describe('the status, by command', () => {
  it('says of each gateway how its upstreams do, what it refused and whether it ends, and of the books their sums by day', async () => {
    const first = await node('first');
    const { rpc, command, gateway } = await gatewayOf(network(first.origin));
    expect((await rpc()).status).toBe(200);
    expect((await rpc('no-such-mainnet')).status).toBeGreaterThanOrEqual(400);
    const before = await command('status --days 2 --json');
    expect(before.code).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    const upstream = {
      name: 'upstream 1',
      state: 'healthy',
      latencyP50Ms: expect.any(Number) as number,
      lagBlocks: null,
      lastError: null,
    };
    expect(JSON.parse(before.out)).toMatchObject({
      gateways: [
        {
          pid: process.pid,
          figures: {
            isDraining: false,
            openCalls: 0,
            refusals: { UNSUPPORTED_NETWORK: 1 },
            networks: [{ network: 'ethereum-mainnet', upstreams: [upstream] }],
          },
        },
      ],
      books: {
        accounts: 1,
        keys: { live: 1, ended: 0 },
        days: [{}, { day: today, charges: 1, chargedNanoUsd: 14_000 }],
        openPayments: [],
        ledgerCheck: null,
      },
    });
    expect(before.out).not.toContain(first.origin);
    gateway.drain.begin();
    const { out } = await command('status');
    expect(out).toMatch(/^Gateway \d+, since .*: stopping, 0 paid calls open\n/);
    expect(out).toMatch(/\nethereum-mainnet +upstream 1 +healthy /);
    expect(out).toContain('1 accounts, 1 live keys, 0 revoked or expired keys\nThe ledger was never checked');
  });

  it('is that of the books alone where no gateway runs, or where one does not answer', async () => {
    const { command, gateway, config } = await gatewayOf({ profile: 'live' });
    const silent = createServer((socket) => socket.on('data', () => socket.end('{"ok":false}\n')));
    await new Promise<void>((resolve) => silent.listen(join(config.dataDir, 'control-1.sock'), resolve));
    onTestFinished(() => void silent.close());
    expect(gateway.config.profile).toBe('live');
    const { out } = await command('status');
    expect(out).toContain('Gateway 1 did not answer. Read its log.');
    expect(out).toContain('No network has an upstream.');
    expect(out).toContain('No payment is open.');
    expect(JSON.parse((await command('status --json')).out)).toMatchObject({
      gateways: expect.arrayContaining([{ pid: 1, figures: null }]) as unknown,
    });
    expect((await command('status --days 0')).code).toBe(2);
    expect((await command('status --days 367')).code).toBe(2);
  });
});

it.each([
  ['RPC_ETHEREUM_MAINNET', { live: ['networks.RPC_ETHEREUM_MAINNET'], restart: [] }],
  ['CHAT_UPSTREAM_KEY', { live: ['inference.CHAT_UPSTREAM_KEY'], restart: [] }],
  ['ENCLAVE_UPSTREAM_KEY', { live: ['inference.ENCLAVE_UPSTREAM_KEY'], restart: [] }],
  ['ADMIN_TOKEN', { live: [], restart: ['ADMIN_TOKEN'] }],
])('reports that %s changed, without its value', (name, changes) => {
  const { source } = readConfig({ ...ENV, TURNPIKE_DATA_DIR: tempFolder() }, tempFolder());
  const withValue = (value: string) => ({ ...source, env: { ...source.env, [name]: value } });
  expect(changesBetween(withValue('before'), withValue('after'))).toEqual(changes);
});

it('waits for a reload that takes longer than a question may', async () => {
  const folder = tempFolder();
  const done = { ok: true, message: 'Reloaded.', changed: [], faults: [] };
  const listening = await listenForCommands(folder, {
    reload: () => new Promise((resolve) => setTimeout(() => resolve(done), 5_500)),
    status: () => {
      throw new Error('Nobody asks for the status.');
    },
  });
  onTestFinished(() => listening?.close());
  expect(await askGateways(folder, 'reload', controlAnswerSchema)).toEqual([{ pid: process.pid, answer: done }]);
});
