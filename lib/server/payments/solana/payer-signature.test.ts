import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isStrictSignature } from './payer-signature';

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const seed = new Uint8Array(32).fill(3);
const key = ed25519.getPublicKey(seed);
const message = new TextEncoder().encode('50 USD to the receiver');
const signature = ed25519.sign(message, seed);

const challenge = (r: Uint8Array, a: Uint8Array, m: Uint8Array): bigint => bytesToNumberLE(createHash('sha512').update(concatBytes(r, a, m)).digest()) % ORDER;

describe("a payer's signature", () => {
  it('is taken where Solana takes it', () => {
    expect(isStrictSignature(signature, message, key)).toBe(true);
    for (let index = 0; index < 32; index++) {
      const secret = new Uint8Array(32).fill(index);
      expect(isStrictSignature(ed25519.sign(key, secret), key, ed25519.getPublicKey(secret))).toBe(true);
    }
  });

  it('of another key, over another message or of another length is refused', () => {
    expect(isStrictSignature(signature, message, ed25519.getPublicKey(new Uint8Array(32)))).toBe(false);
    expect(isStrictSignature(signature, message.subarray(1), key)).toBe(false);
    expect(isStrictSignature(signature.subarray(1), message, key)).toBe(false);
    expect(isStrictSignature(signature, message, key.subarray(1))).toBe(false);
    expect(isStrictSignature(new Uint8Array(64), message, key)).toBe(false);
  });

  it('under a key of low order, which fits any message, is refused', () => {
    // The eight points of low order, in their canonical encodings.
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    for (let multiple = 0; multiple < 8; multiple++) {
      const low = (multiple === 0 ? Point.ZERO : torsion.multiplyUnsafe(BigInt(multiple))).toBytes();
      const forged = concatBytes(low, new Uint8Array(32));
      expect(isStrictSignature(forged, message, low)).toBe(false);
      expect(isStrictSignature(concatBytes(Point.ZERO.toBytes(), new Uint8Array(32)), message, low)).toBe(false);
    }
  });

  it('whose R is of low order is refused, though the equation holds', () => {
    const r = Point.ZERO.toBytes();
    const secret = bytesToNumberLE(createHash('sha512').update(seed).digest().subarray(0, 32).map((byte, index) => (index === 0 ? byte & 248 : index === 31 ? (byte & 127) | 64 : byte)));
    const s = numberToBytesLE((challenge(r, key, message) * secret) % ORDER, 32);
    expect(ed25519.verify(concatBytes(r, s), message, key, { zip215: true })).toBe(true);
    expect(isStrictSignature(concatBytes(r, s), message, key)).toBe(false);
  });

  it('whose S is not reduced is refused: it would be a second signature without the key', () => {
    const s = bytesToNumberLE(signature.subarray(32)) + ORDER;
    expect(isStrictSignature(concatBytes(signature.subarray(0, 32), numberToBytesLE(s, 32)), message, key)).toBe(false);
  });

  it('under a key that is not written canonically is refused', () => {
    // y = p + 1 is the neutral element written with a number beyond the field.
    const beyond = numberToBytesLE(Point.Fp.ORDER + 1n, 32);
    expect(isStrictSignature(concatBytes(beyond, new Uint8Array(32)), message, beyond)).toBe(false);
    expect(isStrictSignature(signature, message, new Uint8Array(32).fill(255))).toBe(false);
  });

  it('that holds only with the cofactor is refused, as nodes refuse it', () => {
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    const secret = bytesToNumberLE(createHash('sha512').update(seed).digest().subarray(0, 32).map((byte, index) => (index === 0 ? byte & 248 : index === 31 ? (byte & 127) | 64 : byte)));
    const nonce = 12_345n;
    const r = Point.BASE.multiply(nonce).add(torsion).toBytes();
    const s = numberToBytesLE((nonce + challenge(r, key, message) * secret) % ORDER, 32);
    expect(ed25519.verify(concatBytes(r, s), message, key, { zip215: false })).toBe(true);
    expect(isStrictSignature(concatBytes(r, s), message, key)).toBe(false);
  });
});
