import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { describeEnclave, withBuild } from './describe-report';

/** Longer keys, such as ML-KEM-768 keys, would fill a screen. */
const KEY_CHARACTERS_MAX = 130;

/** Formats the checks of a served report. Several enclaves each get their own verdict. Ends with an empty line. */
export function describeChecks({ checks, enclaves }: Pick<ServedVerdict, 'checks' | 'enclaves'>): string[] {
  return enclaves.length > 1 ? enclaves.flatMap(describeEnclave) : [...checks.flatMap(withBuild), ''];
}

/** Names the key of a verdict by purpose: a signing address, or else the encryption key. */
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
