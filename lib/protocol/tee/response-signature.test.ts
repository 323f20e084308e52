import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { ExchangeHash, recoverSigner, responseSignatureFault } from './response-signature';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const address = account.address;
const requestHash = bytesToHex(sha256(utf8ToBytes('{"model":"tee-guide"}')));
const responseHash = bytesToHex(sha256(utf8ToBytes('data: {}\n\ndata: [DONE]\n\n')));
const exchange = { model: 'tee-guide', requestHash, responseHash, address };
const text = `${requestHash}:${responseHash}`;
const signature = await account.signMessage({ message: text });
const order = secp256k1.Point.Fn.ORDER;

function highS(normal: string): string {
  const bytes = hexToBytes(normal.slice(2));
  const s = order - BigInt(`0x${bytesToHex(bytes.subarray(32, 64))}`);
  return `0x${bytesToHex(bytes.subarray(0, 32))}${s.toString(16).padStart(64, '0')}${(bytes[64] === 27 ? 28 : 27).toString(16)}`;
}

describe('the signature of a response', () => {
  it('is good over the request and the response, with and without the model in front', async () => {
    expect(responseSignatureFault({ text, signature }, exchange)).toBeNull();
    const named = `tee-guide:${text}`;
    expect(
      responseSignatureFault({ text: named, signature: await account.signMessage({ message: named }) }, exchange),
    ).toBeNull();
  });

  it('is read with and without 0x, with v from 0 and from 27', () => {
    const bare = signature.slice(2);
    const fromZero = bare.slice(0, 128) + (Number.parseInt(bare.slice(128), 16) - 27).toString(16).padStart(2, '0');
    for (const form of [bare, bare.toUpperCase(), fromZero])
      expect(recoverSigner(text, form)).toBe(address.toLowerCase());
  });

  it('is refused with a high s, which anybody can make of it', () => {
    expect(recoverSigner(text, highS(signature))).toBeNull();
    expect(responseSignatureFault({ text, signature: highS(signature) }, exchange)).toMatch(/normalised/);
  });

  it.each([
    ['another request', { requestHash: 'aa'.repeat(32) }],
    ['a response that was cut', { responseHash: bytesToHex(sha256(utf8ToBytes('data: {}\n\n'))) }],
  ])('is refused for %s', (_, change) => {
    expect(responseSignatureFault({ text, signature }, { ...exchange, ...change })).toMatch(/another request/);
  });

  it('is refused for another model, another text, and hashes exchanged', async () => {
    for (const other of [`other:${text}`, ` ${text}`, text.toUpperCase(), `${responseHash}:${requestHash}`, '']) {
      expect(
        responseSignatureFault({ text: other, signature: await account.signMessage({ message: other }) }, exchange),
      ).toMatch(/another request/);
    }
  });

  it('is refused by another key', async () => {
    const other = await privateKeyToAccount(`0x${'22'.repeat(32)}`).signMessage({ message: text });
    expect(responseSignatureFault({ text, signature: other }, exchange)).toMatch(/not made with the attested key/);
  });

  it('is refused with any byte changed', () => {
    const bytes = hexToBytes(signature.slice(2));
    for (let index = 0; index < bytes.length; index++) {
      const touched = bytes.slice();
      touched[index] = (touched[index] as number) ^ 0x01;
      expect(recoverSigner(text, bytesToHex(touched))).not.toBe(address.toLowerCase());
    }
  });

  it.each([
    '',
    '0x',
    signature.slice(0, -2),
    `${signature}00`,
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
    `0x${'00'.repeat(32)}${signature.slice(66)}`,
    `${signature.slice(0, -2)}1d`,
    'not hex',
  ])('is invalid: %s', (bad) => {
    expect(recoverSigner(text, bad)).toBeNull();
  });

  it("which is broken is nobody's, of the zero address too, for which recovering on a chain would take it", () => {
    const nobody = { ...exchange, address: `0x${'0'.repeat(40)}` };
    for (const broken of [`0x${'00'.repeat(64)}1b`, `0x${'ff'.repeat(64)}1c`, signature])
      expect(responseSignatureFault({ text, signature: broken }, nobody)).not.toBeNull();
  });
});

describe('the hash of a body', () => {
  it('is that of all its parts, and can be asked for in between', () => {
    const hash = new ExchangeHash();
    expect(hash.hex()).toBe(bytesToHex(sha256(new Uint8Array())));
    expect(hash.update(utf8ToBytes('data: ')).hex()).toBe(bytesToHex(sha256(utf8ToBytes('data: '))));
    expect(hash.update(utf8ToBytes('{}')).hex()).toBe(bytesToHex(sha256(utf8ToBytes('data: {}'))));
  });
});
