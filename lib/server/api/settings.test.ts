import { describe, expect, it } from 'vitest';
import { nodeListener } from '../http/node-adapter';
import { evmRail, solanaRail } from '@/test/live-configuration';
import { gatewayOfFile, serve } from '@/test/test-gateway';

const TOKEN = '0x1352fc8e13B674bB2Ca24ab8c84936d1702BF859';
const contracts = { stakeToken: TOKEN, staking: TOKEN, dailyCreditToken: TOKEN, dailyCreditPool: TOKEN };

async function askSettings(file: object, headers: Record<string, string> = {}) {
  const gateway = await gatewayOfFile({ ...file });
  const { origin } = await serve(nodeListener(gateway));
  return () => fetch(`${origin}/api/settings`, { headers });
}

describe('GET /api/settings', () => {
  it('has a name and its statement with a brand, and no name without one', async () => {
    const [branded, plain] = await Promise.all([askSettings({ brand: { name: 'Acme' } }), askSettings({})]);
    expect(await (await branded()).json()).toMatchObject({ name: 'Acme', signIn: { statement: 'Sign in to Acme' } });
    expect(await (await plain()).json()).not.toHaveProperty('name');
  });

  it('tells a console where to stake and how to sign in, and names no upstream', async () => {
    const ask = await askSettings({
      publicUrls: ['https://rpc.example.com'],
      pricePerCreditUsd: '0.000001',
      networks: { 'base-mainnet': { upstreams: ['https://node.example/secret-key'] } },
      staking: { dailyPoolUsd: '250', deployments: [{ network: 'base-mainnet', primary: true, ...contracts }] },
      walletConnectProjectId: 'a'.repeat(32),
    });
    const answer = await ask();
    const text = await answer.text();
    expect(text).not.toContain('secret-key');
    expect(JSON.parse(text)).toMatchObject({
      profile: 'live',
      pricePerCreditUsd: '0.000001',
      signIn: {
        statement: 'Sign in to Turnpike',
        chainIds: ['eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
        domains: ['rpc.example.com', 'rpc.example.com:443'],
      },
      staking: {
        symbols: { stake: 'TPK', dailyCredit: 'TOLL' },
        dailyPoolUsd: '250',
        deployments: [{ network: 'base-mainnet', chainId: 8_453, rpcUrl: null, primary: true, ...contracts }],
      },
      rails: expect.any(Array) as unknown[],
      walletConnectProjectId: 'a'.repeat(32),
    });
  });

  it.each([
    ['Ethereum if it is connected', ['base-mainnet', 'ethereum-mainnet'], 'ethereum-mainnet'],
    ['another EVM network otherwise', ['solana-mainnet', 'base-mainnet'], 'base-mainnet'],
    ['a main network before a testnet', ['base-sepolia', 'solana-mainnet'], 'solana-mainnet'],
    ['a network of another kind if it is the only one', ['starknet-mainnet'], 'starknet-mainnet'],
    ['a testnet if there is nothing else', ['base-sepolia'], 'base-sepolia'],
    ['none without networks', [], null],
  ])('names for a first call %s', async (_what, slugs, firstNetwork) => {
    const networks = Object.fromEntries(slugs.map((slug) => [slug, { upstreams: [`https://${slug}.example`] }]));
    expect(await (await (await askSettings({ networks }))()).json()).toMatchObject({
      firstNetwork,
      connectedNetworks: [...slugs].sort(),
    });
  });

  it('offers Base first, wherever the file has it, and takes sign-ins on every chain that payments come in by', async () => {
    const onArbitrum = { ...evmRail, network: 'eip155:42161', name: 'arbitrum', rpcNetwork: 'arbitrum-mainnet' };
    const networks = Object.fromEntries(
      [onArbitrum, evmRail, solanaRail].map(({ rpcNetwork }) => [
        rpcNetwork,
        { upstreams: [`https://${rpcNetwork}.example`] },
      ]),
    );
    const answer = (
      await (
        await askSettings({ networks, payments: { rails: [onArbitrum, solanaRail, evmRail] } })
      )()
    ).json();
    expect(await answer).toMatchObject({
      rails: ['eip155:8453', 'eip155:42161', solanaRail.network].map((network) => ({ network })),
      signIn: { chainIds: ['eip155:8453', solanaRail.network, 'eip155:42161'] },
    });
  });

  it('has nothing to stake in and no project id where none is configured', async () => {
    const answer = await (await askSettings({}))();
    expect(await answer.json()).toMatchObject({ staking: { deployments: [] }, walletConnectProjectId: null });
  });

  it('is for pages of our own origin, and limited by address', async () => {
    const ask = await askSettings(
      { limits: { consoleRequestsPerMinutePerIp: 2 } },
      { origin: 'https://elsewhere.example' },
    );
    const first = await ask();
    expect(first.headers.get('access-control-allow-origin')).toBeNull();
    await first.text();
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  });
});
