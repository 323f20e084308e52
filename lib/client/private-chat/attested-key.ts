import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { Attestation } from './judged-attestation';

/**
 * What an enclave is known by from one attestation to the next: the address that it signs with or, of a family without
 * one, the key in hex that content is encrypted to. Null where it attested neither.
 */
export function attestedKeyOf({ verdict }: Pick<Attestation, 'verdict'>): string | null {
  if (verdict.key) return verdict.key.address;
  const key = recipientKeyOf(verdict);
  return key && bytesToHex(key.publicKey);
}
