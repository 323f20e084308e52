import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { generateE2eeKeyPair } from './codec';
import { addressOf, parseClientPublicKey, parseModelPublicKey } from './public-key';

const key = bytesToHex(generateE2eeKeyPair().publicKey);
const compressed = bytesToHex(secp256k1.getPublicKey(new Uint8Array(32).fill(5), true));
const refused: [string, string][] = [
  ['nothing', ''],
  ['a compressed key', compressed],
  ['a hybrid key, 06', `06${key.slice(2)}`],
  ['a hybrid key, 07', `07${key.slice(2)}`],
  ['zeros', `04${'00'.repeat(64)}`],
  ['a point off the curve', `${key.slice(0, -2)}${key.endsWith('00') ? '01' : '00'}`],
  ['coordinates beyond the field', `04${'ff'.repeat(64)}`],
  ['x and y exchanged', `04${key.slice(66)}${key.slice(2, 66)}`],
  ['one character less', key.slice(0, -1)],
  ['one byte more', `${key}00`],
  ['0x in front', `0x${key}`],
  ['a character that is not hex', `${key.slice(0, -1)}g`],
  ['white space around', ` ${key.slice(2)} `],
  [
    'a point of P-256',
    '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  ],
];

describe('public keys', () => {
  it('of a model are read with and without 04, in either case', () => {
    for (const text of [key, key.slice(2), key.toUpperCase()]) expect(bytesToHex(parseModelPublicKey(text))).toBe(key);
  });

  it('of a client need their 04', () => {
    expect(bytesToHex(parseClientPublicKey(key))).toBe(key);
    expect(() => parseClientPublicKey(key.slice(2))).toThrow('Invalid public key');
  });

  it.each(refused)('are refused: %s', (_, text) => {
    expect(() => parseModelPublicKey(text)).toThrow('Invalid public key');
    expect(() => parseClientPublicKey(text)).toThrow('Invalid public key');
  });

  it('have the address that Ethereum derives from them', () => {
    const secret = new Uint8Array(32).fill(7);
    expect(addressOf(secp256k1.getPublicKey(secret, false))).toBe(
      privateKeyToAccount(`0x${bytesToHex(secret)}`).address.toLowerCase(),
    );
  });
});
