import { parseSiweMessage } from 'viem/siwe';
import { SiweMessage } from '@signinwithethereum/siwe';
import { describe, expect, it } from 'vitest';
import { buildSignIn, randomNonce } from './build-sign-in';
import { MalformedSignIn } from './message-fields';

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const NOW = Date.UTC(2026, 0, 31, 12);

describe('a message that is made here', () => {
  it('is read by viem and siwe as it is meant', () => {
    const { text, expiresAt } = buildSignIn({
      address: ADDRESS.toLowerCase(),
      uri: 'http://localhost:3000/api/v1/crypto/rpc/base-mainnet',
      now: NOW,
    });
    const expected = {
      domain: 'localhost:3000',
      address: ADDRESS,
      statement: 'Sign in to Turnpike',
      uri: 'http://localhost:3000/api/v1/crypto/rpc/base-mainnet',
      version: '1',
      chainId: 8453,
    };
    expect(parseSiweMessage(text)).toMatchObject({
      ...expected,
      issuedAt: new Date(NOW),
      expirationTime: new Date(NOW + 600_000),
    });
    expect(new SiweMessage(text)).toMatchObject(expected);
    expect(expiresAt).toBe(NOW + 600_000);
  });

  it('is for Solana mainnet where the address is one of Solana', () => {
    const { text, message } = buildSignIn({
      address: 'BSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW',
      uri: 'https://gate.example',
      now: NOW,
      nonce: 'a1b2c3d4e5f67890',
    });
    expect(message.family).toBe('solana');
    expect(text).toBe(
      'gate.example wants you to sign in with your Solana account:\nBSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW\n\nSign in to Turnpike\n\nURI: https://gate.example\nVersion: 1\nChain ID: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\nNonce: a1b2c3d4e5f67890\nIssued At: 2026-01-31T12:00:00.000Z\nExpiration Time: 2026-01-31T12:10:00.000Z',
    );
  });

  it('has a nonce of 16 hex characters, another each time', () => {
    const nonces = new Set(Array.from({ length: 100 }, randomNonce));
    expect(nonces.size).toBe(100);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is refused where a part cannot stand in it', () => {
    const build = (change: object) => () => buildSignIn({ address: ADDRESS, uri: 'https://gate.example', ...change });
    expect(build({ statement: 'Two\nlines' })).toThrow(MalformedSignIn);
    expect(build({ statement: 'Grüezi' })).toThrow(MalformedSignIn);
    expect(build({ nonce: 'short' })).toThrow(MalformedSignIn);
    expect(build({ address: '0x12' })).toThrow(MalformedSignIn);
    expect(build({ chainId: 'base' })).toThrow(RangeError);
  });
});
