import { findNetwork } from '@/lib/protocol/networks';
import { METHODS } from '@/lib/protocol/rpc-methods';
import { describe, expect, it } from 'vitest';
import { groupMethods } from './method-list';

const groupsOn = (slug: string) => groupMethods(findNetwork(slug) ?? expect.unreachable(slug));
const names = (slug: string) => groupsOn(slug)[0]?.methods.map(({ name }) => name) ?? [];

describe('the list of methods', () => {
  it.each([
    [
      'ethereum-mainnet',
      [
        'eth_call',
        'eth_blockNumber',
        'eth_getBalance',
        'eth_getBlockByNumber',
        'eth_getTransactionReceipt',
        'eth_chainId',
        'eth_getLogs',
        'eth_estimateGas',
        'eth_gasPrice',
        'eth_sendRawTransaction',
      ],
    ],
    [
      'solana-mainnet',
      [
        'getAccountInfo',
        'getLatestBlockhash',
        'getBalance',
        'getTransaction',
        'getSignaturesForAddress',
        'getMultipleAccounts',
        'getTokenAccountsByOwner',
        'sendTransaction',
      ],
    ],
    [
      'starknet-mainnet',
      ['starknet_call', 'starknet_blockNumber', 'starknet_getEvents', 'starknet_getTransactionReceipt'],
    ],
  ])('begins on %s with what is used most', (slug, first) => {
    expect(groupsOn(slug)[0]?.heading).toBe('Most used');
    expect(names(slug).slice(0, first.length)).toEqual(first);
  });

  it('has tools of nodes and traces after what applications call', () => {
    const all = names('ethereum-mainnet');
    const isTool = (name: string) => /^(trace|debug|txpool)_/.test(name);
    expect(all.findIndex(isTool)).toBeGreaterThan(all.findLastIndex((name) => name.startsWith('eth_')));
    expect(all.slice(all.findIndex(isTool)).every(isTool)).toBe(true);
  });

  it.each(['ethereum-mainnet', 'zksync-mainnet', 'solana-mainnet', 'starknet-mainnet'])(
    'has each method of %s once',
    (slug) => {
      const all = groupsOn(slug).flatMap(({ methods }) => methods.map(({ name }) => name));
      expect(new Set(all).size).toBe(all.length);
      const { kind } = findNetwork(slug) ?? expect.unreachable(slug);
      expect(
        METHODS.filter(
          (method) =>
            method.kind === kind && !/^(zks|linea|bor|base|arbtrace)_/.test(method.name) && !all.includes(method.name),
        ),
      ).toEqual([]);
    },
  );

  it('has the namespace of a single chain on that chain alone', () => {
    const headings = (slug: string) => groupsOn(slug).map(({ heading }) => heading);
    expect(headings('zksync-mainnet')).toContain('zkSync');
    expect(headings('ethereum-mainnet')).not.toContain('zkSync');
    expect(headings('base-mainnet')).toContain('Base');
    expect(headings('ethereum-mainnet')).not.toContain('Base');
  });
});
