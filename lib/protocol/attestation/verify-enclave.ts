import { checkComposeFile, checkEventLog } from '../tee/workload/workload';
import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed, CheckList, type CheckResult, established, NotCheckable, notLoaded } from '../tee/check-list';
import { checkEnclaveGpuEvidence, checkEnclaveGpus } from './checks/gpu';
import { checkAnsweredNonce, checkBoundPart } from './checks/report-data';
import { checkImages, checkPinnedWorkload } from './checks/workload';
import type { ClaimedEnclave, EnclaveMeasurements, EnclaveVerdict, HardwareClaim, HardwareFindings } from './enclave';
import type { EnclaveCheck, EnclaveCheckId, EnclaveChecks } from './enclave-checks';
import type { HardwareContext } from './family';
import { verifyTdx } from './tdx/verify-tdx';

async function verifyHardwareOf(
  claim: HardwareClaim,
  context: HardwareContext,
  checks: EnclaveChecks,
): Promise<HardwareFindings | undefined> {
  if (claim.kind === 'intel-tdx') return verifyTdx(claim, context, checks);
  // Loaded on demand, mostly because AMD's certificates are large.
  const code = claim.kind === 'amd-sev-snp' && (await import('./sev-snp/verify-sev-snp').catch(() => null));
  if (code) return code.verifySevSnp(claim, context, checks);
  await checks.make('quote-format', 'The evidence is from supported hardware', () => {
    throw claim.kind === 'amd-sev-snp'
      ? notLoaded()
      : new NotCheckable(`Evidence of ${JSON.stringify(claim.platform.slice(0, 40))} is not supported.`);
  });
  return undefined;
}

const TOLERATED: ReadonlySet<EnclaveCheckId> = new Set(['workload']);
/** Ids of checks that may be `not-checkable` without changing the verdict. */
const OPTIONAL: ReadonlySet<EnclaveCheckId> = new Set([
  'model',
  'certificate',
  'certificate-signature',
  'event-log',
  'compose-file',
  'images',
  'release',
  'workload',
  'gpu-evidence',
  'gpu',
]);

export interface ExpectedReport {
  /** Requested nonce, 64 hex characters; null if unknown. */
  nonce: string | null;
  model: string | null;
}

interface OpenedEnclave {
  claim: ClaimedEnclave;
  list: CheckList<EnclaveCheckId>;
  findings: HardwareFindings | undefined;
}

/** Checks an enclave's hardware. `verifyEnclave` runs the other checks. */
export async function openEnclave(claim: ClaimedEnclave, context: HardwareContext): Promise<OpenedEnclave> {
  const list = new CheckList<EnclaveCheckId>();
  return { claim, list, findings: await verifyHardwareOf(claim.hardware, context, list) };
}

/** Nonce that the enclave's GPUs must have signed, lower-case hex; null if the quote does not contain it. */
export function gpuNonceOf({ claim, findings }: OpenedEnclave): string | null {
  return claim.gpu?.nonce === 'report-data' && findings ? bytesToHex(findings.reportData.subarray(0, 32)) : null;
}

/**
 * Checks an enclave's report data, keys, workload and GPUs. `openEnclave` has checked its hardware.
 *
 * @param ofOthers GPU nonces of the report's other instances
 */
export async function verifyEnclave(
  { claim, list, findings }: OpenedEnclave,
  expected: ExpectedReport,
  context: HardwareContext,
  ofOthers: readonly string[],
): Promise<EnclaveVerdict> {
  const found = () => established(findings, 'quote');
  const { reportData: rules, workload } = claim;
  await list.make('nonce', 'The report has the nonce that was sent', () =>
    checkAnsweredNonce(rules, found().reportData, expected.nonce),
  );
  await list.make('model', 'The report is about the requested model', () => checkModelName(claim, expected.model));
  await list.make('signing-key', 'The quote proves the key of the enclave', () =>
    checkBoundPart(rules, 'signing-key', found().reportData, expected.nonce),
  );
  if (rules.parts.some(({ check }) => check === 'certificate'))
    await list.make('certificate', 'The quote proves the certificate of the connection', () =>
      checkBoundPart(rules, 'certificate', found().reportData, expected.nonce),
    );
  for (const own of claim.further ?? [])
    await list.make(own.id, own.title, () =>
      own.make({
        reportData: found().reportData,
        measurements: found().measurements,
        endorsements: context.endorsements,
        nowMs: context.nowMs,
      }),
    );

  const compose = await verifyCompose({ claim, list, findings });
  const measurements = withApplication(findings?.measurements ?? null, compose?.hash ?? null, workload.applicationIn);
  if (workload.appCompose !== null)
    await list.make('images', 'Every image of the compose file is named by its digest', () =>
      checkImages(workload.appCompose),
    );
  const pinned = await list.make('workload', 'The workload is pinned', () =>
    checkPinnedWorkload(established(measurements ?? undefined, 'quote'), compose ?? null, context.policy),
  );

  const gpus = () => ({
    claim: claim.gpu,
    reportData: found().reportData,
    nonce: rules.statedNonce ?? expected.nonce,
    ofOthers,
    context,
  });
  if (claim.gpu !== null) {
    await list.make('gpu-evidence', 'NVIDIA GPUs have signed their evidence for this enclave', () =>
      checkEnclaveGpuEvidence(gpus()),
    );
    await list.make('gpu', 'NVIDIA vouches for the GPUs', () => checkEnclaveGpus(gpus()));
  }
  const { verdict, reason } = conclude(list.checks, findings, pinned !== undefined);
  const isGood = verdict !== 'failed' && verdict !== 'not-checkable';
  return {
    role: claim.role,
    name: claim.name,
    hardware: claim.hardware.kind,
    verdict,
    reason,
    checks: list.checks,
    keys: isGood ? claim.keys : [],
    measurements,
    workload: pinned?.name ?? null,
    isUsed: false,
    unusable: claim.unusable,
  };
}

/** Checks event log and compose file, which only Intel's hardware measures. */
async function verifyCompose({ claim: { workload }, list, findings }: OpenedEnclave) {
  if (findings !== undefined && findings.tdReport === undefined) return undefined;
  const report = () => established(findings?.tdReport, 'quote');
  const { eventLog, appCompose } = workload;
  if (eventLog === null && appCompose === null) return undefined;
  const events =
    eventLog === null
      ? []
      : await list.make('event-log', 'The event log leads to the measurements of the quote', () =>
          checkEventLog(report(), eventLog),
        );
  return list.make('compose-file', 'The quote attests the compose file of the report', () =>
    checkComposeFile(report(), events ?? [], appCompose),
  );
}

function withApplication(
  measurements: EnclaveMeasurements | null,
  composeHash: string | null,
  applicationIn: 'rtMr2' | undefined,
): EnclaveMeasurements | null {
  if (measurements?.kind !== 'intel-tdx') return measurements;
  const isUnextended = measurements.rtMr3 !== null && !/[^0]/.test(measurements.rtMr3);
  return { ...measurements, composeHash, ...(applicationIn !== undefined && isUnextended && { applicationIn }) };
}

/**
 * Compares the report's model name with the requested name. Resellers rename models, so the check is `NotCheckable` if
 * one name contains the other.
 *
 * @throws {CheckFailed | NotCheckable}
 */
function checkModelName({ model }: ClaimedEnclave, asked: string | null): CheckResult<true> {
  const evidence = { asked, report: model };
  if (asked === null || model === null)
    throw new NotCheckable(asked === null ? 'No model was requested.' : 'The report contains no model.', evidence);
  if (model === asked) return { established: true, evidence };
  const [ours, theirs] = [plainName(asked), plainName(model)];
  const isKin = ours !== '' && theirs !== '' && (ours.includes(theirs) || theirs.includes(ours));
  if (isKin)
    throw new NotCheckable(
      `The report calls the model ${JSON.stringify(model.slice(0, 100))}, which may be the requested model.`,
      evidence,
    );
  throw new CheckFailed('The report is for another model.', evidence);
}

function plainName(model: string): string {
  return (model.split('/').at(-1) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}

function conclude(
  checks: readonly EnclaveCheck[],
  findings: HardwareFindings | undefined,
  isKnownWorkload: boolean,
): Pick<EnclaveVerdict, 'verdict' | 'reason'> {
  const failed = checks.find(({ id, outcome }) => outcome === 'failed' && !TOLERATED.has(id));
  if (failed) return { verdict: 'failed', reason: failed.reason };
  const unmade = checks.find(({ id, outcome }) => outcome === 'not-checkable' && !OPTIONAL.has(id));
  if (unmade) return { verdict: 'not-checkable', reason: unmade.reason };
  if (findings === undefined) return { verdict: 'not-checkable', reason: 'The hardware evidence could not be read.' };
  if (findings.isSimulated) return { verdict: 'simulated', reason: null };
  if (isKnownWorkload) return { verdict: 'verified', reason: null };
  return { verdict: 'unknown-workload', reason: checks.find(({ id }) => id === 'workload')?.reason ?? null };
}
