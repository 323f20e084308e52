import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashMessage, hexToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import {
  isZeroAddress,
  keyVerdict as keyVerdictBy,
  personalMessageHash,
  recoverEvmSigner,
  recoverInJavaScript,
} from './evm-signature';

const keyVerdict = (address: string, hash: Uint8Array, signature: string) =>
  keyVerdictBy(address, hash, signature, recoverInJavaScript);
const ORDER = secp256k1.Point.CURVE().n;
const FIELD = secp256k1.Point.CURVE().p;
const ZERO = `0x${'0'.repeat(40)}`;
const TEXT = 'Prove it, Ångström.';
const HASH = personalMessageHash(TEXT);
const owner = privateKeyToAccount('0x00000000000000000000000000000000000000000000000000000000000a11ce');
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const signatureOf = (r: bigint | number, s: bigint | number, v: number) =>
  `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`;

/** Returns r, s and v of the owner's signature of the text. */
async function parts() {
  const hex = await owner.signMessage({ message: TEXT });
  return { r: BigInt(`0x${hex.slice(2, 66)}`), s: BigInt(`0x${hex.slice(66, 130)}`), v: parseInt(hex.slice(130), 16) };
}

describe('a signature of a key', () => {
  it('holds for its own address in any case, with the recovery byte of either kind', async () => {
    const { r, s, v } = await parts();
    for (const signature of [
      signatureOf(r, s, v),
      signatureOf(r, s, v - 27),
      signatureOf(r, s, v).slice(2),
      signatureOf(r, s, v).toUpperCase().replace('0X', '0x'),
    ]) {
      for (const address of [owner.address, owner.address.toLowerCase()])
        expect(keyVerdict(address, HASH, signature)).toBe('signed');
      expect(recoverEvmSigner(HASH, signature)).toBe(owner.address.toLowerCase());
    }
  });

  it('in its other form, which anybody can make, is told apart and recovers nobody (EIP-2)', async () => {
    const { r, s, v } = await parts();
    for (const mirrored of [signatureOf(r, ORDER - s, 55 - v), signatureOf(r, ORDER - s, 28 - v)]) {
      expect(keyVerdict(owner.address, HASH, mirrored)).toBe('mirrored');
      expect(recoverEvmSigner(HASH, mirrored)).toBeNull();
    }
    expect(keyVerdict(owner.address, HASH, signatureOf(r, ORDER - s, v))).toBe('not-signed');
  });

  it('has r and s from 1 to below the order, and v of 27, 28, 0 or 1', async () => {
    const { r, s, v } = await parts();
    const broken = [
      ...[0, ORDER, ORDER + 1n, ORDER + r, FIELD, 2n ** 256n - 1n]
        .map((bad) => signatureOf(BigInt(bad) % 2n ** 256n, s, v))
        .filter((text) => text !== signatureOf(r, s, v)),
      ...[0, ORDER, ORDER + 1n, 2n ** 256n - 1n].map((bad) => signatureOf(r, bad, v)),
      ...[2, 3, 26, 29, 30, 31, 35, 36, 37, 38, 255].map((bad) => signatureOf(r, s, bad)),
      signatureOf(0, 0, 27),
      signatureOf(0, 0, 0),
      signatureOf(1, 0, 28),
      signatureOf(0, 1, 27),
    ];
    for (const signature of broken) {
      expect(recoverEvmSigner(HASH, signature)).toBeNull();
      for (const address of [owner.address, ZERO]) expect(keyVerdict(address, HASH, signature)).toBe('not-signed');
    }
  });

  it('has 65 bytes: neither cut, nor longer, nor compact (EIP-2098), nor odd, nor without digits', async () => {
    const { r, s, v } = await parts();
    const whole = signatureOf(r, s, v);
    const compact = `0x${word(r)}${word((BigInt(v - 27) << 255n) | s)}`;
    for (const bad of [
      '',
      '0x',
      whole.slice(0, -1),
      whole.slice(0, -2),
      `${whole}0`,
      `${whole}00`,
      `${whole}1b`,
      compact,
      `0x0x${whole.slice(4)}`,
      `${whole}\n`,
      ` ${whole}`,
      whole.replace(/.$/, 'g'),
      whole.replace('0x', '0X0x'),
    ]) {
      expect([bad, recoverEvmSigner(HASH, bad)]).toEqual([bad, null]);
      expect(keyVerdict(owner.address, HASH, bad)).toBe('not-signed');
    }
  });

  it('is not that of another hash or another address', async () => {
    const { r, s, v } = await parts();
    const signature = signatureOf(r, s, v);
    expect(keyVerdict(owner.address, personalMessageHash(`${TEXT} `), signature)).toBe('not-signed');
    expect(keyVerdict(privateKeyToAccount(generatePrivateKey()).address, HASH, signature)).toBe('not-signed');
    for (const bit of [0, 100, 255, 256, 300, 511]) {
      const bytes = hexToBytes(signature as `0x${string}`);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(keyVerdict(owner.address, HASH, bytesToHex(bytes))).toBe('not-signed');
    }
  });

  it('never is that of the zero address, whatever its bytes are', () => {
    const noise = Array.from({ length: 100 }, () => bytesToHex(crypto.getRandomValues(new Uint8Array(65))));
    const r = secp256k1.Point.BASE.toAffine().x;
    for (const signature of [
      ...noise,
      ...noise.map((hex) => `${hex.slice(0, 128)}1b`),
      signatureOf(0, 0, 27),
      signatureOf(5, 1, 27),
      signatureOf(r, r, 27),
    ]) {
      expect(keyVerdict(ZERO, HASH, signature)).toBe('not-signed');
      expect(recoverEvmSigner(HASH, signature)).not.toBe(ZERO);
    }
    for (const zero of [ZERO, ZERO.replace('0x', '0X')]) expect(isZeroAddress(zero)).toBe(true);
    for (const other of [owner.address, '0x', '0x0', `${ZERO}0`, `0x${'0'.repeat(39)}1`])
      expect(isZeroAddress(other)).toBe(false);
  });

  it('is invalid if its key would be the point at infinity', () => {
    // R = k·G with s·k = z makes r⁻¹(s·R − z·G) the point at infinity, which is not a key.
    const k = 7n;
    const z = BigInt(`0x${bytesToHex(HASH)}`) % ORDER;
    const R = secp256k1.Point.BASE.multiply(k).toAffine();
    const s = secp256k1.Point.Fn.mul(z, secp256k1.Point.Fn.inv(k));
    const signature = signatureOf(R.x, s, 27 + Number(R.y & 1n));
    expect(recoverEvmSigner(HASH, signature)).toBeNull();
    expect(keyVerdict(ZERO, HASH, signature)).toBe('not-signed');
  });
});

it('a text is hashed as EIP-191 says', () => {
  for (const text of ['', 'a', 'Grüße 🦊', 'x'.repeat(1_000)])
    expect(`0x${bytesToHex(personalMessageHash(text))}`).toBe(hashMessage(text));
});
