import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed, type CheckResult, established } from '../../tee/check-list';
import { Untrusted, verifyValidity } from '../../tee/x509/chain';
import { isSignedBy } from '../../tee/x509/signature-algorithm';
import type { SevSnpClaim } from '../enclave';
import type { HardwareCheck } from '../family';
import type { AmdAuthority } from './amd-authorities';
import { DEFAULT_AMD_POLICY } from './amd-policy';
import { assertOfChip, checkNotRevoked, followChip, type TrustedChip } from './chip-chain';
import { parseSnpReport, type SnpReport } from './snp-report';
import { minimumFor, partsBelow, tcbLevels, type TcbMinimum, tcbText } from './tcb-version';

/** Bits of the guest policy (AMD 56860, table "Guest Policy"). */
const SMT_ALLOWED = 1n << 16n;
const ALWAYS_ONE = 1n << 17n;
const MIGRATION_AGENT = 1n << 18n;
const DEBUG = 1n << 19n;
const RESERVED_FROM = 26n;

/**
 * Checks that the policy forbids debug commands, with which the host could read guest memory. Reserved policy bits must
 * be zero.
 *
 * @throws {CheckFailed}
 */
function checkDebugOff({ policy }: SnpReport): CheckResult<true> {
  const evidence = { policy: hexOf(policy), smt: (policy & SMT_ALLOWED) !== 0n };
  if ((policy & DEBUG) !== 0n)
    throw new CheckFailed('The guest runs in debug mode: its host can read its memory.', evidence);
  if ((policy & ALWAYS_ONE) === 0n || policy >> RESERVED_FROM !== 0n)
    throw new CheckFailed('The policy of the guest has unknown bits.', evidence);
  return { established: true, evidence };
}

/**
 * Checks that no migration agent may move the guest, because the agent would hold the guest's keys.
 *
 * @throws {CheckFailed}
 */
function checkMigrationOff({ policy }: SnpReport): CheckResult<true> {
  const evidence = { policy: hexOf(policy) };
  if ((policy & MIGRATION_AGENT) !== 0n)
    throw new CheckFailed('A migration agent can take over the guest with its keys.', evidence);
  return { established: true, evidence };
}

/**
 * Checks that code at VMPL 0, the guest's firmware or kernel, requested the report.
 *
 * @throws {CheckFailed}
 */
function checkPrivilege({ vmpl }: SnpReport): CheckResult<true> {
  if (vmpl !== 0)
    throw new CheckFailed(`The report was requested at privilege level ${vmpl} of the guest, not at level 0.`, {
      vmpl,
    });
  return { established: true, evidence: { vmpl } };
}

function hexOf(policy: bigint): string {
  return `0x${policy.toString(16)}`;
}

/**
 * Checks that an SEV-SNP processor under a pinned AMD root signed the report. The TCB must satisfy the policy. The
 * guest must forbid debugging and migration, and its firmware or kernel must have requested the report (AMD 56860, 7.3;
 * AMD 57230).
 *
 * AMD certifies a separate key per chip and TCB level, so the report's chip id and levels must equal the certificate's.
 */
export const verifySevSnp: HardwareCheck<SevSnpClaim> = async (claim, { endorsements, policy, nowMs }, checks) => {
  const { authorities, tcbMinima } = policy.amd ?? DEFAULT_AMD_POLICY;
  const report = await checks.make('quote-format', 'The report is complete and has the format of AMD SEV-SNP', () => {
    const parsed = parseSnpReport(claim.report());
    return { established: parsed, evidence: { version: parsed.version, firmware: parsed.firmware } };
  });
  const chip = await checks.make('certificate-chain', 'The processor is certified under a trusted root', () =>
    checkChip(established(report, 'report'), [...claim.certificates(), ...endorsements.amdCertificates], authorities),
  );
  await checks.make('certificate-validity', 'Every certificate is valid at this time', () =>
    checkValidity(established(chip, 'certificate chain'), nowMs),
  );
  await checks.make('revocation', 'No certificate is known to be revoked', () =>
    checkNotRevoked(established(chip, 'certificate chain'), endorsements.amdRevocationLists, nowMs),
  );
  await checks.make('quote-signature', 'The processor has signed the report', () =>
    checkSignature(established(report, 'report'), established(chip, 'certificate chain')),
  );
  await checks.make('tcb-status', 'Firmware and microcode are at a level that is accepted', () =>
    checkTcb(established(report, 'report'), established(chip, 'certificate chain'), tcbMinima),
  );
  await checks.make('debug-off', 'The guest cannot be debugged', () => checkDebugOff(established(report, 'report')));
  await checks.make('migration-off', 'The guest cannot be migrated by an agent', () =>
    checkMigrationOff(established(report, 'report')),
  );
  await checks.make('privilege-level', 'The report speaks for the most privileged part of the guest', () =>
    checkPrivilege(established(report, 'report')),
  );
  if (!report) return undefined;
  return {
    reportData: report.reportData,
    measurements: {
      kind: 'amd-sev-snp',
      snpMeasurement: bytesToHex(report.measurement),
      snpHostData: bytesToHex(report.hostData),
    },
    isSimulated: chip?.root.isSimulated ?? false,
  };
};

async function checkChip(
  report: SnpReport,
  certificates: readonly Uint8Array[],
  authorities: readonly AmdAuthority[],
): Promise<CheckResult<TrustedChip>> {
  const chip = await followChip(report, certificates, authorities);
  assertOfChip(chip, report);
  const evidence = {
    root: chip.root.certificate.subjectText,
    authority: chip.signingKey.subjectText,
    processor: chip.chip.product,
    chipId: bytesToHex(report.chipId),
    simulated: chip.root.isSimulated,
  };
  return { established: chip, evidence };
}

function checkValidity({ certificate, signingKey, root }: TrustedChip, nowMs: number): CheckResult<true> {
  const certificates = [certificate, signingKey, root.certificate];
  verifyValidity(certificates, nowMs);
  return {
    established: true,
    evidence: {
      at: new Date(nowMs).toISOString(),
      validUntil: new Date(Math.min(...certificates.map(({ notAfterMs }) => notAfterMs))).toISOString(),
    },
  };
}

async function checkSignature(
  { signedBytes, signature }: SnpReport,
  { certificate: { publicKey } }: TrustedChip,
): Promise<CheckResult<true>> {
  if (publicKey.curve !== 'P-384' || !(await isSignedBy(publicKey, 'ecdsa-sha384', signedBytes, signature, 'compact')))
    throw new Untrusted('The signature of the report is not valid.');
  return { established: true, evidence: { signedBytes: signedBytes.length } };
}

/**
 * Checks that reported ≤ committed ≤ current TCB, and launch ≤ current TCB. A host may report less than the committed
 * TCB, to match an older certificate.
 */
function checkTcb(
  report: SnpReport,
  { authority: { product }, chip }: TrustedChip,
  minima: readonly TcbMinimum[],
): CheckResult<true> {
  const [reported, committed, current, launched] = [
    report.reportedTcb,
    report.committedTcb,
    report.currentTcb,
    report.launchTcb,
  ].map((version) => tcbLevels(version, product)) as [Levels, Levels, Levels, Levels];
  const minimum = minimumFor(report, product, minima);
  const evidence = {
    product,
    reported: tcbText(reported),
    committed: tcbText(committed),
    current: tcbText(current),
    launched: tcbText(launched),
    minimum: Object.entries(minimum).map(([part, level]) => `${part} ${level}`),
  };
  const differing = (Object.keys(reported) as (keyof Levels)[]).filter((part) => reported[part] !== chip.levels[part]);
  if (differing.length > 0)
    throw new CheckFailed(
      `The certificate of the chip and the report have different version levels: ${differing.join(', ')}.`,
      evidence,
    );
  const fault =
    partsBelow(committed, reported).length > 0
      ? 'reports a higher version than it has committed'
      : partsBelow(current, committed).length > 0
        ? 'has committed a higher version than it runs'
        : partsBelow(current, launched).length > 0
          ? 'runs a lower version than at the launch of the guest'
          : null;
  if (fault !== null) throw new CheckFailed(`The processor ${fault}.`, evidence);
  const below = partsBelow(reported, minimum);
  if (below.length > 0)
    throw new CheckFailed(`The firmware of the processor is older than accepted: ${below.join(', ')}.`, evidence);
  return { established: true, evidence };
}

type Levels = ReturnType<typeof tcbLevels>;
