import { gcm } from '@noble/ciphers/aes.js';
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { isPointOf } from '../curve-point';
import { misjudged, nameOf, readWycheproof, type Vector } from '../testing/vector-file';
import { decryptContent, encryptContent } from './codec';
import { decryptWithEd25519, generateEd25519KeyPair } from './ed25519-codec';
import { frameOf } from './ehbp/frames';
import { openBody } from './ehbp/recipient';
import { sealBody } from './ehbp/sender';
import { openPiece } from './ml-kem/pieces';
import { assertPublicKey } from './public-key';

/**
 * Wycheproof vectors for the primitives of encrypted content. The codecs are tested directly if a vector's inputs can
 * be passed to them, else the functions that the codecs call.
 */

interface Agreed {
  /** Curve that the vector's key claims, if not secp256k1. */
  crv?: string;
  public: string;
  private: string;
  shared: string;
}

interface Sealed {
  keySize: number;
  ivSize: number;
  key: string;
  iv: string;
  aad: string;
  msg: string;
  ct: string;
  tag: string;
}

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 120_000 });

const hex = hexToBytes;

describe('Diffie-Hellman on secp256k1, by the codec of encrypted content', () => {
  const vectors = readWycheproof<Agreed>('ecdh_secp256k1_webcrypto');
  const nonce = new Uint8Array(12).fill(7);
  /** Returns the content, without the ephemeral key, that a correct codec produces from the shared secret. */
  const sealedUnder = (shared: string) =>
    bytesToHex(
      concatBytes(
        nonce,
        gcm(hkdf(sha256, hex(shared), undefined, utf8ToBytes('ecdsa_encryption'), 32), nonce).encrypt(
          utf8ToBytes('agreed'),
        ),
      ),
    );

  // One key is a valid secp256k1 point that the vector labels P-256. The codec's keys have no label.
  const isKey = ({ result, crv, comment }: (typeof vectors)[number]) =>
    result === 'valid' ||
    (crv === 'P-256' && comment?.endsWith('The point of the public key is a valid on secp256k1.') === true);

  it('comes to the published secret in both directions for every key that is one, and refuses every other', async () => {
    expect([vectors.length, vectors.filter(isKey).length]).toEqual([496, 474]);
    const isAgreed = ({ public: publicKey, private: secret, shared }: Agreed): boolean => {
      try {
        const made = encryptContent('agreed', hex(publicKey), { ephemeralSecretKey: hex(secret), nonce });
        return (
          made.slice(130) === sealedUnder(shared) &&
          decryptContent(publicKey + made.slice(130), hex(secret)) === 'agreed'
        );
      } catch {
        return false;
      }
    };
    expect(await misjudged(vectors, isAgreed, isKey)).toEqual([]);
  });

  it('refuses keys of other curves and groups for what they are, before any arithmetic', async () => {
    expect(await misjudged(vectors, ({ public: publicKey }) => isPointOf('secp256k1', hex(publicKey)), isKey)).toEqual(
      [],
    );
    for (const vector of vectors.filter((each) => !isKey(each)))
      expect(() => assertPublicKey(hex(vector.public)), nameOf(vector)).toThrow('Invalid public key');
  });
});

describe('X25519', () => {
  const vectors = readWycheproof<Agreed>('x25519');
  // A point of small order gives every caller the same secret. The other "acceptable" points are on the twist or not
  // canonical, which RFC 7748 (5) allows, as does the gateway.
  const hasSecret = ({ flags = [] }: Vector) => !flags.includes('ZeroSharedSecret');
  const ofSmallOrder = vectors.filter((vector) => !hasSecret(vector));

  it('comes to the published secret for every point but those of small order, which it refuses', async () => {
    expect([vectors.length, ofSmallOrder.length]).toEqual([518, 31]);
    expect(ofSmallOrder.every(({ result, shared }) => result === 'acceptable' && /^0{64}$/.test(shared))).toBe(true);
    const isAgreed = ({ public: point, private: secret, shared }: Agreed): boolean => {
      try {
        return bytesToHex(x25519.getSharedSecret(hex(secret), hex(point))) === shared;
      } catch {
        return false;
      }
    };
    expect(await misjudged(vectors, isAgreed, hasSecret)).toEqual([]);
  });

  it('lets no message be encrypted to, nor read with, a point of small order: neither as a body, nor as content for a key of ed25519', async () => {
    const sealed = (shared: string) =>
      bytesToHex(
        concatBytes(
          new Uint8Array(24),
          xchacha20poly1305(
            hkdf(sha256, hex(shared), undefined, utf8ToBytes('ed25519_encryption'), 32),
            new Uint8Array(24),
          ).encrypt(utf8ToBytes('everybody’s')),
        ),
      );
    for (const vector of ofSmallOrder) {
      await expect(sealBody(utf8ToBytes('a prompt'), hex(vector.public)), nameOf(vector)).rejects.toMatchObject({
        fault: 'HPKE_SETUP_FAILED',
      });
      expect(
        () => decryptWithEd25519(vector.public + sealed(vector.shared), generateEd25519KeyPair().secretKey),
        nameOf(vector),
      ).toThrow('Failed to decrypt field');
    }
  });

  it('has an encrypted body set up for every other point, and for none of small order', async () => {
    const body = frameOf(new Uint8Array(16));
    const faults = await Promise.all(
      vectors.map(({ public: point, private: secret }) =>
        openBody(body, point, hex(secret)).catch(({ fault }: { fault: string }) => fault),
      ),
    );
    // For valid points the HPKE setup succeeds, and then the forged body fails to decrypt.
    expect(
      vectors
        .filter((vector, index) => faults[index] !== (hasSecret(vector) ? 'AEAD_DECRYPT_FAILED' : 'HPKE_SETUP_FAILED'))
        .map(nameOf),
    ).toEqual([]);
  });
});

describe('authenticated ciphers', () => {
  /** Returns whether the cipher encrypts and decrypts as in the vector. A thrown error counts as refused. */
  const agrees =
    (
      make: (
        key: Uint8Array,
        nonce: Uint8Array,
        aad?: Uint8Array,
      ) => { encrypt(plain: Uint8Array): Uint8Array; decrypt(sealed: Uint8Array): Uint8Array },
    ) =>
    ({ key, iv, aad, msg, ct, tag }: Sealed): boolean => {
      try {
        const cipher = () => make(hex(key), hex(iv), aad === '' ? undefined : hex(aad));
        return (
          bytesToHex(cipher().decrypt(hex(ct + tag))) === msg && bytesToHex(cipher().encrypt(hex(msg))) === ct + tag
        );
      } catch {
        return false;
      }
    };

  it('AES-256-GCM seals and opens as published with the nonces of 12 bytes that everything here has, and refuses whatever was touched', async () => {
    const vectors = readWycheproof<Sealed>('aes_gcm').filter(({ ivSize }) => ivSize === 96);
    expect(vectors).toHaveLength(66);
    expect(await misjudged(vectors, agrees(gcm))).toEqual([]);
  });

  it('AES-256-GCM takes nonces of other lengths from 8 bytes on as the standard has them, none of which a codec here can be given', async () => {
    const vectors = readWycheproof<Sealed>('aes_gcm').filter(({ ivSize }) => ivSize !== 96);
    expect(vectors).toHaveLength(39);
    expect(await misjudged(vectors, agrees(gcm), ({ result, ivSize }) => result === 'valid' && ivSize >= 64)).toEqual(
      [],
    );
  });

  it('ChaCha20-Poly1305 seals and opens as published, and refuses whatever was touched and nonces of another length', async () => {
    const vectors = readWycheproof<Sealed>('chacha20_poly1305');
    expect(vectors).toHaveLength(325);
    expect(await misjudged(vectors, agrees(chacha20poly1305))).toEqual([]);
  });

  it('a piece of a chat under ML-KEM opens to what is published of ChaCha20-Poly1305, and not at all where it was touched', async () => {
    const vectors = readWycheproof<Sealed>('chacha20_poly1305').filter(
      ({ aad, ivSize }) => aad === '' && ivSize === 96,
    );
    expect(vectors.length).toBeGreaterThan(30);
    const isOpened = ({ key, iv, ct, tag, msg }: Sealed): boolean => {
      try {
        return bytesToHex(openPiece(hex(iv + ct + tag), hex(key))) === msg;
      } catch {
        return false;
      }
    };
    expect(await misjudged(vectors, isOpened)).toEqual([]);
  });

  it('XChaCha20-Poly1305 seals and opens as published, and refuses whatever was touched and nonces of another length', async () => {
    const vectors = readWycheproof<Sealed>('xchacha20_poly1305');
    expect(vectors).toHaveLength(315);
    expect(await misjudged(vectors, agrees(xchacha20poly1305))).toEqual([]);
  });
});

describe('HKDF with SHA-256', () => {
  it('derives what is published, and nothing that is longer than it can be', async () => {
    const vectors = readWycheproof<{ ikm: string; salt: string; info: string; size: number; okm: string }>(
      'hkdf_sha256',
    );
    expect(vectors).toHaveLength(86);
    const isDerived = ({ ikm, salt, info, size, okm }: (typeof vectors)[number]): boolean => {
      try {
        return bytesToHex(hkdf(sha256, hex(ikm), salt === '' ? undefined : hex(salt), hex(info), size)) === okm;
      } catch {
        return false;
      }
    };
    expect(await misjudged(vectors, isDerived)).toEqual([]);
  });
});
