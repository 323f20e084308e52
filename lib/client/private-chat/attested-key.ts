import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { Attestation } from './judged-attestation';

/**
 * Returns the key that identifies an enclave across attestations: its signing address, else its encryption key in hex.
 * Null if neither is attested.
 */
export function attestedKeyOf({ verdict }: Pick<Attestation, 'verdict'>): string | null {
  if (verdict.key) return verdict.key.address;
  const key = recipientKeyOf(verdict);
  return key && bytesToHex(key.publicKey);
}
