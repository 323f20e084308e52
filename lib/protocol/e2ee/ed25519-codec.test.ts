import { createPrivateKey, diffieHellman, createPublicKey, hkdfSync } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { E2eeError, type E2eeFault } from './e2ee-error';
import {
  decryptWithEd25519,
  ED25519_CONTENT_HEX_MIN,
  encryptToEd25519,
  generateEd25519KeyPair,
  parseEd25519Key,
} from './ed25519-codec';

const TEXT = 'How does staking work? Grüße 🦊';

function faultOf(run: () => unknown): E2eeFault {
  try {
    run();
  } catch (error) {
    if (error instanceof E2eeError) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('content that is encrypted to a key of ed25519', () => {
  it('is read by the holder of the key, in hex of lower case, each time other bytes', () => {
    const { publicKey, secretKey } = generateEd25519KeyPair();
    for (const text of ['', 'a', TEXT, '\ufeffwith a mark']) {
      const [first, second] = [encryptToEd25519(text, publicKey), encryptToEd25519(text, publicKey)];
      expect([decryptWithEd25519(first, secretKey), decryptWithEd25519(second.toUpperCase(), secretKey)]).toEqual([
        text,
        text,
      ]);
      expect(first).toMatch(/^[0-9a-f]+$/);
      expect(first.slice(0, 112)).not.toBe(second.slice(0, 112));
    }
    expect(encryptToEd25519('', publicKey)).toHaveLength(ED25519_CONTENT_HEX_MIN);
  });

  it('opens the known answer that NEAR AI publishes with its inference SDK (seed of bytes 0b, version 2)', () => {
    const content =
      '07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7ca0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b743d22a6968fbbdf88cd066c79b3dacd53a6991f06ce8c564e03b7eb60e2376';
    expect(decryptWithEd25519(content, new Uint8Array(32).fill(0x0b))).toBe('fixed v2 vector');
  });

  it('is keyed as Node’s own X25519 and HKDF have it', () => {
    const { publicKey, secretKey } = generateEd25519KeyPair();
    const bytes = hexToBytes(encryptToEd25519(TEXT, publicKey));
    const keyOf = (der: string, key: Uint8Array) => Buffer.concat([Buffer.from(der, 'hex'), key]);
    const mine = createPrivateKey({
      key: keyOf('302e020100300506032b656e04220420', ed25519.utils.toMontgomerySecret(secretKey)),
      format: 'der',
      type: 'pkcs8',
    });
    const fresh = createPublicKey({
      key: keyOf('302a300506032b656e032100', bytes.subarray(0, 32)),
      format: 'der',
      type: 'spki',
    });
    const key = new Uint8Array(
      hkdfSync(
        'sha256',
        diffieHellman({ privateKey: mine, publicKey: fresh }),
        Buffer.alloc(0),
        'ed25519_encryption',
        32,
      ),
    );
    expect(new TextDecoder().decode(xchacha20poly1305(key, bytes.subarray(32, 56)).decrypt(bytes.subarray(56)))).toBe(
      TEXT,
    );
  });

  it('is refused with any byte touched, cut or added, and by any other key', () => {
    const { publicKey, secretKey } = generateEd25519KeyPair();
    const content = encryptToEd25519('abc', publicKey);
    for (let at = 0; at < content.length; at += 6) {
      // X25519 ignores the highest bit of a public key (RFC 7748, 5).
      const flipped =
        content.slice(0, at + 1) +
        (Number.parseInt(content[at + 1] as string, 16) ^ 1).toString(16) +
        content.slice(at + 2);
      expect(faultOf(() => decryptWithEd25519(flipped, secretKey))).toBe('DECRYPTION_FAILED');
    }
    expect(faultOf(() => decryptWithEd25519(content.slice(0, -2), secretKey))).toBe('DECRYPTION_FAILED');
    expect(faultOf(() => decryptWithEd25519(`${content}00`, secretKey))).toBe('DECRYPTION_FAILED');
    expect(faultOf(() => decryptWithEd25519(content, generateEd25519KeyPair().secretKey))).toBe('DECRYPTION_FAILED');
  });

  it.each(['', 'plain text', 'ab'.repeat(71), `${'ab'.repeat(72)}0`, `0x${'ab'.repeat(80)}`, 'zz'.repeat(90)])(
    'is not %j',
    (content) => {
      expect(faultOf(() => decryptWithEd25519(content, generateEd25519KeyPair().secretKey))).toBe(
        'ENCRYPTED_FIELD_NOT_HEX',
      );
    },
  );

  it('is never made for a key under which everybody has the same secret, nor opened under one', () => {
    const SMALL = [
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      `ecff${'ff'.repeat(29)}7f`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    ];
    for (const key of SMALL) expect(faultOf(() => encryptToEd25519(TEXT, hexToBytes(key)))).toBe('INVALID_PUBLIC_KEY');
    const content = encryptToEd25519(TEXT, generateEd25519KeyPair().publicKey);
    for (const key of ['00'.repeat(32), `01${'00'.repeat(31)}`])
      expect(faultOf(() => decryptWithEd25519(key + content.slice(64), generateEd25519KeyPair().secretKey))).toBe(
        'DECRYPTION_FAILED',
      );
  });

  it('has keys of 64 characters of hex in headers, and is made for no bytes that are no point', () => {
    const { publicKey } = generateEd25519KeyPair();
    expect(parseEd25519Key(bytesToHex(publicKey).toUpperCase())).toEqual(publicKey);
    for (const text of ['', 'ab', `0x${'ab'.repeat(31)}`, 'ab'.repeat(33), 'zz'.repeat(32)])
      expect(faultOf(() => parseEd25519Key(text))).toBe('INVALID_PUBLIC_KEY');
    for (const bytes of [
      new Uint8Array(31),
      new Uint8Array(33),
      new Uint8Array(32).fill(0xff),
      new Uint8Array(32).fill(2),
    ])
      expect(faultOf(() => encryptToEd25519(TEXT, bytes))).toBe('INVALID_PUBLIC_KEY');
  });
});
