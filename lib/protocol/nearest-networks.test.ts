import { expect, it } from 'vitest';
import { nearestNetworks, networkMeant } from './nearest-networks';
import { furtherNetwork } from './further-network';
import { NETWORKS } from './networks';

/** Guarantee: the gateway answers an unknown network name with the most similar networks. */

const networks = [...NETWORKS, furtherNetwork('gnosis-mainnet', { chainId: 100 })];

it.each([
  ['polygon', 'polygon-mainnet'],
  ['base', 'base-mainnet'],
  ['8453', 'base-mainnet'],
  ['eip155:8453', 'base-mainnet'],
  ['0x2105', 'base-mainnet'],
  ['137', 'polygon-mainnet'],
  ['11155111', 'ethereum-sepolia'],
  ['eth', 'ethereum-mainnet'],
  ['ETH', 'ethereum-mainnet'],
  ['ethereum', 'ethereum-mainnet'],
  ['eth-mainnet', 'ethereum-mainnet'],
  ['eth-sepolia', 'ethereum-sepolia'],
  ['mainnet', 'ethereum-mainnet'],
  ['sepolia', 'ethereum-sepolia'],
  ['holesky', 'ethereum-holesky'],
  ['Base Mainnet', 'base-mainnet'],
  ['base_sepolia', 'base-sepolia'],
  ['basesepolia', 'base-sepolia'],
  ['base-goerli', 'base-sepolia'],
  ['sepolia-base', 'base-sepolia'],
  ['etherium', 'ethereum-mainnet'],
  ['etherum-mainnet', 'ethereum-mainnet'],
  ['polgyon-mainet', 'polygon-mainnet'],
  ['polygon-mumbai', 'polygon-amoy'],
  ['matic', 'polygon-mainnet'],
  ['arbitrum-one', 'arbitrum-mainnet'],
  ['arb-sepolia', 'arbitrum-sepolia'],
  ['op-mainnet', 'optimism-mainnet'],
  ['avalanche-c-chain', 'avalanche-mainnet'],
  ['avax-fuji', 'avalanche-fuji'],
  ['bnb', 'bsc-mainnet'],
  ['bsc-chapel', 'bsc-testnet'],
  ['solana', 'solana-mainnet'],
  ['solana-testnet', 'solana-devnet'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana-mainnet'],
  ['mainnet-beta-solana', 'solana-mainnet'],
  ['zksync-era', 'zksync-mainnet'],
  ['starknet', 'starknet-mainnet'],
  ['gnosis', 'gnosis-mainnet'],
  ['100', 'gnosis-mainnet'],
])('%s: %s first', (asked, slug) => {
  expect(nearestNetworks(asked, networks)[0]).toBe(slug);
});

it.each([
  '',
  '-',
  'atlantis',
  'atlantis-mainnet',
  '999999',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
  '\u0000',
  'ü',
])('%.20j: none', (asked) => {
  expect(nearestNetworks(asked, networks)).toEqual([]);
  expect(networkMeant(asked, networks)).toBe('');
});

it('names three at most, in a sentence', () => {
  expect(networkMeant('ethereum', networks)).toBe(
    ' Did you mean ethereum-mainnet, ethereum-sepolia or ethereum-holesky?',
  );
  expect(networkMeant('polygon', networks)).toBe(' Did you mean polygon-mainnet or polygon-amoy?');
  expect(networkMeant('8453', networks)).toBe(' Did you mean base-mainnet?');
  expect(nearestNetworks('sepolia', networks)).toHaveLength(3);
});
