import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { decryptContent, encryptContent, generateE2eeKeyPair } from './codec';
import { assertPublicKey, parseClientPublicKey, parseModelPublicKey } from './public-key';
import { nodeDecrypt, nodeEncrypt } from './testing/node-codec';

/**
 * Cases of Project Wycheproof's classes for ECDH and AES-GCM, in this codec's form. The tests construct them by curve
 * arithmetic and compare with node:crypto (OpenSSL). `wycheproof.test.ts` runs Wycheproof's own vectors.
 */

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const { Point } = secp256k1;
const FIELD = Point.Fp;
const ORDER = Point.Fn.ORDER;
const hex32 = (value: bigint) => value.toString(16).padStart(64, '0');
const REFUSED = 'Failed to decrypt field';

/** Returns the point with this x and an even y, or null if the curve has none. */
function pointAt(x: bigint) {
  try {
    return Point.fromHex(`02${hex32(x)}`);
  } catch {
    return null;
  }
}

describe('a shared secret', () => {
  const secret = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321n;
  // With Q = secret⁻¹·P, secret·Q = P. So the shared x can be that of any point of the curve.
  const inverse = Point.Fn.inv(secret);
  const wanted = [
    1n,
    2n,
    3n,
    4n,
    6n,
    8n,
    0xffn,
    0x100n,
    1n << 64n,
    (1n << 64n) + 1n,
    1n << 128n,
    1n << 192n,
    (1n << 248n) - 1n,
    (1n << 248n) + 3n,
    1n << 255n,
    FIELD.ORDER - 3n,
    FIELD.ORDER - 4n,
    ORDER,
    ORDER + 1n,
    ORDER - 1n,
  ];
  const reachable = wanted.filter((x) => pointAt(x) !== null);

  it('is right for x of every peculiar form, of up to 31 leading zero bytes', () => {
    expect(reachable.length).toBeGreaterThan(8);
    expect(reachable[0]).toBe(1n);
    for (const x of reachable) {
      const shared = pointAt(x) as NonNullable<ReturnType<typeof pointAt>>;
      const peer = shared.multiply(inverse).toBytes(false);
      expect(bytesToHex(secp256k1.getSharedSecret(hexToBytes(hex32(secret)), peer).subarray(1))).toBe(hex32(x));
      const content = encryptContent('peculiar', peer, {
        ephemeralSecretKey: hexToBytes(hex32(secret)),
        nonce: new Uint8Array(12),
      });
      // The recipient's secret key is unknown, so the test decrypts from the sender's side, which shares the ECDH
      // secret.
      expect(nodeDecrypt(bytesToHex(peer) + content.slice(130), hex32(secret)), hex32(x)).toBe('peculiar');
      expect(decryptContent(bytesToHex(peer) + content.slice(130), hexToBytes(hex32(secret)))).toBe('peculiar');
    }
  });

  it('is right where the peer’s key is one’s own, its negative, or the generator', () => {
    const own = Point.BASE.multiply(secret);
    for (const peer of [own, own.negate(), Point.BASE, Point.BASE.negate(), own.double()]) {
      const bytes = peer.toBytes(false);
      const content = encryptContent('own', bytes, {
        ephemeralSecretKey: hexToBytes(hex32(secret)),
        nonce: new Uint8Array(12).fill(255),
      });
      expect(nodeDecrypt(bytesToHex(bytes) + content.slice(130), hex32(secret))).toBe('own');
    }
  });

  it('is the same for both signs of y, since x alone counts: the ephemeral key is not bound but by the answer’s signature', () => {
    const { secretKey, publicKey } = generateE2eeKeyPair();
    const content = encryptContent('sign', publicKey);
    const negated = bytesToHex(Point.fromHex(content.slice(0, 130)).negate().toBytes(false));
    expect(decryptContent(negated + content.slice(130), secretKey)).toBe('sign');
    expect(nodeDecrypt(negated + content.slice(130), bytesToHex(secretKey))).toBe('sign');
  });
});

describe('a public key that is no uncompressed point of the curve', () => {
  const { x, y } = Point.BASE.multiply(7n).toAffine();
  const [isEven, base] = [y % 2n === 0n, hex32(x) + hex32(y)];
  // y² = x³ + b with another b gives points of other curves, some of small order (invalid curve attacks).
  const onOther = (b: bigint): string | null => {
    for (let at = 1n; at < 100n; at++) {
      const square = FIELD.add(FIELD.mul(FIELD.mul(at, at), at), b);
      try {
        return hex32(at) + hex32(FIELD.sqrt(square));
      } catch {
        continue;
      }
    }
    return null;
  };
  const cases: [string, string][] = [
    ['at infinity, in one byte', '00'],
    ['at infinity, in zeros', `04${'00'.repeat(64)}`],
    ['of zero x', `04${hex32(0n)}${hex32(y)}`],
    ['of zero y', `04${hex32(x)}${hex32(0n)}`],
    ['with y off by one', `04${hex32(x)}${hex32(y + 1n)}`],
    [
      'with x beyond the field',
      `04${hex32(x + FIELD.ORDER > (1n << 256n) - 1n ? FIELD.ORDER : x + FIELD.ORDER)}${hex32(y)}`,
    ],
    ['with y as large as the field', `04${hex32(x)}${hex32(FIELD.ORDER)}`],
    ['of nothing but ff', `04${'ff'.repeat(64)}`],
    ['compressed, even', `02${hex32(x)}`],
    ['compressed, odd', `03${hex32(x)}`],
    ['compressed, filled up to 65 bytes', `02${hex32(x)}${'00'.repeat(32)}`],
    ['hybrid with the right sign', `${isEven ? '06' : '07'}${base}`],
    ['hybrid with the wrong sign', `${isEven ? '07' : '06'}${base}`],
    ['of an unknown form', `05${base}`],
    ['with a byte more', `04${base}00`],
    ['with a byte less', `04${base.slice(2)}`],
    [
      'of P-256',
      '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
    ],
    ...[0n, 1n, 2n, 3n, 5n, 8n, FIELD.ORDER - 7n].flatMap((b): [string, string][] => {
      const point = onOther(b);
      return point === null ? [] : [[`of the curve with b = ${b < 100n ? b : '-7'}`, `04${point}`]];
    }),
  ];

  it.each(cases)('is refused: %s', (_what, key) => {
    expect(() => assertPublicKey(hexToBytes(key))).toThrow('Invalid public key');
    expect(() => parseClientPublicKey(key)).toThrow('Invalid public key');
    if (key.length !== 128) expect(() => parseModelPublicKey(key)).toThrow('Invalid public key');
    expect(() => encryptContent('secret', hexToBytes(key))).toThrow('Invalid public key');
    const { secretKey, publicKey } = generateE2eeKeyPair();
    const sealed = encryptContent('secret', publicKey).slice(130);
    if (key.length === 130) expect(() => decryptContent(key + sealed, secretKey)).toThrow(REFUSED);
  });

  it('has been made on other curves as well', () => {
    expect(cases.filter(([what]) => what.startsWith('of the curve')).length).toBeGreaterThan(4);
  });
});

describe('AES-GCM within', () => {
  const { secretKey, publicKey } = generateE2eeKeyPair();

  it('agrees with node:crypto on texts of every length around its blocks', () => {
    for (const length of [
      0, 1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 127, 128, 129, 255, 256, 257, 4_095, 4_096, 4_097,
    ]) {
      const text = 'b'.repeat(length);
      expect(nodeDecrypt(encryptContent(text, publicKey), bytesToHex(secretKey))).toBe(text);
      expect(decryptContent(nodeEncrypt(text, bytesToHex(publicKey)), secretKey)).toBe(text);
    }
  });

  it('agrees with node:crypto on nonces at the edge of its counter', () => {
    for (const nonce of [
      '00'.repeat(12),
      'ff'.repeat(12),
      `${'00'.repeat(11)}01`,
      `${'ff'.repeat(11)}00`,
      `80${'00'.repeat(11)}`,
    ]) {
      const content = encryptContent('n'.repeat(100), publicKey, {
        ephemeralSecretKey: new Uint8Array(32).fill(1),
        nonce: hexToBytes(nonce),
      });
      expect(nodeDecrypt(content, bytesToHex(secretKey))).toBe('n'.repeat(100));
    }
  });

  it('refuses every tag that differs in one bit, and in what Wycheproof changes of one', () => {
    const content = encryptContent('tagged', publicKey, {
      ephemeralSecretKey: new Uint8Array(32).fill(3),
      nonce: new Uint8Array(12).fill(4),
    });
    const [head, tag] = [content.slice(0, -32), hexToBytes(content.slice(-32))];
    const changed = (change: (byte: number, index: number) => number) => head + bytesToHex(tag.map(change));
    const bits = Array.from({ length: 128 }, (_, bit) =>
      changed((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
    );
    const others = [
      changed(() => 0),
      changed(() => 255),
      changed((byte) => byte ^ 0xff),
      changed((byte) => byte ^ 0x80),
      changed((byte) => byte ^ 1),
      changed((byte, index) => (index < 8 ? byte ^ 0xff : byte)),
      changed((_, index) => tag[15 - index] as number),
    ];
    for (const touched of [...bits, ...others])
      expect(() => decryptContent(touched, secretKey), touched.slice(-32)).toThrow(REFUSED);
    expect(decryptContent(content, secretKey)).toBe('tagged');
  });

  it('refuses tags that are cut, whatever length is left of them', () => {
    const content = encryptContent('a text that is longer than its tag', publicKey);
    for (let bytes = 1; bytes <= 16; bytes++)
      expect(() => decryptContent(content.slice(0, -2 * bytes), secretKey)).toThrow(REFUSED);
  });

  it('refuses the nonce of another content, and a content put before or after its own', () => {
    const [one, other] = [encryptContent('one', publicKey), encryptContent('two', publicKey)];
    const parts = (content: string) => [content.slice(0, 130), content.slice(130, 154), content.slice(154)] as const;
    const [[key, nonce, sealed], [otherKey, otherNonce, otherSealed]] = [parts(one), parts(other)];
    for (const mixed of [
      key + otherNonce + sealed,
      otherKey + nonce + sealed,
      key + nonce + otherSealed,
      one + other,
      key + nonce + sealed + sealed,
      nonce + key + sealed,
    ]) {
      expect(() => decryptContent(mixed, secretKey)).toThrow(REFUSED);
    }
  });

  it.each([
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a pair of surrogates', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a character that is cut', [0xf0, 0x9f, 0xa6]],
    ['a lone continuation', [0x80]],
  ])('refuses a plaintext that is not UTF-8: %s', (_what, bytes) => {
    expect(() => decryptContent(nodeEncrypt(Uint8Array.from(bytes), bytesToHex(publicKey)), secretKey)).toThrow(
      REFUSED,
    );
  });
});
