import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { describe, expect, it, vi } from 'vitest';
import { misjudged, readVectors, readWycheproof } from '../../testing/vector-file';
import { keyFrom, keyTo } from './pieces';

/**
 * Vector of an encapsulation.
 *
 * These tests run ML-KEM-768 on the vectors of Wycheproof and of NIST's ACVP. They call the gateway's functions if
 * these draw no randomness, else the library below them. Long expected values are stored as SHA-256.
 */

interface Encapsulated {
  /** Public key, or the seed of the key pair. */
  ek?: string;
  seed?: string;
  m: string;
  cSha256: string;
  K: string;
}

interface Decapsulated {
  seed: string;
  c: string;
  K: string;
}

interface Made {
  seed: string;
  ekSha256: string;
  dkSha256: string;
}

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 120_000 });

const hex = hexToBytes;
const hashOf = (bytes: Uint8Array) => bytesToHex(sha256(bytes));

/** Returns whether a check holds. A check that throws, as for an invalid key, does not hold. */
function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

const isMade = ({ seed, ekSha256, dkSha256 }: Made): boolean => {
  const { publicKey, secretKey } = ml_kem768.keygen(hex(seed));
  return hashOf(publicKey) === ekSha256 && hashOf(secretKey) === dkSha256;
};

/** Returns whether encapsulation matches the vector. If the vector has a seed, decapsulation must match too. */
const isEncapsulated = ({ ek, seed, m, cSha256, K }: Encapsulated): boolean =>
  holds(() => {
    const pair = seed === undefined ? undefined : ml_kem768.keygen(hex(seed));
    const { cipherText, sharedSecret } = ml_kem768.encapsulate(pair?.publicKey ?? hex(ek ?? ''), hex(m));
    return (
      hashOf(cipherText) === cSha256 &&
      bytesToHex(sharedSecret) === K &&
      (pair === undefined || bytesToHex(ml_kem768.decapsulate(cipherText, pair.secretKey)) === K)
    );
  });

const isDecapsulated = (c: string, secretKey: Uint8Array, K: string): boolean =>
  holds(() => bytesToHex(ml_kem768.decapsulate(hex(c), secretKey)) === K);

describe('ML-KEM-768, on the vectors of Wycheproof', () => {
  it('makes of every seed the pair that is published', async () => {
    const vectors = readWycheproof<Made>('mlkem_768_keygen_seed');
    expect(vectors).toHaveLength(100);
    expect(await misjudged(vectors, isMade)).toEqual([]);
  });

  it('encapsulates to every key what is published, and to none that is too long, too short or not reduced', async () => {
    const vectors = readWycheproof<Encapsulated>('mlkem_768_encaps');
    expect(vectors).toHaveLength(265);
    expect(await misjudged(vectors, isEncapsulated)).toEqual([]);
    // `keyTo` draws its randomness, so only its refusals can be compared with the vectors.
    const keys = vectors.filter(({ ek }) => ek !== undefined);
    expect(keys).toHaveLength(165);
    expect(
      await misjudged(keys, ({ ek }) => holds(() => keyTo(hex(ek ?? ''), 'request').capsule.length === 1_088)),
    ).toEqual([]);
    for (const { ek } of keys.filter(({ result }) => result === 'invalid'))
      expect(() => keyTo(hex(ek ?? ''), 'request')).toThrow(expect.objectContaining({ fault: 'INVALID_KEY' }));
  });

  it('decapsulates what is published of every ciphertext, also of those that nobody made, and refuses seeds and ciphertexts of another length', async () => {
    const vectors = readWycheproof<Decapsulated>('mlkem_768');
    expect(vectors).toHaveLength(93);
    expect(
      await misjudged(vectors, ({ seed, c, K }) =>
        holds(() => isDecapsulated(c, ml_kem768.keygen(hex(seed)).secretKey, K)),
      ),
    ).toEqual([]);
    const capsules = vectors.filter(({ comment }) => !comment?.startsWith('Private key'));
    expect(capsules).toHaveLength(73);
    expect(
      await misjudged(capsules, ({ seed, c }) =>
        holds(() => keyFrom(hex(c), ml_kem768.keygen(hex(seed)).secretKey, 'request').length === 32),
      ),
    ).toEqual([]);
  });

  it('refuses a secret key that is cut, that is too long, or whose public key is not the one that it has the hash of', async () => {
    const vectors = readWycheproof<{ dk: string; c: string; K?: string }>('mlkem_768_semi_expanded_decaps');
    expect(vectors).toHaveLength(9);
    expect(await misjudged(vectors, ({ dk, c, K = '' }) => isDecapsulated(c, hex(dk), K))).toEqual([]);
    expect(
      await misjudged(vectors, ({ dk, c }) => holds(() => keyFrom(hex(c), hex(dk), 'answer').length === 32)),
    ).toEqual([]);
  });
});

describe('ML-KEM-768, on the vectors of ACVP', () => {
  const groups = readVectors<
    Partial<Made & Encapsulated & Decapsulated> & { tcId: number },
    { kind: 'keyGen' | 'encapsulation' | 'decapsulation'; dk?: string }
  >('acvp/ml_kem_768');
  const vectors = groups.flatMap(({ tests, ...group }) => tests.map((test) => ({ ...group, ...test })));

  it.each([
    ['makes the pairs', 'keyGen', 25, (vector: object) => isMade(vector as Made)],
    [
      'makes the ciphertexts and secrets',
      'encapsulation',
      25,
      (vector: object) => isEncapsulated(vector as Encapsulated),
    ],
    [
      'comes to the secrets, also of ciphertexts that were modified,',
      'decapsulation',
      10,
      (vector: object) =>
        isDecapsulated((vector as Decapsulated).c, hex((vector as { dk: string }).dk), (vector as Decapsulated).K),
    ],
  ] as const)('%s that are published', (_, kind, count, isRight) => {
    const ofKind = vectors.filter((vector) => vector.kind === kind);
    expect(ofKind).toHaveLength(count);
    expect(ofKind.filter((vector) => !isRight(vector)).map(({ tcId }) => tcId)).toEqual([]);
  });
});
