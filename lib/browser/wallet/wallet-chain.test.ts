import { describe, expect, it } from 'vitest';
import { readGatewaySettings } from '@/lib/client/gateway-settings';
import type { SandboxInfo } from '@/lib/client';
import { walletChainOf } from './wallet-chain';

const ADDRESS = `0x${'1'.repeat(40)}`;
const rail = (network: string, title: string, rpcNetwork: string) => ({
  network,
  name: title.toLowerCase(),
  title,
  rpcNetwork,
  asset: ADDRESS,
  symbol: 'USDC',
  decimals: 6,
  payTo: ADDRESS,
});
const SETTINGS = readGatewaySettings({
  rails: [
    rail('eip155:8453', 'Base', 'base-mainnet'),
    rail('eip155:42161', 'Arbitrum', 'arbitrum-mainnet'),
    rail('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana', 'solana-mainnet'),
  ],
});
const chainOf = (sandbox: SandboxInfo | null) => {
  const { chain, payChains } = walletChainOf(SETTINGS, sandbox);
  return [chain, ...payChains].map(({ id, name }) => `${id} ${name}`);
};

describe('the chains of people’s wallets', () => {
  it('have the name of the gateway in the sandbox', () => {
    const sandbox = {
      evm: [{ chainId: 31337, rpcUrl: 'http://localhost/api/sandbox/rpc/x', network: 'x' }],
    } as unknown as SandboxInfo;
    expect(walletChainOf(readGatewaySettings({ name: 'Acme' }), sandbox).chain.name).toBe('Acme Sandbox');
    expect(walletChainOf(null, sandbox).chain.name).toBe('Turnpike Sandbox');
  });

  it('live, are Base and every other one that payments come in by', () => {
    expect(chainOf(null)).toEqual(['8453 Base', '42161 Arbitrum']);
    expect(walletChainOf(SETTINGS, null).rpcUrl).toBeNull();
  });

  it('in the sandbox, are its own, and none that a stand-in stands in for', () => {
    const evm = [
      {
        network: 'arbitrum-mainnet',
        chainId: 42_161,
        rpcUrl: 'http://h/api/sandbox/rpc/arbitrum-mainnet',
        contracts: {},
      },
      { network: 'base-mainnet', chainId: 8453, rpcUrl: 'http://h/api/sandbox/rpc/base-mainnet', contracts: {} },
      {
        network: 'sandbox-testnet',
        chainId: 31_337,
        rpcUrl: 'http://h/api/sandbox/rpc/sandbox-testnet',
        contracts: {},
      },
    ];
    expect(chainOf({ profile: 'sandbox', demoKey: 'k', evm, solana: null, enclave: null })).toEqual([
      '31337 Turnpike Sandbox',
    ]);
  });

  it('are Base until the gateway has said anything', () => {
    expect(walletChainOf(null, null)).toMatchObject({ chain: { id: 8453 }, payChains: [] });
  });
});
