/**
 * @at next: Next's instrumentation starts the stand-ins, and the sandbox's endpoints are routes of Next.
 * @not postgres: chains, faucet and wallets' calls have no rows. The demo key is a normal caller.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { SPECIFIED_SLUGS } from './harness/specified-networks';

/** The sandbox's own endpoints, with real stand-in chains. Other profiles do not have them. */

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;

beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
});
afterAll(() => gateway?.stop());

const EVM_SLUGS = SPECIFIED_SLUGS.filter((slug) => !slug.startsWith('solana') && !slug.startsWith('starknet'));
const CHAIN_IDS: Readonly<Record<string, number>> = {
  'ethereum-mainnet': 1,
  'base-mainnet': 8_453,
  'polygon-amoy': 80_002,
  'sandbox-testnet': 31_337,
};

const post = (path: string, body: unknown) =>
  gateway.ask({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const walletRpc = (network: string, method: string, params: unknown[] = []) =>
  post(`/api/sandbox/rpc/${network}`, { jsonrpc: '2.0', id: 1, method, params });

async function balanceOn(network: string, address: string): Promise<bigint> {
  return BigInt(((await walletRpc(network, 'eth_getBalance', [address, 'latest'])).json as { result: string }).result);
}

describe('GET /api/sandbox', () => {
  test('tells the profile, a demo key, and every EVM network with its chain id, its URL for wallets and its contracts', () => {
    expect(sandbox).toMatchObject({ profile: 'sandbox', demoKey: expect.stringMatching(/^\S{20,}$/) });
    expect(sandbox.evm.map(({ network }) => network).sort()).toEqual([...EVM_SLUGS, 'sandbox-testnet'].sort());
    for (const { network, chainId, rpcUrl, contracts } of sandbox.evm) {
      if (network in CHAIN_IDS) expect(chainId).toBe(CHAIN_IDS[network]);
      expect(new URL(rpcUrl).pathname).toBe(`/api/sandbox/rpc/${network}`);
      expect(new URL(rpcUrl).port).toBe(String(gateway.port));
      expect(Object.keys(contracts).sort()).toEqual([
        'dailyCreditPool',
        'dailyCreditToken',
        'smartWalletFactory',
        'stakeToken',
        'staking',
        'usdc',
      ]);
    }
    expect(sandbox).toHaveProperty('solana');
    expect(Buffer.from(sandbox.enclave?.root ?? '', 'base64').toString('latin1')).toContain('SIMULATED');
  });

  test('is for pages of our own origin: no CORS', async () => {
    const { headers } = await gateway.ask({
      method: 'GET',
      path: '/api/sandbox',
      headers: { origin: 'https://elsewhere.example' },
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is not told under a name that a page may have made resolve to this machine, and neither are coins given', async () => {
    const headers = { host: 'evil.example', 'content-type': 'application/json' };
    const answers = [
      await gateway.ask({ method: 'GET', path: '/api/sandbox', headers }),
      await gateway.ask({ method: 'POST', path: '/api/sandbox/faucet', headers, body: '{}' }),
      await gateway.ask({ method: 'POST', path: '/api/sandbox/rpc/sandbox-testnet', headers, body: '{}' }),
    ];
    expect(answers.map(({ status, json }) => [status, (json as { code: string }).code])).toEqual(
      answers.map(() => [421, 'WRONG_HOST']),
    );
  });

  test('the demo key works at once, and is charged like any other', async () => {
    const answer = await gateway.rpc(
      { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      { as: { key: sandbox.demoKey } },
    );
    expectCharged(gateway, answer, 20);
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, result: '0x1' });
  });
});

describe('the stand-in chains', () => {
  test.each(Object.entries(CHAIN_IDS))('%s has the chain id %i, through the proxy too', async (network, chainId) => {
    const answer = await gateway.rpc(
      { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      { as: { key: sandbox.demoKey }, network },
    );
    expectCharged(gateway, answer, 20);
    expect(answer.json).toMatchObject({ result: `0x${chainId.toString(16)}` });
  });

  test('Multicall3 is in place', async () => {
    const { json } = await walletRpc('sandbox-testnet', 'eth_getCode', [
      '0xcA11bde05977b3631167028862bE2a173976CA11',
      'latest',
    ]);
    expect((json as { result: string }).result.length).toBeGreaterThan(1_000);
  });

  test('GET /crypto/rpc/networks lists sandbox-testnet beside the 25', async () => {
    const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/crypto/rpc/networks' });
    expect(json).toEqual({ networks: [...SPECIFIED_SLUGS, 'sandbox-testnet'].sort() });
  });

  test('Starknet has no stand-in: 500 names the missing upstream', async () => {
    const answer = await gateway.rpc(
      { jsonrpc: '2.0', id: 1, method: 'starknet_chainId' },
      { as: { key: sandbox.demoKey }, network: 'starknet-mainnet' },
    );
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ error: expect.stringContaining('RPC_STARKNET_MAINNET') });
  });

  test('a method that the chain does not know costs 5', async () => {
    const answer = await gateway.rpc(
      { jsonrpc: '2.0', id: 1, method: 'zks_L1ChainId' },
      { as: { key: sandbox.demoKey } },
    );
    expectCharged(gateway, answer, 5);
  });
});

describe('POST /api/sandbox/faucet', () => {
  test('funds an address on sandbox-testnet and on every started chain', async () => {
    const address = '0x1111111111111111111111111111111111111abc';
    await walletRpc('base-mainnet', 'eth_chainId');
    expect(await balanceOn('sandbox-testnet', address)).toBe(0n);
    expect((await post('/api/sandbox/faucet', { address })).status).toBe(200);
    expect(await balanceOn('sandbox-testnet', address)).toBeGreaterThan(0n);
    expect(await balanceOn('base-mainnet', address)).toBeGreaterThan(0n);
  });

  test.each([
    ['no body', ''],
    ['invalid JSON', '{'],
    ['no address', '{}'],
    ['an invalid address', '{"address":"0x123"}'],
    ['an address of another type', '{"address":5}'],
    ['an address with a wrong checksum', '{"address":"0xcA11bde05977b3631167028862bE2a173976Ca11"}'],
    ['an array', '[]'],
  ])('%s is 400', async (_what, body) => expect((await post('/api/sandbox/faucet', body)).status).toBe(400));

  test('a body that is too large is 413', async () => {
    expect((await post('/api/sandbox/faucet', JSON.stringify({ address: 'x'.repeat(100_000) }))).status).toBe(413);
  });
});

describe('POST /api/sandbox/rpc/{network}', () => {
  test('serves wallets without a credential, and charges nothing', async () => {
    const charges = gateway.books.count();
    expect((await walletRpc('sandbox-testnet', 'eth_chainId')).json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: '0x7a69',
    });
    expect(gateway.books.count()).toBe(charges);
  });

  test('serves batches', async () => {
    const { json } = await post('/api/sandbox/rpc/sandbox-testnet', [
      { id: 'a', method: 'eth_chainId' },
      { id: 'b', method: 'net_version' },
    ]);
    expect(json).toMatchObject([
      { id: 'a', result: '0x7a69' },
      { id: 'b', result: '31337' },
    ]);
  });

  test.each([
    'anvil_setBalance',
    'anvil_impersonateAccount',
    'anvil_reset',
    'evm_mine',
    'evm_setNextBlockTimestamp',
    'evm_revert',
    'hardhat_setCode',
    'eth_sendTransaction',
    'eth_accounts',
  ])('refuses %s, alone and in a batch', async (method) => {
    expect((await walletRpc('sandbox-testnet', method)).status).toBe(400);
    expect(
      (
        await post('/api/sandbox/rpc/sandbox-testnet', [
          { id: 1, method: 'eth_chainId' },
          { id: 2, method },
        ])
      ).status,
    ).toBe(400);
  });

  test('the proxy refuses them as well', async () => {
    for (const method of ['anvil_setBalance', 'evm_mine']) {
      expect(
        (await gateway.rpc({ id: 1, method }, { as: { key: sandbox.demoKey }, network: 'sandbox-testnet' })).status,
      ).toBe(400);
    }
  });

  test.each(['no-such-network', 'starknet-mainnet'])('%s has no stand-in chain for wallets: 4xx', async (network) => {
    const { status } = await walletRpc(network, 'eth_chainId');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe('header X-Service-Profile: sandbox on every answer', () => {
  test.each([
    ['of an endpoint', 'GET', '/api/v1/crypto/rpc/networks'],
    ['of an error', 'POST', '/api/v1/crypto/rpc/ethereum-mainnet'],
    ['of a path that leads nowhere', 'GET', '/api/v1/nothing'],
    ['of a preflight', 'OPTIONS', '/api/v1/crypto/rpc/ethereum-mainnet'],
    ['of the health check', 'GET', '/api/health'],
  ])('%s', async (_what, method, path) => {
    expect((await gateway.ask({ method, path })).headers['x-service-profile']).toBe('sandbox');
  });
});
