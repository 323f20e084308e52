import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { firstCallNetwork, tokenEndOf } from './use-mint';

describe('the end of a token', () => {
  it('is what the token says', async () => {
    const token = await new SignJWT({ purpose: 'ü?>' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(1_800_000_000)
      .sign(new Uint8Array(32));
    expect(tokenEndOf(token)).toBe(1_800_000_000_000);
  });

  it('is not made up for what is no token', () => {
    for (const text of ['', 'a.b.c', 'x', `a.${btoa('{"exp":"soon"}')}.c`, `a.${btoa('null')}.c`])
      expect(tokenEndOf(text)).toBeNull();
  });
});

describe('the first call with a new key', () => {
  const networks = [
    { slug: 'solana-mainnet', family: 'solana', kind: 'solana' },
    { slug: 'base-mainnet', family: 'base', kind: 'evm' },
    { slug: 'sandbox-testnet', family: 'sandbox', kind: 'evm' },
  ] as const;

  it.each<[string, MintWish['allow'], string | undefined]>([
    ['the sandbox', undefined, 'sandbox-testnet'],
    ['a network that the key may call', { networks: ['base-mainnet', 'solana-mainnet'] }, 'base-mainnet'],
    [
      'a network of another kind if the key may call no EVM network',
      { networks: ['solana-mainnet'] },
      'solana-mainnet',
    ],
    ['none if the key may call none of the networks', { networks: ['ethereum-mainnet'] }, undefined],
    ['none if the key may not buy RPC', { endpoints: ['chat'] }, undefined],
  ])('asks %s', (_what, allow, slug) => expect(firstCallNetwork(networks, allow)?.slug).toBe(slug));
});
