import { shake128 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import {
  AEAD_AES_128_GCM,
  AEAD_AES_256_GCM,
  AEAD_ChaCha20Poly1305,
  AEAD_EXPORT_ONLY,
  CipherSuite,
  KDF_HKDF_SHA256,
  KDF_HKDF_SHA512,
  KEM_DHKEM_X25519_HKDF_SHA256,
} from 'hpke';
import { describe, expect, it, vi } from 'vitest';
import { readVectors } from '../../testing/vector-file';
import { EHBP_SUITE } from './suite';

interface HpkeVector {
  mode: number;
  kem_id: number;
  kdf_id: number;
  aead_id: number;
  info: string;
  /** Seeds of the sender's ephemeral key pair and of the recipient's key pair. */
  ikmE: string;
  ikmR: string;
  skRm: string;
  pkRm: string;
  enc: string;
  /** SHAKE128 of 1,000 concatenated ciphertexts or exported secrets. */
  encryptions_accumulated?: string;
  exports_accumulated: string;
}

// Each suite encrypts a thousand messages.
vi.setConfig({ testTimeout: 120_000 });

const KDFS = { 1: KDF_HKDF_SHA256, 3: KDF_HKDF_SHA512 } as const;
const AEADS = { 1: AEAD_AES_128_GCM, 2: AEAD_AES_256_GCM, 3: AEAD_ChaCha20Poly1305, 0xffff: AEAD_EXPORT_ONLY } as const;
const hex = hexToBytes;

/** Draws inputs as the authors of the vectors did: a length byte, then that many bytes. */
function* drawnInputs(): Generator<Uint8Array, never> {
  const source = shake128.create({ dkLen: 32 });
  for (;;) yield source.xof(source.xof(1)[0] as number);
}

/** Suite whose sender derives its ephemeral key pair from the vector's seed instead of drawing it. */
function senderOf({ kdf_id, aead_id, ikmE }: HpkeVector): CipherSuite {
  const kem = () => {
    const { ...made } = KEM_DHKEM_X25519_HKDF_SHA256();
    return { ...made, GenerateKeyPair: () => made.DeriveKeyPair(hex(ikmE), true) };
  };
  return new CipherSuite(kem, KDFS[kdf_id as keyof typeof KDFS], AEADS[aead_id as keyof typeof AEADS]);
}

function recipientOf({ kdf_id, aead_id }: HpkeVector): CipherSuite {
  const isEhbps = kdf_id === EHBP_SUITE.KDF.id && aead_id === EHBP_SUITE.AEAD.id;
  return isEhbps
    ? EHBP_SUITE
    : new CipherSuite(
        KEM_DHKEM_X25519_HKDF_SHA256,
        KDFS[kdf_id as keyof typeof KDFS],
        AEADS[aead_id as keyof typeof AEADS],
      );
}

describe('HPKE with X25519 in base mode, on the vectors of RFC 9180', () => {
  const vectors = readVectors<HpkeVector>('hpke/rfc9180_x25519').flatMap(({ tests }) => tests);
  // Two vectors use ChaCha20-Poly1305, which Node's WebCrypto supports since version 24. The gateway's suite does not
  // use it.
  const hasChaCha20 = Number.parseInt(process.versions.node, 10) >= 24;
  const named = vectors
    .filter(({ aead_id }) => hasChaCha20 || aead_id !== 3)
    .map((vector) => [vector.kdf_id, vector.aead_id, vector] as const);

  it('has a vector of the suite of encrypted bodies, and seven of others', () => {
    expect(vectors.filter(({ mode, kem_id }) => mode === 0 && kem_id === EHBP_SUITE.KEM.id)).toHaveLength(8);
    expect(vectors.filter((vector) => recipientOf(vector) === EHBP_SUITE)).toHaveLength(1);
  });

  it.each(named)(
    'KDF %i, AEAD %i: sender and recipient come to the published key, and with it to the published secrets and ciphertexts',
    async (_kdf, _aead, vector) => {
      const [sending, receiving, info] = [senderOf(vector), recipientOf(vector), hex(vector.info)];
      const derived = await receiving.DeriveKeyPair(hex(vector.ikmR), true);
      expect(bytesToHex(await receiving.SerializePublicKey(derived.publicKey))).toBe(vector.pkRm);
      expect(bytesToHex(await receiving.SerializePrivateKey(derived.privateKey))).toBe(vector.skRm);

      const { encapsulatedSecret, ctx: sender } = await sending.SetupSender(
        await sending.DeserializePublicKey(hex(vector.pkRm)),
        { info },
      );
      expect(bytesToHex(encapsulatedSecret)).toBe(vector.enc);
      const recipient = await receiving.SetupRecipient(
        await receiving.DeserializePrivateKey(hex(vector.skRm), true),
        hex(vector.enc),
        { info },
      );

      if (vector.encryptions_accumulated !== undefined) {
        const [inputs, sealed] = [drawnInputs(), shake128.create({ dkLen: 32 })];
        const differing: number[] = [];
        for (let index = 0; index < 1_000; index++) {
          const [aad, plain] = [inputs.next().value, inputs.next().value];
          const ciphertext = await sender.Seal(plain, aad);
          sealed.update(ciphertext);
          if (bytesToHex(await recipient.Open(ciphertext, aad)) !== bytesToHex(plain)) differing.push(index);
        }
        expect(differing).toEqual([]);
        expect(bytesToHex(sealed.xof(16))).toBe(vector.encryptions_accumulated);
      } else {
        await expect(sender.Seal(new Uint8Array())).rejects.toThrow();
        await expect(recipient.Open(new Uint8Array(16))).rejects.toThrow();
      }
    },
  );

  it.each(named)('KDF %i, AEAD %i: exports what is published', async (_kdf, _aead, vector) => {
    const receiving = recipientOf(vector);
    const recipient = await receiving.SetupRecipient(
      await receiving.DeserializePrivateKey(hex(vector.skRm), true),
      hex(vector.enc),
      { info: hex(vector.info) },
    );
    const [inputs, exported] = [drawnInputs(), shake128.create({ dkLen: 32 })];
    // The vectors include length 0, which the package does not export. An empty export would not change the hash.
    inputs.next();
    for (let length = 1; length < 1_000; length++) exported.update(await recipient.Export(inputs.next().value, length));
    expect(bytesToHex(exported.xof(16))).toBe(vector.exports_accumulated);
  });
});
