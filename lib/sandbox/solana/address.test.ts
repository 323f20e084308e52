import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { parseSolanaAddress, toBase58 } from './address';

describe('parseSolanaAddress', () => {
  it('reads what @solana/web3.js writes, zero bytes in front included', () => {
    const key = Keypair.generate().publicKey;
    expect(toBase58(parseSolanaAddress(key.toBase58()))).toBe(key.toBase58());
    expect(parseSolanaAddress('11111111111111111111111111111111')).toEqual(new Uint8Array(32));
  });

  it.each([
    ['a number', 7, /must be a string/],
    ['nothing', undefined, /must be a string/],
    ['an empty text', '', /0 bytes/],
    ['31 bytes', toBase58(new Uint8Array(31).fill(9)), /31 bytes/],
    ['33 bytes', toBase58(new Uint8Array(33).fill(1)), /(33 bytes|too long)/],
    ['a zero', '0'.repeat(32), /outside base58/],
    ['an EVM address', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', /outside base58/],
    ['a megabyte', '1'.repeat(1_000_000), /too long/],
    ['white space around it', ' 11111111111111111111111111111111', /outside base58/],
  ])('refuses %s, saying what is wrong', (_name, text, sentence) => {
    expect(() => parseSolanaAddress(text)).toThrow(sentence);
  });
});
