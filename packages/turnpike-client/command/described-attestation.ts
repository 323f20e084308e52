import { type Attestation, hopsOfAttestation, type SignatureCheck } from '@/lib/client/private-chat';
import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { HOP_STANDINGS, HOP_TITLES, whoCouldRead } from '@/lib/protocol/attestation/hop-texts';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { Check } from '@/lib/protocol/tee/check-list';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import type { Measurements } from '@/lib/protocol/tee/workload/workload';
import { bytesToHex } from '@noble/hashes/utils.js';
import { printableLine } from './printable';

/** Maximum length of a displayed key. An ML-KEM-768 key would fill a screen. */
const KEY_CHARACTERS_MAX = 130;
const HARDWARE = { 'intel-tdx': 'Intel TDX', 'amd-sev-snp': 'AMD SEV-SNP', unknown: 'unknown hardware' } as const;
const MARKS: Readonly<Record<Check['outcome'], string>> = {
  passed: 'passed ',
  failed: 'FAILED ',
  'not-checkable': '–      ',
};

type Fact = readonly [name: string, value: string | null];

/**
 * Formats the checks of a report from a gateway. If the report has several enclaves, adds a verdict for each. Ends with
 * an empty line.
 */
function describeChecks({ checks, enclaves }: Pick<ServedVerdict, 'checks' | 'enclaves'>): string[] {
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

/** Formats a check as one line. If it did not pass, adds a second line with the reason. */
export function describeCheck({ title, outcome, reason }: Check<string>): string[] {
  return [
    printableLine(`${MARKS[outcome]} ${title}`),
    ...(reason === null ? [] : [printableLine(`        ${reason}`)]),
  ];
}

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

function keyFact(verdict: Pick<ServedVerdict, 'key' | 'enclaves'>): Fact {
  if (verdict.key !== null) return ['Signing address', verdict.key.address];
  const key = recipientKeyOf(verdict);
  if (key === null) return ['Key', null];
  const hex = bytesToHex(key.publicKey);
  return [
    'Key',
    `${key.algorithm} ${hex.length > KEY_CHARACTERS_MAX ? `${hex.slice(0, 64)}… (${key.publicKey.length} bytes)` : hex}`,
  ];
}

function measurementFacts(measurements: Measurements | null): Fact[] {
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

const VERDICTS: Readonly<Record<AttestationConclusion, string>> = {
  verified: 'genuine hardware, and a workload that is pinned',
  'unknown-workload': 'genuine hardware; what runs there is not pinned',
  simulated: 'a simulator: no hardware is behind it',
  failed: 'the attestation is not valid',
  'not-checkable': 'the attestation cannot be checked',
};

interface DescribedVerdict {
  /** Null if unknown. */
  model: string | null;
  verdict: { conclusion: AttestationConclusion; reason: string | null };
}

export function describeVerdict({ model, verdict: { conclusion, reason } }: DescribedVerdict): string {
  return printableLine(
    `${model === null ? '' : `${model}: `}${conclusion.toUpperCase()}, ${VERDICTS[conclusion]}${reason ? ` (${reason})` : ''}`,
  );
}

/** Describes each hop of a prompt's path, and then who could have read the prompt. Ends with an empty line. */
export function describeHops(hops: readonly Hop[]): string[] {
  const lines = hops.flatMap(({ kind, name, standing, text }, index) => [
    `${index + 1}. ${HOP_TITLES[kind]}${name === null ? '' : ` (${name})`} · ${HOP_STANDINGS[standing]}`,
    `   run by   ${text.operator}`,
    `   can read ${text.reads}`,
    `   proof    ${text.proof}`,
  ]);
  return ['Who could have read a prompt:', ...lines.map(printableLine), whoCouldRead(hops), ''];
}

/** Describes how an answer was verified to come from the enclave, or why it was not. */
export function describeSignature({ outcome, signer, reason, attestedAddress }: SignatureCheck): string {
  return printableLine(
    {
      verified: `Signed by ${signer ?? 'the enclave'}, the key that was attested`,
      'attested-after': `Signed by a key that was attested only after the answer: ${reason ?? ''}`,
      sealed: `Vouched for by its encryption: ${reason ?? ''}`,
      'sealed-pieces': `Vouched for by its encryption, piece by piece: ${reason ?? ''}`,
      invalid: `Signature invalid: ${reason ?? 'the reason is unknown'}`,
      missing: `${attestedAddress === '' ? 'Not signed' : 'Signature missing'}: ${reason ?? 'the reason is unknown'}`,
    }[outcome],
  );
}

interface DescribedReport {
  verdict: ServedVerdict;
  model: string | null;
  nonce: string | null;
  hops: readonly Hop[];
  facts: readonly Fact[];
}

/** Formats a report: each enclave's checks and measurements, the prompt's path, and the verdict. */
export function describeServed({ verdict, model, nonce, hops, facts }: DescribedReport): string {
  return [
    ...describeChecks(verdict),
    ...describeFacts([
      ['Model', model],
      ['Nonce', nonce],
      keyFact(verdict),
      ...measurementFacts(verdict.measurements),
      ...facts,
    ]),
    '',
    ...describeHops(hops),
    describeVerdict({ model, verdict }),
    '',
  ].join('\n');
}

/** Formats an attestation. @param gateway the gateway's host, for the prompt's path */
export function describeAttestation(attestation: Attestation, gateway: string, facts: readonly Fact[] = []): string {
  const { verdict, claim, model, nonce, latencyMs, verifyMs } = attestation;
  return describeServed({
    verdict,
    model,
    nonce,
    hops: hopsOfAttestation(attestation, { client: 'program', gateway }),
    facts: [
      ['Took', `${Math.round(latencyMs)} ms to fetch, ${Math.round(verifyMs)} ms to verify`],
      ['The gateway says', claim.verdict ?? (claim.verified === null ? null : `verified: ${claim.verified}`)],
      ...facts,
    ],
  });
}

/** Converts an attestation to JSON, without its report. `--export` stores the report. */
export function attestationJson(attestation: Attestation, gateway: string) {
  const { verdict, claim, model, nonce } = attestation;
  const { key, ...rest } = verdict;
  return {
    model,
    nonce,
    ...rest,
    key: key && { address: key.address, publicKey: key.publicKey && bytesToHex(key.publicKey) },
    hops: hopsOfAttestation(attestation, { client: 'program', gateway }),
    gatewayClaims: claim,
  };
}
