import { describe, expect, it } from 'vitest';
import { NETWORKS } from '@/lib/protocol/networks';
import { loadConfig } from './config/load';
import { Secret } from './config/secret';
import { createGateway } from './create-gateway';
import { createLog } from './telemetry/log';
import { tempFolder } from '@/test/temp-folder';
import { testGateway } from '@/test/test-gateway';

const config = (dataDir: string) => loadConfig({ TURNPIKE_DATA_DIR: dataDir }, dataDir);

describe('a gateway', () => {
  it('that cannot be put together leaves nothing open: the folder is free for another', async () => {
    const dataDir = tempFolder();
    const broken = {
      ...config(dataDir),
      networks: { 'base-mainnet': { upstreams: [{ url: new Secret('no URL'), headers: {} }] } },
    };
    await expect(createGateway(broken, null, createLog('silent'))).rejects.toThrow();
    await (await createGateway(config(dataDir), null, createLog('silent'))).close();
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
    // In live, such a gateway needs a public URL: see mistakes.test.ts.
    [{ HOST: '0.0.0.0', TURNPIKE_PROFILE: 'sandbox' }, 'http://localhost:3000'],
    [{ HOST: '192.0.2.7', TURNPIKE_PROFILE: 'sandbox' }, 'http://192.0.2.7:3000'],
  ])('tells its origin: %j', async (env, origin) => {
    expect((await testGateway(env as Record<string, string>)).origin).toBe(origin);
  });
});
