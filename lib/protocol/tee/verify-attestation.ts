import { assertBoundedJson } from './json-bounds';
import { type AttestationReport, readAttestationReport } from './attestation-report';
import { type BoundKey, checkModel, checkNonce, checkSigningKey } from './binding';
import { type Check, type CheckId, CheckList, established, NotCheckable } from './check-list';
import { type Collateral, readCollateral } from './hardware/collateral';
import { isDebuggable } from './hardware/td-attributes';
import { type HardwareFindings, verifyHardware } from './hardware/verify-hardware';
import type { AttestationPolicy } from './policy';
import { quoteFromText } from './quote/quote-text';
import { checkComposeFile } from './workload/compose-hash';
import { checkWorkload } from './workload/known-workload';
import { checkEventLog, type Measurements, measurementsOf } from './workload/workload';

/** What an attestation comes to. */
export type AttestationConclusion =
  /** Genuine hardware that runs a pinned workload and speaks for this key and nonce. */
  | 'verified'
  /** The same, but no pin says enough of what runs there, or another does. */
  | 'unknown-workload'
  /** Everything fits, under the root of a simulator. */
  | 'simulated'
  | 'failed'
  /** Something that it takes is not there. */
  | 'not-checkable';

/** The reasons of a failed attestation that the specification names. */
export const FAILURE_REASONS = {
  VERIFICATION: 'TEE attestation verification failed',
  NONCE: 'Attestation nonce mismatch',
  DEBUG: 'TDX debug mode detected',
} as const;

export interface AttestationVerdict {
  conclusion: AttestationConclusion;
  /** Of a failure one of `FAILURE_REASONS`; of what is not checkable and of an unknown workload a sentence; null otherwise. */
  reason: string | null;
  checks: Check[];
  /** The key that the quote speaks for. Null unless everything that it takes was checked and passed. */
  key: BoundKey | null;
  /** What the quote says of its workload, whoever made it; null without a quote. */
  measurements: Measurements | null;
  /** The name of the pinned workload, where one fits. */
  workload: string | null;
  checkedAtMs: number;
}

export interface AttestationQuestion {
  /** The report, as parsed JSON from the gateway or an enclave. */
  report: unknown;
  expected: {
    /** The nonce that was sent, 64 hex characters; null if it is not known. */
    nonce: string | null;
    model: string | null;
    /** Whether a public key must be there, as it must for encryption. */
    needsPublicKey: boolean;
  };
  policy: AttestationPolicy;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** Checks whose failing leaves a verdict other than failed. */
const TOLERATED: ReadonlySet<CheckId> = new Set(['workload']);
/** Checks that may be left unmade. */
const OPTIONAL: ReadonlySet<CheckId> = new Set([
  'model',
  'event-log',
  'compose-file',
  'workload',
  'gpu-evidence',
  'gpu',
]);

/**
 * Checks an attestation report from quote to workload. It reads no clock, opens no connection, and believes
 * nothing that the report says of itself. What cannot be read has failed. It rejects only where a page cannot load the
 * code that checks GPUs, which it does for reports with evidence of them.
 *
 * A verdict other than failed and not-checkable means: the quote was signed by a quoting enclave and a
 * processor under a trusted root, in a state the policy accepts, at this time; its trust domain cannot be
 * debugged; and it holds the nonce and the address of `key`.
 */
export async function verifyAttestation({
  report: json,
  expected,
  policy,
  nowMs,
}: AttestationQuestion): Promise<AttestationVerdict> {
  const list = new CheckList();
  // Read once, and inside the checks, so that an unreadable report fails every one that looks at it.
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

  await list.make('nonce', 'The quote answers the nonce that was sent', () =>
    checkNonce(quoted(), said(), expected.nonce),
  );
  await list.make('model', 'The report is about the model that was asked for', () =>
    checkModel(said(), expected.model),
  );
  const key = await list.make('signing-key', 'The quote speaks for the key of the report', () =>
    checkSigningKey(quoted(), said(), expected.needsPublicKey),
  );
  const events = await list.make('event-log', 'The event log leads to the measurements of the quote', () =>
    checkEventLog(quoted(), said().eventLog),
  );
  const compose = await list.make('compose-file', 'The quote binds the compose file of the report', () =>
    checkComposeFile(quoted(), events ?? [], said().appCompose),
  );
  const measurements = hardware.quote ? measurementsOf(hardware.quote.report, compose ?? null) : null;
  const workload = await list.make('workload', 'The workload is one that is pinned', () =>
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

/** Of a report that cannot be read it is not known, and the checks say so themselves. */
function hasGpuEvidence(said: () => AttestationReport): boolean {
  const read = outcomeOf(said);
  return 'value' in read && read.value.nvidiaPayload !== null;
}

function ofGpus({ nvidiaPayload }: AttestationReport, checks: GpuChecks | null): GpuChecks {
  if (nvidiaPayload === null || checks === null) throw new NotCheckable('The report carries no GPU evidence.');
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

/** One of `FAILURE_REASONS`. Debug and nonce are named only where the quote is otherwise one to be believed. */
export function failureReason(failed: ReadonlySet<string>, isDebug: boolean): string {
  const others = [...failed].filter((id) => id !== 'debug-off' && id !== 'nonce');
  if (others.length > 0) return FAILURE_REASONS.VERIFICATION;
  if (failed.has('debug-off')) return isDebug ? FAILURE_REASONS.DEBUG : FAILURE_REASONS.VERIFICATION;
  return FAILURE_REASONS.NONCE;
}

/** Makes something when it is first asked for; what it threw then it throws again. */
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
  if (quote === null)
    throw new NotCheckable('The report carries no quote. That it calls itself verified proves nothing.');
  return quoteFromText(quote);
}

function collateralOf({ collateral }: AttestationReport): Collateral {
  if (collateral === null)
    throw new NotCheckable('There is no collateral: revocation lists, TCB info and QE identity are missing.');
  return readCollateral(collateral);
}
