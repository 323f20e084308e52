import { findNetwork, type Network } from '@/lib/protocol/networks';
import { describe, expect, it } from 'vitest';
import { quoteComparison } from './use-comparison';

const networks = (...slugs: string[]) => slugs.map((slug) => findNetwork(slug) as Network);

describe('the price of a comparison', () => {
  it('is the sum of what each network charges', () => {
    const quote = quoteComparison(networks('ethereum-mainnet', 'zksync-mainnet'), ['eth_call', 'debug_traceCall'], 700);
    expect(quote).toEqual({
      kind: 'price',
      credits: 150,
      costNanoUsd: 105_000,
      creditsBySlug: new Map([
        ['ethereum-mainnet', 60],
        ['zksync-mainnet', 90],
      ]),
    });
  });

  it('is refused for what sends, on its own or in a batch', () => {
    for (const methods of [['eth_sendRawTransaction'], ['eth_call', 'eth_sendUserOperation']]) {
      expect(quoteComparison(networks('ethereum-mainnet'), methods, 700)).toMatchObject({
        kind: 'refused',
        sentence: expect.stringContaining('one network at a time') as string,
      });
    }
  });

  it('is refused for a method that one of the networks does not speak', () => {
    expect(quoteComparison(networks('ethereum-mainnet', 'solana-mainnet'), ['eth_call'], 700)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('solana-mainnet') as string,
    });
  });
});
