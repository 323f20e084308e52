import { describe, expect, it, vi } from 'vitest';
import { NETWORKS } from '@/lib/protocol/networks';
import { type Config, loadConfig } from './config/load';
import { Secret } from './config/secret';
import { createGateway } from './create-gateway';
import { nodeListener } from './http/node-adapter';
import { createLog } from './telemetry/log';
import { evmRail } from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { gatewayOfFile, serve, testGateway } from '@/test/test-gateway';

const config = (dataDir: string) => loadConfig({ TURNPIKE_DATA_DIR: dataDir }, dataDir);

const withBrokenNode = (dataDir: string): Config => ({
  ...config(dataDir),
  networks: { 'base-mainnet': { upstreams: [{ url: new Secret('no URL'), headers: {} }] } },
});

describe('a gateway', () => {
  it('that cannot be put together leaves nothing open: the folder is free for another', async () => {
    const dataDir = tempFolder();
    await expect(createGateway(withBrokenNode(dataDir), null, createLog('silent'))).rejects.toThrow();
    await (await createGateway(config(dataDir), null, createLog('silent'))).close();
  });

  it('closes what was opened after it first, then itself, and what it was given last', async () => {
    const dataDir = tempFolder();
    const opened = new AsyncDisposableStack();
    const closed: string[] = [];
    opened.defer(() => void closed.push('given'));
    const gateway = await createGateway(config(dataDir), null, createLog('silent'), { opened });
    const query = () => gateway.db.selectFrom('accounts').select('id').execute();
    opened.defer(async () => void closed.push(`after, ${(await query()).length} accounts`));
    await Promise.all([gateway.close(), gateway.close()]);
    expect(closed).toEqual(['after, 0 accounts', 'given']);
    await expect(query()).rejects.toThrow();
  });

  it('closes what it was given when it cannot be put together', async () => {
    const opened = new AsyncDisposableStack();
    const close = vi.fn();
    opened.defer(close);
    await expect(createGateway(withBrokenNode(tempFolder()), null, createLog('silent'), { opened })).rejects.toThrow();
    expect(close).toHaveBeenCalledOnce();
  });

  it('serves as before when it cannot take another configuration', async () => {
    const gateway = await testGateway();
    const { config: before, router } = gateway;
    const limits = { ...before.limits, requestsPerMinute: before.limits.requestsPerMinute + 1 };
    const broken = { ...withBrokenNode(before.dataDir), limits };
    await expect(gateway.reload(broken, ['networks', 'limits', 'inference'])).rejects.toThrow();
    expect([gateway.config, gateway.router]).toEqual([before, router]);
    await gateway.reload({ ...before, limits }, ['limits']);
    expect(gateway.config.limits.requestsPerMinute).toBe(limits.requestsPerMinute);
    expect(gateway.router).not.toBe(router);
  });

  it('keeps its chats when a reload changes something else, and replaces them with their models', async () => {
    const gateway = await testGateway();
    const { current, seen } = gateway.chat;
    await gateway.reload({ ...gateway.config, pricePerCreditUsd: '0.5' }, ['pricePerCreditUsd']);
    expect([gateway.chat.current === current, gateway.chat.seen === seen]).toEqual([true, true]);
    await gateway.reload({ ...gateway.config }, ['inference.prices']);
    expect([gateway.chat.current === current, gateway.chat.seen === seen]).toEqual([false, false]);
  });

  it('limits refused payments of calls as the configuration of its last reload says', async () => {
    const networks = { 'base-mainnet': { upstreams: ['http://127.0.0.1:1'], chainIdentity: false } };
    const limits = { publicRequestsPerMinutePerIp: 100 };
    const gateway = await gatewayOfFile({ networks, limits, payments: { rails: [evmRail] } });
    const { origin } = await serve(nodeListener(gateway));
    const pay = async (): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
      const headers = { 'content-type': 'application/json', 'payment-signature': 'none' };
      return (await fetch(`${origin}/api/v1/crypto/rpc/base-mainnet`, { method: 'POST', headers, body })).status;
    };
    const refused = await pay();
    expect(refused).not.toBe(429);
    const { config: before } = gateway;
    const next = { ...before, limits: { ...before.limits, publicRequestsPerMinutePerIp: 2 } };
    await gateway.reload(next, ['limits.publicRequestsPerMinutePerIp']);
    expect([await pay(), await pay()]).toEqual([refused, 429]);
  });

  it('without stand-ins has no demo account, no header of the sandbox and none of its endpoints', async () => {
    const gateway = await testGateway();
    expect([gateway.sandbox, gateway.profileHeader]).toEqual([null, null]);
    expect(gateway.endpoints.some(({ path }) => path.startsWith('/api/sandbox'))).toBe(false);
    expect(gateway.networks.find('sandbox-testnet')).toBeUndefined();
    expect([...gateway.networks.slugs].sort()).toEqual(NETWORKS.map(({ slug }) => slug).sort());
  });

  it('with stand-ins has them, and a demo key that works', async () => {
    const dataDir = tempFolder();
    const gateway = await createGateway(
      config(dataDir),
      { url: 'http://127.0.0.1:1', networks: new Set(['base-mainnet']), demoSecret: 's' },
      createLog('silent'),
    );
    expect(gateway.profileHeader).toBe('sandbox');
    expect(gateway.sandbox?.demoKey).toMatch(/^tpk_demo_/);
    expect(gateway.router.resolve('/api/sandbox').endpoint.GET).toBeTypeOf('function');
    await gateway.close();
  });

  it.each([
    [{ PUBLIC_URL: 'https://gate.example/' }, 'https://gate.example'],
    [{ PORT: '8080' }, 'http://localhost:8080'],
    // In the live profile, such a gateway needs a public URL: see mistakes.test.ts.
    [{ HOST: '0.0.0.0', TURNPIKE_PROFILE: 'sandbox' }, 'http://localhost:3000'],
    [{ HOST: '192.0.2.7', TURNPIKE_PROFILE: 'sandbox' }, 'http://192.0.2.7:3000'],
  ])('tells its origin: %j', async (env, origin) => {
    expect((await testGateway(env as Record<string, string>)).origin).toBe(origin);
  });
});
