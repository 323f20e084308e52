import { assertBoundedJson } from './json-bounds';
import { type AttestationReport, readAttestationReport } from './attestation-report';
import { type BoundKey, checkModel, checkNonce, checkSigningKey } from './binding';
import { type Check, type CheckId, CheckList, established, NotCheckable } from './check-list';
import { type Collateral, readCollateral } from './hardware/collateral';
import { isDebuggable } from './hardware/td-attributes';
import { type HardwareFindings, verifyHardware } from './hardware/verify-hardware';
import type { AttestationPolicy } from './policy';
import { quoteFromText } from './quote/quote';
import { checkComposeFile, checkEventLog, type Measurements, measurementsOf } from './workload/workload';
import { checkWorkload } from './workload/known-workload';

export type AttestationConclusion =
  /** Genuine hardware runs a pinned workload and attests this key and nonce. */
  | 'verified'
  /** Genuine hardware, but no pin proves its workload. */
  | 'unknown-workload'
  /** All required checks passed under a simulator's root. */
  | 'simulated'
  | 'failed'
  /** Required evidence is missing. */
  | 'not-checkable';

/** Failure reasons in the specification's words. */
export const FAILURE_REASONS = {
  VERIFICATION: 'TEE attestation verification failed',
  NONCE: 'Attestation nonce mismatch',
  DEBUG: 'TDX debug mode detected',
} as const;

export interface AttestationVerdict {
  conclusion: AttestationConclusion;
  /**
   * If the conclusion is `failed`, one of `FAILURE_REASONS`. If the attestation is not checkable or its workload is
   * unknown, a sentence. Otherwise null.
   */
  reason: string | null;
  checks: Check[];
  /** Key that the quote attests. Null unless all required checks passed. */
  key: BoundKey | null;
  /** Measurements in the quote, verified or not. Null without a quote. */
  measurements: Measurements | null;
  /** Name of the matching pinned workload. */
  workload: string | null;
  checkedAtMs: number;
}

export interface AttestationRequest {
  /** Report from the gateway or an enclave, as parsed JSON. */
  report: unknown;
  expected: {
    /** Requested nonce, 64 hex characters; null if unknown. */
    nonce: string | null;
    model: string | null;
    /** True if the report must have a public key, for encryption. */
    needsPublicKey: boolean;
  };
  policy: AttestationPolicy;
  nowMs: number;
}

const TOLERATED: ReadonlySet<CheckId> = new Set(['workload']);
/** Ids of checks that may be `not-checkable` without making the conclusion so. */
const OPTIONAL: ReadonlySet<CheckId> = new Set([
  'model',
  'event-log',
  'compose-file',
  'workload',
  'gpu-evidence',
  'gpu',
]);

/**
 * Checks an attestation report from quote to workload. Reads no clock, opens no connection, and trusts no claim in the
 * report. Malformed evidence counts as failed. Rejects only if the browser cannot load the module that checks GPU
 * evidence.
 *
 * If the conclusion is neither `failed` nor `not-checkable`, this holds: a processor and a quoting enclave under a
 * trusted root signed the quote; their TCB satisfies the policy; the host cannot debug the trust domain; the quote
 * contains the nonce and the address of `key`.
 */
export async function verifyAttestation({
  report: json,
  expected,
  policy,
  nowMs,
}: AttestationRequest): Promise<AttestationVerdict> {
  const list = new CheckList();
  // The first check that needs the report parses it. A malformed report fails every such check.
  const said = onceOrFault(() => {
    assertBoundedJson(json, 'report');
    return readAttestationReport(json);
  });
  const gpuChecks = hasGpuEvidence(said) ? await loadGpuChecks() : null;
  const hardware = await verifyHardware(
    { quoteBytes: () => quoteOf(said()), collateral: () => collateralOf(said()), policy, nowMs },
    list,
  );
  const quoted = () => established(hardware.quote, 'quote').report;

  await list.make('nonce', 'The quote has the nonce that was sent', () => checkNonce(quoted(), said(), expected.nonce));
  await list.make('model', 'The report is about the requested model', () => checkModel(said(), expected.model));
  const key = await list.make('signing-key', 'The quote proves the key of the report', () =>
    checkSigningKey(quoted(), said(), expected.needsPublicKey),
  );
  const events = await list.make('event-log', 'The event log leads to the measurements of the quote', () =>
    checkEventLog(quoted(), said().eventLog),
  );
  const compose = await list.make('compose-file', 'The quote attests the compose file of the report', () =>
    checkComposeFile(quoted(), events ?? [], said().appCompose),
  );
  const measurements = hardware.quote ? measurementsOf(hardware.quote.report, compose ?? null) : null;
  const workload = await list.make('workload', 'The workload is pinned', () =>
    checkWorkload(established(measurements ?? undefined, 'quote'), compose ?? null, policy),
  );
  await list.make('gpu-evidence', 'NVIDIA GPUs have signed their evidence for this nonce', () =>
    ofGpus(said(), gpuChecks).checkGpuEvidence(said(), expected.nonce, policy.nvidiaDeviceRoots, nowMs),
  );
  await list.make('gpu', 'NVIDIA vouches for the GPUs', () =>
    ofGpus(said(), gpuChecks).checkGpu(said(), expected.nonce, policy, nowMs),
  );

  const { conclusion, reason } = conclude(list.checks, hardware, workload !== undefined);
  const isGood = conclusion !== 'failed' && conclusion !== 'not-checkable';
  return {
    conclusion,
    reason,
    checks: list.checks,
    key: isGood ? (key ?? null) : null,
    measurements,
    workload: workload?.name ?? null,
    checkedAtMs: nowMs,
  };
}

type GpuChecks = Awaited<ReturnType<typeof loadGpuChecks>>;

async function loadGpuChecks() {
  const [{ checkGpuEvidence }, { checkGpu }] = await Promise.all([
    import('./gpu/gpu-evidence'),
    import('./gpu/nvidia-verdict'),
  ]);
  return { checkGpuEvidence, checkGpu };
}

/** Returns false for a malformed report, because other checks refuse it. */
function hasGpuEvidence(said: () => AttestationReport): boolean {
  const read = outcomeOf(said);
  return 'value' in read && read.value.nvidiaPayload !== null;
}

function ofGpus({ nvidiaPayload }: AttestationReport, checks: GpuChecks | null): GpuChecks {
  if (nvidiaPayload === null || checks === null) throw new NotCheckable('The report has no GPU evidence.');
  return checks;
}

function conclude(
  checks: readonly Check[],
  { quote, chain }: HardwareFindings,
  isKnownWorkload: boolean,
): Pick<AttestationVerdict, 'conclusion' | 'reason'> {
  const failed = new Set(
    checks.filter(({ id, outcome }) => outcome === 'failed' && !TOLERATED.has(id)).map(({ id }) => id),
  );
  if (failed.size > 0)
    return { conclusion: 'failed', reason: failureReason(failed, quote !== undefined && isDebuggable(quote.report)) };
  const unmade = checks.find(({ id, outcome }) => outcome === 'not-checkable' && !OPTIONAL.has(id));
  if (unmade) return { conclusion: 'not-checkable', reason: unmade.reason };
  if (chain === undefined || chain.root.isSimulated) return { conclusion: 'simulated', reason: null };
  if (isKnownWorkload) return { conclusion: 'verified', reason: null };
  return { conclusion: 'unknown-workload', reason: checks.find(({ id }) => id === 'workload')?.reason ?? null };
}

/** Returns one of `FAILURE_REASONS`. A failed debug or nonce check decides the reason only if no other check failed. */
export function failureReason(failed: ReadonlySet<string>, isDebug: boolean): string {
  const others = [...failed].filter((id) => id !== 'debug-off' && id !== 'nonce');
  if (others.length > 0) return FAILURE_REASONS.VERIFICATION;
  if (failed.has('debug-off')) return isDebug ? FAILURE_REASONS.DEBUG : FAILURE_REASONS.VERIFICATION;
  return FAILURE_REASONS.NONCE;
}

function onceOrFault<T>(make: () => T): () => T {
  let made: { value: T } | { fault: unknown } | undefined;
  return () => {
    made ??= outcomeOf(make);
    if ('fault' in made) throw made.fault;
    return made.value;
  };
}

function outcomeOf<T>(make: () => T): { value: T } | { fault: unknown } {
  try {
    return { value: make() };
  } catch (fault) {
    return { fault };
  }
}

function quoteOf({ quote }: AttestationReport): Uint8Array {
  if (quote === null) throw new NotCheckable('The report has no quote, so nothing proves that it was verified.');
  return quoteFromText(quote);
}

function collateralOf({ collateral }: AttestationReport): Collateral {
  if (collateral === null)
    throw new NotCheckable('The collateral (revocation lists, TCB info and QE identity) is missing.');
  return readCollateral(collateral);
}
