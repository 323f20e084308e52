import { bytesToHex } from '@noble/hashes/utils.js';
import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { Check } from '@/lib/protocol/tee/check-list';
import type { Measurements } from '@/lib/protocol/tee/workload/workload';
import { printableLine } from './printable';

/** Maximum length of a displayed key. An ML-KEM-768 key would fill a screen. */
const KEY_CHARACTERS_MAX = 130;
const HARDWARE = { 'intel-tdx': 'Intel TDX', 'amd-sev-snp': 'AMD SEV-SNP', unknown: 'unknown hardware' } as const;
const MARKS: Readonly<Record<Check['outcome'], string>> = {
  passed: 'passed ',
  failed: 'FAILED ',
  'not-checkable': '–      ',
};

/** Null is shown as a dash. */
export type Fact = readonly [name: string, value: string | null];

/** Formats the checks of a served report, with a verdict for each of several enclaves. Ends with an empty line. */
export function describeChecks({ checks, enclaves }: Pick<ServedVerdict, 'checks' | 'enclaves'>): string[] {
  return enclaves.length > 1 ? enclaves.flatMap(describeEnclave) : [...checks.flatMap(withBuild), ''];
}

/** Formats an enclave with its checks. Ends with an empty line. */
export function describeEnclave({ role, name, hardware, verdict, isUsed, unusable, checks }: EnclaveVerdict): string[] {
  const use = unusable !== null ? ' · never used' : isUsed ? '' : ' · not the one that would be used';
  return [
    printableLine(`── ${role}${name === null ? '' : ` ${name}`} · ${HARDWARE[hardware]} · ${verdict}${use}`),
    ...(unusable === null ? [] : [printableLine(`        ${unusable}`)]),
    ...checks.flatMap(withBuild),
    '',
  ];
}

/** Formats a check in one line, with a second line for the reason if it did not pass. */
export function describeCheck({ title, outcome, reason }: Check<string>): string[] {
  return [
    printableLine(`${MARKS[outcome]} ${title}`),
    ...(reason === null ? [] : [printableLine(`        ${reason}`)]),
  ];
}

/** Formats a check, with the workload's builder if a valid release names it. */
function withBuild(check: Check<string>): string[] {
  const { id, outcome, evidence } = check;
  return [
    ...describeCheck(check),
    ...(id === 'release' && outcome === 'passed' ? [printableLine(`        Built ${String(evidence['built'])}`)] : []),
  ];
}

export function describeFacts(facts: readonly Fact[]): string[] {
  return facts.map(([name, value]) => printableLine(`${name.padEnd(16)} ${value ?? '–'}`));
}

/** Names the key of a verdict by purpose: a signing address, or else the encryption key. */
export function keyFact(verdict: Pick<ServedVerdict, 'key' | 'enclaves'>): Fact {
  if (verdict.key !== null) return ['Signing address', verdict.key.address];
  const key = recipientKeyOf(verdict);
  if (key === null) return ['Key', null];
  const hex = bytesToHex(key.publicKey);
  return [
    'Key',
    `${key.algorithm} ${hex.length > KEY_CHARACTERS_MAX ? `${hex.slice(0, 64)}… (${key.publicKey.length} bytes)` : hex}`,
  ];
}

/** Lists a quote's workload measurements, which pin options take. */
export function measurementFacts(measurements: Measurements | null): Fact[] {
  if (measurements === null) return [];
  const { mrTd, rtMr0, rtMr1, rtMr2, rtMr3, composeHash } = measurements;
  return [
    ['MRTD', mrTd],
    ['RTMR0', rtMr0],
    ['RTMR1', rtMr1],
    ['RTMR2', rtMr2],
    ['RTMR3', rtMr3],
    ['Compose hash', composeHash],
  ];
}
