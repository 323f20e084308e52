import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomBytes, randomInt } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { keyVerdict, recoverEvmSigner, recoverInJavaScript } from '@/lib/protocol/evm-signature';
import { evmKeyVerdict, recoverInWasm } from './verify-signature';

const { n: ORDER, p: FIELD } = secp256k1.Point.CURVE();
const { Fn, BASE } = secp256k1.Point;
/**
 * Number of random cases. Numbers with few digits or beyond a bound are rare among them, and have tests of their own.
 */
const RANDOM = 450;
/** Numbers at which the rules or the arithmetic change. */
const EDGES = [
  0n,
  1n,
  2n,
  7n,
  ORDER >> 1n,
  (ORDER >> 1n) + 1n,
  ORDER - 1n,
  ORDER,
  ORDER + 1n,
  FIELD - ORDER,
  FIELD - 1n,
  FIELD,
  2n ** 256n - 1n,
  BASE.toAffine().x,
];

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const signatureOf = (r: bigint, s: bigint, v: number) => `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`;
const numberOf = (bytes: Uint8Array) => BigInt(`0x${bytesToHex(bytes)}`);
const bytesOf = (value: bigint) => Uint8Array.from(Buffer.from(word(value), 'hex'));

/** Smallest secret keys whose public key has an x, or a y, that begins with a zero byte. */
const SHORT_KEYS = [153n, 122n];

/** Signs a random hash, by default with a random key, with s as wallets write it. */
function signed(secret = secp256k1.utils.randomSecretKey()) {
  const hash = Uint8Array.from(randomBytes(32));
  const bytes = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });
  return { hash, v: bytes[0] as number, r: numberOf(bytes.subarray(1, 33)), s: numberOf(bytes.subarray(33)) };
}

/** Recovers with both implementations. Fails unless they agree, and returns the result. */
function agreed(hash: Uint8Array, signature: string): string | null {
  const [inWasm, inJavaScript] = [recoverInWasm, recoverInJavaScript].map((recover) =>
    recoverEvmSigner(hash, signature, recover),
  );
  expect([bytesToHex(hash), signature, inWasm]).toEqual([bytesToHex(hash), signature, inJavaScript]);
  const address = inWasm ?? `0x${'a1'.repeat(20)}`;
  expect([signature, evmKeyVerdict(address, hash, signature)]).toEqual([
    signature,
    inWasm === null ? 'not-signed' : 'signed',
  ]);
  return inWasm ?? null;
}

describe('a signature is judged by the server as by browsers', () => {
  it('where it is good, in its other form, or has a single bit changed', () => {
    for (let round = 0; round < RANDOM / 3; round++) {
      const { hash, r, s, v } = signed();
      const signer = agreed(hash, signatureOf(r, s, v + (round % 2) * 27));
      expect(signer).not.toBeNull();
      const mirrored = signatureOf(r, ORDER - s, 28 - v);
      expect([
        evmKeyVerdict(signer as string, hash, mirrored),
        keyVerdict(signer as string, hash, mirrored, recoverInJavaScript),
      ]).toEqual(['mirrored', 'mirrored']);
      const bytes = Buffer.from(signatureOf(r, s, v).slice(2), 'hex');
      const at = randomInt(65 * 8);
      bytes[at >> 3] = (bytes[at >> 3] as number) ^ (1 << (at & 7));
      expect(agreed(hash, bytes.toString('hex'))).not.toBe(signer);
    }
  }, 60_000);

  it('where it is noise', () => {
    for (let round = 0; round < RANDOM; round++) {
      const bytes = randomBytes(65);
      bytes[64] = round % 2;
      agreed(Uint8Array.from(randomBytes(32)), bytes.toString('hex'));
    }
  }, 60_000);

  it('where r, s or the hash stands at an edge', () => {
    const hashes = [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n].map(bytesOf);
    let round = 0;
    for (const r of EDGES)
      for (const s of EDGES)
        agreed(hashes[round++ % hashes.length] as Uint8Array, signatureOf(r, s, round % 3 === 0 ? 28 : 27));
    for (const hash of hashes)
      for (const v of [0, 1, 2, 26, 27, 28, 29, 255]) agreed(hash, signatureOf(BASE.toAffine().x, 5n, v));
  }, 60_000);

  it('where a coordinate of its key is short', () => {
    const [shortX, shortY] = SHORT_KEYS.map((secret) => BASE.multiply(secret).toAffine());
    expect([shortX?.x, shortY?.y].map((coordinate) => word(coordinate ?? 0n).slice(0, 2))).toEqual(['00', '00']);
    for (const secret of SHORT_KEYS) {
      const { hash, r, s, v } = signed(bytesOf(secret));
      expect(agreed(hash, signatureOf(r, s, v))).toBe(privateKeyToAddress(`0x${word(secret)}`).toLowerCase());
    }
  });

  it('if its key would be the point at infinity, which is invalid', () => {
    for (const nonce of [1n, 7n, 12_345n]) {
      const hash = Uint8Array.from(randomBytes(32));
      const point = BASE.multiply(nonce).toAffine();
      // s·R = z·G, so r⁻¹(s·R − z·G) is not a point.
      const s = Fn.mul(numberOf(hash) % ORDER, Fn.inv(nonce));
      for (const signature of [
        signatureOf(point.x, s, 27 + Number(point.y & 1n)),
        signatureOf(point.x, ORDER - s, 28 - Number(point.y & 1n)),
      ])
        expect(agreed(hash, signature)).toBeNull();
    }
  });

  it('and the zero address has signed nothing', () => {
    const { hash, r, s, v } = signed();
    for (const signature of [signatureOf(r, s, v), signatureOf(0n, 0n, 27), signatureOf(r, s, 27).slice(0, -2), '0x'])
      expect(evmKeyVerdict(`0x${'0'.repeat(40)}`, hash, signature)).toBe('not-signed');
  });
});
