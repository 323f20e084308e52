import { expect, it } from 'vitest';
import { CHAIN_IDENTITIES, solanaClusterName } from './chain-identities';
import { NETWORKS } from './networks';

it.each(NETWORKS.map(({ slug, chainId }) => ({ slug, chainId })))(
  'an upstream of another chain can be told from one of $slug, whose chain id or identity is known',
  ({ slug, chainId }) => {
    expect(chainId ?? CHAIN_IDENTITIES[slug]).toBeTruthy();
  },
);

it('an identity is told of networks alone that are there, and have no chain id', () => {
  const without = NETWORKS.filter(({ chainId }) => chainId === null).map(({ slug }) => slug);
  expect(Object.keys(CHAIN_IDENTITIES).sort()).toEqual(without.sort());
});

it('the clusters of Solana have the names that CAIP-2 gives as examples', () => {
  expect(solanaClusterName('solana-mainnet')).toBe('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp');
  expect(solanaClusterName('solana-devnet')).toBe('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1');
  for (const other of ['solana-testnet', 'starknet-mainnet', 'toString'])
    expect(solanaClusterName(other), other).toBeNull();
});
