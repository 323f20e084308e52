import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { misjudged, readWycheproof } from '../../testing/vector-file';
import { Malformed } from '../malformed';
import { childrenOf, readDer, wholeBitsOf } from './der';
import { isSignedWithRsaPss, readRsaPssParameters, readRsaPublicKey } from './rsa';
import { assertEcPublicKey, isSignedBy, readPublicKey, type SignatureAlgorithm } from './signature-algorithm';

interface Signed {
  /** SubjectPublicKeyInfo. */
  key: string;
  msg: string;
  sig: string;
}

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 120_000 });

/** Returns whether the key parser accepts the key and the verifier accepts the signature. */
async function isTaken(
  { key, msg, sig }: Signed,
  algorithm: SignatureAlgorithm,
  format: 'der' | 'compact' = 'der',
): Promise<boolean> {
  try {
    return await isSignedBy(
      readPublicKey(readDer(hexToBytes(key))),
      algorithm,
      hexToBytes(msg),
      hexToBytes(sig),
      format,
    );
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

describe('ECDSA by our verifier, on the vectors of Wycheproof', () => {
  it.each([
    ['P-256 with SHA-256 in DER', 'ecdsa_secp256r1_sha256', 'ecdsa-sha256', 'der', 484],
    ['P-256 with SHA-256 as r ‖ s', 'ecdsa_secp256r1_sha256_p1363', 'ecdsa-sha256', 'compact', 262],
    ['P-384 with SHA-256 in DER', 'ecdsa_secp384r1_sha256', 'ecdsa-sha256', 'der', 472],
    ['P-384 with SHA-384 in DER', 'ecdsa_secp384r1_sha384', 'ecdsa-sha384', 'der', 504],
    ['P-384 with SHA-384 as r ‖ s', 'ecdsa_secp384r1_sha384_p1363', 'ecdsa-sha384', 'compact', 280],
  ] as const)('of %s every signature that holds is taken, and no other', async (_, file, algorithm, format, count) => {
    const vectors = readWycheproof<Signed>(file);
    expect(vectors).toHaveLength(count);
    expect(await misjudged(vectors, (vector) => isTaken(vector, algorithm, format))).toEqual([]);
  });

  it('takes none of them in the other form, with the other hash, or under the key’s point on the other curve', async () => {
    const vectors = readWycheproof<Signed>('ecdsa_secp256r1_sha256').filter(({ result }) => result === 'valid');
    expect(vectors).toHaveLength(174);
    const never = () => false;
    expect(await misjudged(vectors, (vector) => isTaken(vector, 'ecdsa-sha256', 'compact'), never)).toEqual([]);
    expect(await misjudged(vectors, (vector) => isTaken(vector, 'ecdsa-sha384'), never)).toEqual([]);
    for (const { key } of vectors)
      expect(() =>
        assertEcPublicKey({ curve: 'P-384', point: wholeBitsOf(childrenOf(readDer(hexToBytes(key)))[1]) }),
      ).toThrow(Malformed);
  });
});

describe('RSA with the padding of PKCS #1 v1.5 by our verifier, on the vectors of Wycheproof', () => {
  it.each([
    ['SHA-256', 'rsa_signature_2048_sha256', 'rsa-sha256', 259, 2],
    ['SHA-384', 'rsa_signature_2048_sha384', 'rsa-sha384', 258, 0],
  ] as const)(
    'with %s every signature that holds is taken, and no other: none whose DigestInfo lacks its NULL, none of an exponent of 3',
    async (_, file, algorithm, count, smallKeys) => {
      const vectors = readWycheproof<Signed>(file);
      expect(vectors).toHaveLength(count);
      // The "acceptable" vector omits NULL, which old PKCS #1 v1.5 allowed. RFC 8017 (9.2) has a single encoding, so
      // the verifier refuses it.
      expect(vectors.filter(({ result }) => result === 'acceptable').map(({ flags }) => flags)).toEqual([
        ['MissingNull'],
      ]);
      // Two valid vectors use the exponent 3, which the key parser refuses because no pinned authority has it.
      const isOfSmallKey = ({ flags = [] }: (typeof vectors)[number]) => flags.includes('SmallPublicKey');
      const ofSmallKeys = vectors.filter(isOfSmallKey);
      expect(ofSmallKeys).toHaveLength(smallKeys);
      for (const { key } of ofSmallKeys) expect(() => readPublicKey(readDer(hexToBytes(key)))).toThrow('exponent');
      expect(
        await misjudged(
          vectors,
          (vector) => isTaken(vector, algorithm),
          (vector) => vector.result === 'valid' && !isOfSmallKey(vector),
        ),
      ).toEqual([]);
    },
  );
});

describe('RSA-PSS by our verifier, on the vectors of Wycheproof', () => {
  it.each([
    [2_048, 'rsa_pss_2048_sha384_mgf1_48'],
    [4_096, 'rsa_pss_4096_sha384_mgf1_48'],
  ])(
    'with SHA-384 and a salt of 48 bytes, under keys of %i bits, every signature that holds is taken, and no other',
    async (_, file) => {
      const vectors = readWycheproof<Signed>(file);
      expect(vectors).toHaveLength(141);
      expect(await misjudged(vectors, (vector) => isTaken(vector, 'rsa-pss-sha384'))).toEqual([]);
      // One vector is signed with the other padding, and must verify only as that.
      expect(
        await misjudged(
          vectors,
          (vector) => isTaken(vector, 'rsa-sha384'),
          ({ comment }) => comment === 'PKCS #1 v1.5 signature with SHA-384',
        ),
      ).toEqual([]);
    },
  );

  it('of 150 sets of parameters takes the one that AMD signs with, and of 150 signatures that hold under theirs the one under it', async () => {
    const vectors = readWycheproof<Signed & { sha: string; mgfSha: string; sLen: number }>('rsa_pss_misc_params');
    expect(vectors).toHaveLength(150);
    const isAmds = ({ sha, mgfSha, sLen }: (typeof vectors)[number]) =>
      sha === 'SHA-384' && mgfSha === 'SHA-384' && sLen === 48;
    expect(vectors.filter(isAmds)).toHaveLength(1);
    expect(await misjudged(vectors, ({ key }) => areParametersTaken(key), isAmds)).toEqual([]);
    expect(
      await misjudged(
        vectors,
        ({ key, msg, sig }) => isSignedWithRsaPss(readRsaPublicKey(partsOf(key).key), hexToBytes(msg), hexToBytes(sig)),
        isAmds,
      ),
    ).toEqual([]);
    // The keys in these vectors are restricted to PSS. AMD's certificates have plain RSA keys, so the parser refuses
    // restricted ones.
    for (const { key } of vectors) expect(() => readPublicKey(readDer(hexToBytes(key)))).toThrow(Malformed);
  });
});

function areParametersTaken(key: string): boolean {
  try {
    return readRsaPssParameters(partsOf(key).parameters) === 'rsa-pss-sha384';
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

function partsOf(key: string) {
  const [algorithm, bits] = childrenOf(readDer(hexToBytes(key)));
  const [, ...parameters] = algorithm ? childrenOf(algorithm) : [];
  return { parameters, key: wholeBitsOf(bits) };
}
