import { describe, expect, it } from 'vitest';
import { type SandboxInfo } from '@/lib/client';
import { readGatewaySettings } from '@/lib/client/gateway-settings';
import { familiesOfUse, isWalletsOwn, payRailsOf } from './pay-rails';
import { transactionLink } from './transaction-link';

const ADDRESS = `0x${'1'.repeat(40)}`;
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const rail = (network: string, name: string, rpcNetwork: string) => ({
  network,
  name,
  title: name.replace(/^./, (first) => first.toUpperCase()),
  rpcNetwork,
  asset: ADDRESS,
  symbol: 'USDC',
  decimals: 6,
  payTo: ADDRESS,
});
const settings = (...rails: object[]) => readGatewaySettings({ rails });
const BASE = rail('eip155:8453', 'base', 'base-mainnet');
const LIVE = settings(BASE, rail(SOLANA, 'solana', 'solana-mainnet'));
const SANDBOX: SandboxInfo = {
  profile: 'sandbox',
  demoKey: 'k',
  evm: [
    { network: 'base-mainnet', chainId: 8453, rpcUrl: 'http://h/api/sandbox/rpc/base-mainnet', contracts: {} },
    { network: 'sandbox-testnet', chainId: 31337, rpcUrl: 'http://h/api/sandbox/rpc/sandbox-testnet', contracts: {} },
  ],
  solana: {
    network: 'solana-devnet',
    rpcUrl: 'http://h/api/sandbox/rpc/solana-devnet',
    wsUrl: 'ws://h',
    usdcMint: null,
  },
  enclave: null,
};

describe('the rails that people are offered', () => {
  it('are those of the gateway, in its order, where it runs live', () => {
    expect(
      payRailsOf(LIVE, null).map(({ title, family, chainId, rpcUrl, isStandIn }) => ({
        title,
        family,
        chainId,
        rpcUrl,
        isStandIn,
      })),
    ).toEqual([
      { title: 'Base', family: 'evm', chainId: 8453, rpcUrl: null, isStandIn: false },
      {
        title: 'Solana',
        family: 'solana',
        chainId: null,
        rpcUrl: '/api/payment-chain/solana-mainnet',
        isStandIn: false,
      },
    ]);
  });

  it('begin with the chain of the wallets in the sandbox, and say that all are stand-ins', () => {
    const rails = payRailsOf(
      settings(BASE, rail(SOLANA, 'solana', 'solana-mainnet'), rail('eip155:31337', 'sandbox', 'sandbox-testnet')),
      SANDBOX,
    );
    expect(rails.map(({ title }) => title)).toEqual(['Turnpike Sandbox', 'Base', 'Solana']);
    expect(rails[2]?.rpcUrl).toBe('http://h/api/sandbox/rpc/solana-mainnet');
    expect(rails.every(({ isStandIn, rpcUrl }) => isStandIn && rpcUrl !== null)).toBe(true);
  });

  it('leave out a chain of a family that no wallet here is of', () => {
    expect(payRailsOf(settings(rail('cosmos:hub', 'cosmos', 'x')), null)).toEqual([]);
    expect(payRailsOf(null, null)).toEqual([]);
  });
});

describe('a chain that a wallet can be brought to', () => {
  it('is every real one, and of the sandbox its own', () => {
    expect(payRailsOf(LIVE, null).map((each) => isWalletsOwn(each, 1))).toEqual([true, true]);
    const [own, base] = payRailsOf(settings(BASE, rail('eip155:31337', 'sandbox', 'sandbox-testnet')), SANDBOX);
    expect([isWalletsOwn(own!, 31_337), isWalletsOwn(base!, 31_337)]).toEqual([true, false]);
  });
});

describe('where a transaction is looked up', () => {
  it('is an explorer for a real chain, and the RPC page for one of this machine', () => {
    const [base, solana] = payRailsOf(LIVE, null);
    expect(transactionLink(base!, '0xab')).toEqual({
      name: 'Basescan',
      href: 'https://basescan.org/tx/0xab',
      isExternal: true,
    });
    expect(transactionLink(solana!, 'sig').href).toBe('https://explorer.solana.com/tx/sig');
    const [unknown] = payRailsOf(settings(rail('eip155:100', 'gnosis', 'gnosis-mainnet')), null);
    expect(transactionLink(unknown!, '0xab')).toMatchObject({
      isExternal: false,
      href: expect.stringContaining('network=gnosis-mainnet'),
    });
    const standIn = payRailsOf(LIVE, SANDBOX);
    expect(transactionLink(standIn[0]!, '0xab')).toMatchObject({
      isExternal: false,
      href: expect.stringContaining('network=base-mainnet&method=eth_getTransactionReceipt'),
    });
    expect(transactionLink(standIn[1]!, 'sig').href).toContain('method=getTransaction');
  });
});

describe('the wallets that people are offered', () => {
  const SOLANA_RAIL = rail(SOLANA, 'solana', 'solana-mainnet');
  const deployment = {
    network: 'base-mainnet',
    chainId: 8453,
    stakeToken: ADDRESS,
    staking: ADDRESS,
    dailyCreditToken: ADDRESS,
    dailyCreditPool: ADDRESS,
  };

  it.each([
    ['both families where both can pay', settings(BASE, SOLANA_RAIL), ['evm', 'solana']],
    ['Solana alone where nothing else pays', settings(SOLANA_RAIL), ['solana']],
    [
      'Solana first where an Ethereum wallet can only stake',
      readGatewaySettings({ rails: [SOLANA_RAIL], staking: { deployments: [deployment] } }),
      ['solana', 'evm'],
    ],
    ['all while nothing is known', null, ['evm', 'solana']],
    ['all where no wallet is of use', settings(), ['evm', 'solana']],
  ])('are %s', (_what, known, families) => expect(familiesOfUse(known)).toEqual(families));
});
