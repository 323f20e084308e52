import { expect, it } from 'vitest';
import { upstreamsByUse } from './use-operator';

const upstream = (name: string, state: string) => ({
  name,
  state,
  latencyP50Ms: null,
  lagBlocks: null,
  lastError: null,
  checkedAtMs: null,
});

it('upstreams in trouble come first, then in the order of the configuration; networks that nobody used stand apart', () => {
  const { used, unused } = upstreamsByUse([
    {
      network: 'ethereum-mainnet',
      upstreams: [upstream('upstream 1', 'healthy'), upstream('upstream 2', 'wrongChain')],
    },
    { network: 'base-mainnet', upstreams: [upstream('upstream 1', 'healthy'), upstream('upstream 2', 'unknown')] },
    { network: 'solana-mainnet', upstreams: [upstream('upstream 1', 'unknown')] },
    { network: 'linea-mainnet', upstreams: [upstream('upstream 1', 'failing')] },
    { network: 'blast-mainnet', upstreams: [] },
  ]);
  expect(used.map(({ network, name, state }) => `${network} ${name} ${state}`)).toEqual([
    'ethereum-mainnet upstream 2 wrongChain',
    'linea-mainnet upstream 1 failing',
    'ethereum-mainnet upstream 1 healthy',
    'base-mainnet upstream 1 healthy',
    'base-mainnet upstream 2 unknown',
  ]);
  expect(unused).toEqual(['solana-mainnet']);
});

it('a state of another release is one that is not known', () => {
  expect(upstreamsByUse([{ network: 'base-mainnet', upstreams: [upstream('upstream 1', 'dancing')] }])).toEqual({
    used: [],
    unused: ['base-mainnet'],
  });
});
