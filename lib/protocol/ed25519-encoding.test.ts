import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { ed25519Fault } from './ed25519-encoding';

const { n: ORDER, p: FIELD } = ed25519.Point.CURVE();
const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);
const signature = ed25519.sign(new Uint8Array([1, 2, 3]), secret);

const bytesOf = (value: bigint) => hexToBytes(value.toString(16).padStart(64, '0')).reverse();
const withR = (r: Uint8Array) => Uint8Array.from([...r, ...signature.subarray(32)]);
const withS = (s: bigint) => Uint8Array.from([...signature.subarray(0, 32), ...bytesOf(s)]);

/** All encodings of the eight points of small order, including non-canonical ones that some decoders accept. */
function smallOrderEncodings(): Uint8Array[] {
  const generator = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa');
  const canonical = Array.from({ length: 8 }, (_, i) =>
    (i === 0 ? ed25519.Point.ZERO : generator.multiply(BigInt(i))).toBytes(),
  );
  const ys = [0n, 1n, FIELD - 1n, FIELD, FIELD + 1n];
  return [...canonical, ...ys.map(bytesOf), ...ys.map((y) => bytesOf(y | (1n << 255n)))];
}

describe('a key and a signature of ed25519', () => {
  it('of Node, noble or a wallet have nothing against them', () => {
    for (let i = 0; i < 50; i++) {
      const { secretKey, publicKey: key } = ed25519.keygen();
      expect(ed25519Fault(key, ed25519.sign(secretKey, secretKey))).toBeNull();
    }
  });

  it('of small order are refused in every encoding, as key and as R', () => {
    const encodings = smallOrderEncodings();
    expect(new Set(encodings.map((bytes) => bytes.join())).size).toBe(14);
    for (const bytes of encodings) {
      expect(ed25519Fault(bytes, signature)).toMatch(
        /^The public key is (?:a point of small order|not in its canonical form)\.$/,
      );
      expect(ed25519Fault(publicKey, withR(bytes))).toMatch(/^R of the signature is /);
    }
  });

  it('with a coordinate from the prime on are refused, whatever the sign', () => {
    for (let y = FIELD; y < 1n << 255n; y++) {
      for (const encoded of [y, y | (1n << 255n)]) {
        expect(ed25519Fault(bytesOf(encoded), signature)).toBe('The public key is not in its canonical form.');
        expect(ed25519Fault(publicKey, withR(bytesOf(encoded)))).toBe(
          'R of the signature is not in its canonical form.',
        );
      }
    }
  });

  it('with S from the order on are refused: a second signature of the same', () => {
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
    for (const bad of [ORDER, ORDER + 1n, s + ORDER, s + 8n * ORDER, 2n ** 256n - 1n])
      expect(ed25519Fault(publicKey, withS(bad))).toMatch(/S of the signature/);
    expect(ed25519Fault(publicKey, withS(ORDER - 1n))).toBeNull();
  });

  it('of another length are refused', () => {
    for (const length of [0, 31, 33, 64])
      expect(ed25519Fault(new Uint8Array(length).fill(9), signature)).toMatch(/not 32 bytes/);
    for (const length of [0, 32, 63, 65, 128])
      expect(ed25519Fault(publicKey, new Uint8Array(length).fill(9))).toMatch(/not 64 bytes/);
  });
});
