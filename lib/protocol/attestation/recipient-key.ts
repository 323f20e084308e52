import { hexToBytes } from '@noble/hashes/utils.js';
import type { EnclaveVerdict } from './enclave';
import type { ServedVerdict } from './served-report';

/** Kinds of keys that our client encrypts to. */
export type RecipientAlgorithm = 'secp256k1' | 'ed25519' | 'ml-kem-768' | 'x25519-hpke';

/** A key that an attestation speaks for, to which what is asked is encrypted. */
export interface RecipientKey {
  algorithm: RecipientAlgorithm;
  publicKey: Uint8Array;
  /** What the report calls the enclave whose key it is; null where it has no name for it. */
  instance: string | null;
}

/** Of several keys of one enclave, the first of these. */
const OF_MODEL: readonly RecipientAlgorithm[] = ['secp256k1', 'ed25519', 'ml-kem-768'];

/**
 * The key that a verdict lets a client encrypt to; null where it speaks for none that is known here. How to encrypt follows
 * from the key alone, which the hardware signed, and from nothing that a gateway says of the model: so nobody in between
 * can talk a client into another scheme.
 *
 * With HPKE it is the key of the first enclave that a prompt meets, which ends the encryption; with all others that of the
 * model's enclave.
 */
export function recipientKeyOf({ key, enclaves }: Pick<ServedVerdict, 'key' | 'enclaves'>): RecipientKey | null {
  const used = enclaves.filter(({ isUsed }) => isUsed);
  const models = used.filter(({ role }) => role === 'model');
  if (key?.publicKey) return { algorithm: 'secp256k1', publicKey: key.publicKey, instance: models[0]?.name ?? null };
  return [...OF_MODEL.flatMap((algorithm) => keysOf(models, algorithm)), ...keysOf(used, 'x25519-hpke')][0] ?? null;
}

function keysOf(enclaves: readonly EnclaveVerdict[], algorithm: RecipientAlgorithm): RecipientKey[] {
  return enclaves.flatMap(({ keys, name }) =>
    keys
      .filter((key) => key.purpose === 'encryption' && key.algorithm === algorithm)
      .map(({ value }) => ({ algorithm, publicKey: hexToBytes(value.replace(/^0x/, '')), instance: name })),
  );
}
