import { hexToBytes } from '@noble/hashes/utils.js';
import type { EnclaveKey, EnclaveVerdict } from './enclave';
import type { ServedVerdict } from './served-report';

/** Kinds of keys that our client encrypts to. */
export type RecipientAlgorithm = 'secp256k1' | 'ed25519' | 'x25519-hpke';

/** A key that an attestation speaks for, to which what is asked is encrypted. */
export interface RecipientKey {
  algorithm: RecipientAlgorithm;
  publicKey: Uint8Array;
}

/** Of several keys of one enclave, the first of these. */
const OF_MODEL: readonly RecipientAlgorithm[] = ['secp256k1', 'ed25519'];

/**
 * The key that a verdict lets a client encrypt to; null where it speaks for none that is known here. How to encrypt follows
 * from the key alone, which the hardware signed, and from nothing that a gateway says of the model: so nobody in between
 * can talk a client into another scheme.
 *
 * With HPKE it is the key of the first enclave that a prompt meets, which ends the encryption; with all others that of the
 * model's enclave.
 */
export function recipientKeyOf({ key, enclaves }: Pick<ServedVerdict, 'key' | 'enclaves'>): RecipientKey | null {
  if (key?.publicKey) return { algorithm: 'secp256k1', publicKey: key.publicKey };
  const used = enclaves.filter(({ isUsed }) => isUsed);
  const ofModel = OF_MODEL.flatMap((algorithm) => keysOf(used.filter(({ role }) => role === 'model'), algorithm));
  const [found] = [...ofModel, ...keysOf(used, 'x25519-hpke')];
  return found === undefined ? null : { algorithm: found.algorithm as RecipientAlgorithm, publicKey: hexToBytes(found.value.replace(/^0x/, '')) };
}

function keysOf(enclaves: readonly EnclaveVerdict[], algorithm: RecipientAlgorithm): EnclaveKey[] {
  return enclaves.flatMap(({ keys }) => keys.filter((key) => key.purpose === 'encryption' && key.algorithm === algorithm));
}
