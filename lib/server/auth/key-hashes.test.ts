import { expect, it } from 'vitest';
import { hashApiKey } from '../db/api-keys';
import { KeyHashes } from './auth';

it('is the hash of each key, whichever keys were shown before', () => {
  const hashes = new KeyHashes();
  for (let i = 0; i < 25_000; i++) {
    const secret = `key-${i % 12_000}`;
    expect(hashes.of(`Bearer ${secret}`)).toBe(hashApiKey(secret));
  }
});

it('tells keys apart that differ in case, white space or scheme', () => {
  const hashes = new KeyHashes();
  expect(hashes.of('Bearer abc')).toBe(hashApiKey('abc'));
  expect(hashes.of('bearer  abc ')).toBe(hashApiKey('abc'));
  expect(hashes.of('Bearer Abc')).toBe(hashApiKey('Abc'));
  expect(() => hashes.of('Basic abc')).toThrow(expect.objectContaining({ code: 'INVALID_AUTHORIZATION' }));
});

it('refuses what is no key each time that it comes', () => {
  const hashes = new KeyHashes();
  for (let i = 0; i < 2; i++)
    expect(() => hashes.of('Bearer')).toThrow(expect.objectContaining({ code: 'INVALID_AUTHORIZATION' }));
});
