import { describe, expect, it } from 'vitest';
import { networkOfV1Name } from './payment-required';

describe('a name of x402 v1', () => {
  it.each([
    ['base', 'eip155:8453'],
    ['base-sepolia', 'eip155:84532'],
    ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ])('%s means %s', (name, network) => {
    expect(networkOfV1Name(name)).toBe(network);
  });

  it.each(['', 'Base', 'ethereum', 'eip155:8453', 'constructor'])('%j means no chain', (name) => {
    expect(networkOfV1Name(name)).toBeUndefined();
  });
});
