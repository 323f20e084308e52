import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import type { ReportVerdict } from '@/lib/protocol/attestation/verify-report';
import type { Check } from '@/lib/protocol/tee/check-list';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import type { ExpectedReport } from '@/lib/protocol/attestation/verify-enclave';
import { describeHops } from './describe-hops';
import { describeCheck, SENTENCES } from './sentences';

const DETAIL_CHARACTERS_MAX = 2_000;

/**
 * Converts a report's verdict to JSON: `{verdict, family, reason?, checks, enclaves: [{role, hardware, verdict, checks:
 * [{id, outcome, detail}], …}], hops}`.
 */
export function reportAsJson(report: ReportVerdict) {
  const { verdict, reason, family, checks, enclaves, checkedAtMs } = report;
  return {
    verdict,
    family,
    ...(reason !== null && { reason }),
    checkedAt: new Date(checkedAtMs).toISOString(),
    checks: checks.map(checkAsJson),
    enclaves: enclaves.map(enclaveAsJson),
    hops: hopsOfReport(report),
  };
}

/** Returns the hops of a report, for a client that encrypts to the report's key. */
function hopsOfReport({ family, enclaves }: ReportVerdict): readonly Hop[] {
  const model = enclaves.find(({ role, isUsed }) => role === 'model' && isUsed) ?? enclaves[0];
  const encryption = model?.keys.find(({ purpose }) => purpose === 'encryption')?.algorithm ?? null;
  return hopsOf({ client: 'program', gateway: null, provider: null, isAttested: true, encryption, family, enclaves });
}

function enclaveAsJson({
  role,
  name,
  hardware,
  verdict,
  reason,
  isUsed,
  unusable,
  workload,
  keys,
  measurements,
  checks,
}: EnclaveVerdict) {
  return {
    role,
    name,
    hardware,
    verdict,
    ...(reason !== null && { reason }),
    used: isUsed,
    unusable,
    workload,
    keys,
    measurements,
    checks: checks.map(checkAsJson),
  };
}

function checkAsJson({ id, outcome, reason, evidence }: Check<string>) {
  return { id, outcome, detail: reason ?? described(evidence) };
}

function described(evidence: Check['evidence']): string {
  const parts = Object.entries(evidence).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return parts.join('; ').slice(0, DETAIL_CHARACTERS_MAX);
}

export function describeReport(report: ReportVerdict, { nonce, model }: ExpectedReport): string {
  const { verdict, reason, family, checks, enclaves, checkedAtMs } = report;
  const facts = [
    ['Family', family],
    ['Model', model],
    ['Nonce', nonce],
    ['Checked for', new Date(checkedAtMs).toISOString()],
  ].map(([label, value]) => `${label?.padEnd(16)} ${value ?? '–'}`);
  return [
    ...checks.filter(({ outcome }) => outcome !== 'passed').map(describeCheck),
    ...enclaves.flatMap(describeEnclave),
    ...facts,
    '',
    describeHops(hopsOfReport(report)),
    SENTENCES[verdict] + (reason === null ? '' : `: ${reason}`),
    '',
  ].join('\n');
}

const HARDWARE = { 'intel-tdx': 'Intel TDX', 'amd-sev-snp': 'AMD SEV-SNP', unknown: 'unknown hardware' } as const;

/** Formats one of several enclaves with its checks. Ends with an empty line. */
export function describeEnclave({ role, name, hardware, verdict, isUsed, unusable, checks }: EnclaveVerdict): string[] {
  const use = unusable !== null ? ' · never used' : isUsed ? '' : ' · not the one that would be used';
  return [
    `── ${role}${name === null ? '' : ` ${name}`} · ${HARDWARE[hardware]} · ${verdict}${use}`,
    ...(unusable === null ? [] : [`        ${unusable}`]),
    ...checks.flatMap(withBuild),
    '',
  ];
}

/** Formats a check. If a valid release names the workload's builder, adds the builder. */
export function withBuild(check: Check<string>): string[] {
  const { id, outcome, evidence } = check;
  return [
    describeCheck(check),
    ...(id === 'release' && outcome === 'passed' ? [`        Built ${String(evidence['built'])}`] : []),
  ];
}
