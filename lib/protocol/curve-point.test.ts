import { p256, p384 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { type CurveName, isPointOf } from './curve-point';

const CURVES = { 'P-256': p256, 'P-384': p384, secp256k1 } as const;

describe.each(Object.keys(CURVES) as CurveName[])('a point of %s', (name) => {
  const curve = CURVES[name];
  const points = Array.from({ length: 20 }, () => curve.getPublicKey(curve.utils.randomSecretKey(), false));

  it('is one where the curve library makes it', () => {
    expect(points.every((point) => isPointOf(name, point))).toBe(true);
  });

  it('is invalid with any bit changed, as in the curve library', () => {
    for (const [index, point] of points.entries()) {
      const other = Uint8Array.from(point);
      const place = 1 + ((index * 37) % (point.length - 1));
      other[place] = (other[place] as number) ^ (1 << (index % 8));
      expect(isPointOf(name, other)).toBe(false);
      expect(() => curve.Point.fromBytes(other).assertValidity()).toThrow();
    }
  });

  it('is invalid if compressed, cut, longer, with another prefix, at infinity, or with a coordinate beyond the field', () => {
    const [point = new Uint8Array()] = points;
    const size = (point.length - 1) / 2;
    const withX = (x: bigint) =>
      Uint8Array.from([4, ...Buffer.from(x.toString(16).padStart(size * 2, '0'), 'hex'), ...point.subarray(1 + size)]);
    const wrong = [
      curve.getPublicKey(curve.utils.randomSecretKey(), true),
      point.subarray(0, -1),
      Uint8Array.from([...point, 0]),
      ...[0, 2, 3, 5, 6, 7].map((prefix) => Uint8Array.from([prefix, ...point.subarray(1)])),
      new Uint8Array(point.length),
      Uint8Array.from([4, ...new Uint8Array(2 * size)]),
      Uint8Array.from([4, ...new Uint8Array(2 * size).fill(0xff)]),
      withX(curve.Point.Fp.ORDER),
      new Uint8Array(),
    ];
    for (const bytes of wrong) expect(isPointOf(name, bytes), Buffer.from(bytes).toString('hex')).toBe(false);
  });

  it('is invalid on another curve', () => {
    for (const other of Object.keys(CURVES) as CurveName[])
      if (other !== name) expect(points.some((point) => isPointOf(other, point))).toBe(false);
  });
});
