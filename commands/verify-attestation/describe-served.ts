import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { describeEnclave, withBuild } from './describe-report';

/** Longer keys, as those of ML-KEM-768, would fill a screen. */
const KEY_CHARACTERS_MAX = 130;

/** The checks of a report that a gateway served: of one enclave as they are, of several each under its own verdict. Ends with an empty line. */
export function describeChecks({ checks, enclaves }: Pick<ServedVerdict, 'checks' | 'enclaves'>): string[] {
  return enclaves.length > 1 ? enclaves.flatMap(describeEnclave) : [...checks.flatMap(withBuild), ''];
}

/** The key that a verdict speaks for, named by what it is for: an address that signs, else what content is encrypted to. */
export function keyFact(verdict: Pick<ServedVerdict, 'key' | 'enclaves'>): [string, string | null] {
  if (verdict.key !== null) return ['Signing address', verdict.key.address];
  const key = recipientKeyOf(verdict);
  if (key === null) return ['Key', null];
  const hex = bytesToHex(key.publicKey);
  return [
    'Key',
    `${key.algorithm} ${hex.length > KEY_CHARACTERS_MAX ? `${hex.slice(0, 64)}… (${key.publicKey.length} bytes)` : hex}`,
  ];
}
