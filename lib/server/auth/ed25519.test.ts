import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ed25519Fault } from '@/lib/protocol/ed25519-encoding';
import edgeCases from '@/lib/protocol/sign-in/vectors/ed25519-edge-cases.json';
import { isEd25519Signature } from './solana-signature';

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const seed = new Uint8Array(32).fill(3);
const key = ed25519.getPublicKey(seed);
const message = new TextEncoder().encode('50 USD to the receiver');
const signature = ed25519.sign(message, seed);

const challenge = (r: Uint8Array, a: Uint8Array, m: Uint8Array): bigint =>
  bytesToNumberLE(
    createHash('sha512')
      .update(concatBytes(r, a, m))
      .digest(),
  ) % ORDER;

describe('a signature of ed25519', () => {
  it('is taken where Solana takes it', () => {
    expect(isEd25519Signature(key, message, signature)).toBe(true);
    for (let index = 0; index < 32; index++) {
      const secret = new Uint8Array(32).fill(index);
      expect(isEd25519Signature(ed25519.getPublicKey(secret), key, ed25519.sign(key, secret))).toBe(true);
    }
  });

  it('of another key, over another message or of another length is refused', () => {
    expect(isEd25519Signature(ed25519.getPublicKey(new Uint8Array(32)), message, signature)).toBe(false);
    expect(isEd25519Signature(key, message.subarray(1), signature)).toBe(false);
    expect(isEd25519Signature(key, message, signature.subarray(1))).toBe(false);
    expect(isEd25519Signature(key.subarray(1), message, signature)).toBe(false);
    expect(isEd25519Signature(key, message, new Uint8Array(64))).toBe(false);
  });

  it('under a key of low order, which fits any message, is refused', () => {
    // The eight points of low order, in their canonical encodings.
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    for (let multiple = 0; multiple < 8; multiple++) {
      const low = (multiple === 0 ? Point.ZERO : torsion.multiplyUnsafe(BigInt(multiple))).toBytes();
      const forged = concatBytes(low, new Uint8Array(32));
      expect(isEd25519Signature(low, message, forged)).toBe(false);
      expect(isEd25519Signature(low, message, concatBytes(Point.ZERO.toBytes(), new Uint8Array(32)))).toBe(false);
    }
  });

  it('whose R is of low order is refused, though the equation holds', () => {
    const r = Point.ZERO.toBytes();
    const secret = bytesToNumberLE(
      createHash('sha512')
        .update(seed)
        .digest()
        .subarray(0, 32)
        .map((byte, index) => (index === 0 ? byte & 248 : index === 31 ? (byte & 127) | 64 : byte)),
    );
    const s = numberToBytesLE((challenge(r, key, message) * secret) % ORDER, 32);
    expect(ed25519.verify(concatBytes(r, s), message, key, { zip215: true })).toBe(true);
    expect(isEd25519Signature(key, message, concatBytes(r, s))).toBe(false);
  });

  it('whose S is not reduced is refused: it would be a second signature without the key', () => {
    const s = bytesToNumberLE(signature.subarray(32)) + ORDER;
    expect(isEd25519Signature(key, message, concatBytes(signature.subarray(0, 32), numberToBytesLE(s, 32)))).toBe(
      false,
    );
  });

  it('under a key that is not written canonically is refused', () => {
    // y = p + 1 encodes the neutral element by a number outside the field.
    const beyond = numberToBytesLE(Point.Fp.ORDER + 1n, 32);
    expect(isEd25519Signature(beyond, message, concatBytes(beyond, new Uint8Array(32)))).toBe(false);
    expect(isEd25519Signature(new Uint8Array(32).fill(255), message, signature)).toBe(false);
  });

  it('that holds only with the cofactor is refused, as nodes refuse it', () => {
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    const secret = bytesToNumberLE(
      createHash('sha512')
        .update(seed)
        .digest()
        .subarray(0, 32)
        .map((byte, index) => (index === 0 ? byte & 248 : index === 31 ? (byte & 127) | 64 : byte)),
    );
    const nonce = 12_345n;
    const r = Point.BASE.multiply(nonce).add(torsion).toBytes();
    const s = numberToBytesLE((nonce + challenge(r, key, message) * secret) % ORDER, 32);
    expect(ed25519.verify(concatBytes(r, s), message, key, { zip215: false })).toBe(true);
    expect(isEd25519Signature(key, message, concatBytes(r, s))).toBe(false);
  });

  it.each(edgeCases)(
    'is decided as strictly as Solana decides: $what',
    ({ message: text, publicKey, signature: bytes, holds }) => {
      const [of, over, by] = [publicKey, text, bytes].map((hex) => Buffer.from(hex, 'hex')) as [Buffer, Buffer, Buffer];
      expect(isEd25519Signature(of, over, by)).toBe(holds);
    },
  );

  it('is judged as arithmetic in JavaScript judges it, whichever byte was changed', () => {
    for (let round = 0; round < 150; round++) {
      const secret = randomBytes(32);
      const [of, over] = [ed25519.getPublicKey(secret), randomBytes(randomInt(200))];
      const by = ed25519.sign(over, secret);
      const changed = round % 4 === 0 ? null : [of, by.subarray(0, 32), by.subarray(32)][round % 3];
      if (changed) changed[randomInt(32)] = randomInt(256);
      const expected = ed25519Fault(of, by) === null && holdsInJavaScript(of, over, by);
      expect([of, over, by, isEd25519Signature(of, over, by)]).toEqual([of, over, by, expected]);
    }
  });
});

function holdsInJavaScript(of: Uint8Array, over: Uint8Array, by: Uint8Array): boolean {
  try {
    return ed25519.verify(by, over, of, { zip215: false });
  } catch {
    return false;
  }
}
