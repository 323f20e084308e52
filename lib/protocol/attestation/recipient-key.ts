import { hexToBytes } from '@noble/hashes/utils.js';
import type { EnclaveVerdict } from './enclave';
import type { ServedVerdict } from './served-report';

/** Key algorithms that the client supports for encryption. */
export type RecipientAlgorithm = 'secp256k1' | 'ed25519' | 'ml-kem-768' | 'x25519-hpke';

export interface RecipientKey {
  algorithm: RecipientAlgorithm;
  publicKey: Uint8Array;
  /** Name of the key's enclave in the report. */
  instance: string | null;
}

/** Order of preference if a model enclave has several keys. */
const OF_MODEL: readonly RecipientAlgorithm[] = ['secp256k1', 'ed25519', 'ml-kem-768'];

/**
 * Returns the attested key to which a client may encrypt, or null. The key's algorithm selects the scheme.
 * Intermediaries cannot change the key, because the hardware signed it. An HPKE key belongs to the first enclave that a
 * request reaches. Other keys belong to the model enclave.
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
