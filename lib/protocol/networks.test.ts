import { describe, expect, it } from 'vitest';

import { furtherNetwork } from './further-network';
import {
  CHAIN_KINDS,
  findNetwork,
  FURTHER_NETWORK_SLUG,
  NETWORKS,
  SANDBOX_TESTNET,
  upstreamVariable,
} from './networks';

describe('NETWORKS (spec, Network slugs)', () => {
  it('holds the slugs of the specification and no other', () => {
    expect(NETWORKS.map((network) => network.slug)).toEqual([
      'ethereum-mainnet',
      'ethereum-sepolia',
      'ethereum-holesky',
      'polygon-mainnet',
      'polygon-amoy',
      'arbitrum-mainnet',
      'arbitrum-sepolia',
      'optimism-mainnet',
      'optimism-sepolia',
      'base-mainnet',
      'base-sepolia',
      'linea-mainnet',
      'linea-sepolia',
      'avalanche-mainnet',
      'avalanche-fuji',
      'bsc-mainnet',
      'bsc-testnet',
      'blast-mainnet',
      'blast-sepolia',
      'zksync-mainnet',
      'zksync-sepolia',
      'starknet-mainnet',
      'starknet-sepolia',
      'solana-mainnet',
      'solana-devnet',
    ]);
  });

  it('has a chain id of its own for every EVM network, and none for Solana and Starknet', () => {
    const evm = NETWORKS.filter((network) => network.kind === 'evm');
    expect(new Set(evm.map((network) => network.chainId)).size).toBe(evm.length);
    expect(evm.every((network) => Number.isSafeInteger(network.chainId))).toBe(true);
    expect(NETWORKS.filter((network) => network.kind !== 'evm').every((network) => network.chainId === null)).toBe(
      true,
    );
    expect(findNetwork('base-mainnet')?.chainId).toBe(8453);
    expect(findNetwork('zksync-sepolia')?.chainId).toBe(300);
  });

  it('names those that are not of EVM after their kind, by which programs know what a slug takes', () => {
    const kindOfSlug = (slug: string) => CHAIN_KINDS.find((kind) => slug.startsWith(`${kind}-`)) ?? 'evm';
    expect(NETWORKS.filter(({ slug, kind }) => kindOfSlug(slug) !== kind)).toEqual([]);
  });

  it('rule 4: baseCredits is 30 for zkSync Era and Solana and 20 for every other family', () => {
    for (const network of NETWORKS) {
      expect(network.baseCredits, network.slug).toBe(['zksync', 'solana'].includes(network.family) ? 30 : 20);
    }
  });

  it("tells a family's one mainnet from its testnets", () => {
    for (const network of NETWORKS) {
      expect(network.testnet, network.slug).toBe(!network.slug.endsWith('-mainnet'));
      expect(network.slug.startsWith(`${network.family}-`), network.slug).toBe(true);
    }
  });

  it('names networks and their fee tokens for people', () => {
    expect(findNetwork('ethereum-mainnet')).toMatchObject({
      name: 'Ethereum Mainnet',
      nativeSymbol: 'ETH',
      nativeDecimals: 18,
    });
    expect(findNetwork('solana-devnet')).toMatchObject({
      name: 'Solana Devnet',
      nativeSymbol: 'SOL',
      nativeDecimals: 9,
    });
    expect(new Set(NETWORKS.map((network) => network.name)).size).toBe(NETWORKS.length);
  });

  it('cannot be changed by its users', () => {
    expect(Object.isFrozen(NETWORKS)).toBe(true);
    expect(NETWORKS.every((network) => Object.isFrozen(network))).toBe(true);
  });
});

describe('findNetwork', () => {
  it('finds each of them', () => {
    for (const network of NETWORKS) expect(findNetwork(network.slug)).toBe(network);
  });

  it.each([
    '',
    'ethereum',
    'Ethereum-Mainnet',
    ' ethereum-mainnet',
    'ethereum-mainnet/',
    'ethereum-mainnet\n',
    'ethereum_mainnet',
    '__proto__',
    'constructor',
    'toString',
    '../ethereum-mainnet',
    'sandbox-testnet',
    'x'.repeat(100_000),
  ])('finds nothing for %j', (slug) => {
    expect(findNetwork(slug)).toBeUndefined();
  });
});

describe('furtherNetwork', () => {
  it('one further family follows the pattern <name>-mainnet and <name>-testnet', () => {
    expect(furtherNetwork('gnosis-mainnet')).toEqual({
      slug: 'gnosis-mainnet',
      name: 'Gnosis Mainnet',
      family: 'gnosis',
      kind: 'evm',
      chainId: null,
      testnet: false,
      baseCredits: 20,
      nativeSymbol: 'ETH',
      nativeDecimals: 18,
    });
    expect(furtherNetwork('world-chain-testnet')).toMatchObject({
      family: 'world-chain',
      name: 'World Chain Testnet',
      testnet: true,
    });
  });

  it('takes what the operator states', () => {
    const network = furtherNetwork('eclipse-mainnet', { name: 'Eclipse', kind: 'solana', baseCredits: 30 });
    expect(network).toMatchObject({
      name: 'Eclipse',
      kind: 'solana',
      baseCredits: 30,
      nativeSymbol: 'SOL',
      nativeDecimals: 9,
    });
    expect(furtherNetwork('gnosis-mainnet', { chainId: 100 }).chainId).toBe(100);
  });

  it.each([
    '',
    '-mainnet',
    'mainnet',
    'gnosis',
    'gnosis-sepolia',
    'Gnosis-mainnet',
    'gnosis--mainnet',
    'gnosis_x-mainnet',
    'gnosis-mainnet\n',
    ' gnosis-mainnet',
    'gnosis/-mainnet',
    'é-mainnet',
    `${'a'.repeat(60)}-mainnet`,
    `${'a-'.repeat(50_000)}mainnet`,
  ])('refuses the slug %j and says what one looks like', (slug) => {
    expect(() => furtherNetwork(slug)).toThrow('<name>-mainnet or <name>-testnet');
  });

  it.each(['ethereum-mainnet', 'bsc-testnet', 'sandbox-testnet'])('refuses to redefine %s', (slug) => {
    expect(() => furtherNetwork(slug)).toThrow('built in');
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses the number %d', (value) => {
    expect(() => furtherNetwork('gnosis-mainnet', { baseCredits: value })).toThrow('baseCredits');
    expect(() => furtherNetwork('gnosis-mainnet', { chainId: value })).toThrow('chainId');
  });

  it('has a pattern that answers a long hostile slug at once', () => {
    const startedAt = performance.now();
    expect(FURTHER_NETWORK_SLUG.test(`${'a-'.repeat(20_000)}!`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

describe('upstreamVariable', () => {
  it('is the slug in upper case with underscores, one for each network', () => {
    expect(upstreamVariable('ethereum-mainnet')).toBe('RPC_ETHEREUM_MAINNET');
    expect(upstreamVariable('world-chain-testnet')).toBe('RPC_WORLD_CHAIN_TESTNET');
    const variables = [...NETWORKS, SANDBOX_TESTNET].map((network) => upstreamVariable(network.slug));
    expect(new Set(variables).size).toBe(variables.length);
  });
});
