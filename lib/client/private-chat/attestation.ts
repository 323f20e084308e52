import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import { verifyServedReport } from '@/lib/protocol/attestation/served-report';
import { drawAttestationNonce } from '@/lib/protocol/e2ee/nonce';
import { isRecord } from '@/lib/protocol/json-record';
import { exportAttestation } from '@/lib/protocol/tee/exported-attestation';
import { Malformed } from '@/lib/protocol/tee/malformed';
import {
  type AttestationPolicy,
  DEFAULT_POLICY,
  type PinnedImage,
  type PinnedWorkload,
} from '@/lib/protocol/tee/policy';
import { configuredRoot, SIMULATED_MARK } from '@/lib/protocol/tee/trusted-roots';
import {
  type AttestationConclusion,
  type AttestationRequest,
  FAILURE_REASONS,
} from '@/lib/protocol/tee/verify-attestation';
import { base64 } from '@scure/base';
import { exchanger } from '../exchange';
import { OversizedAnswerError } from '../gateway-error';
import { withDeadline } from '../with-deadline';
import { type Connection, connectionNow } from './connection';
import type { Attestation, AttestationClaim } from './judged-attestation';
import { PrivateChatError } from './private-chat-error';

/** Verdicts that a caller can choose to accept. `failed` and `not-checkable` always forbid sending. */
export type AcceptableVerdict = Exclude<AttestationConclusion, 'failed' | 'not-checkable'>;

export interface PolicyAdditions {
  /**
   * Root certificate of an enclave simulator, from GET /api/sandbox, as base64 of DER. Quotes under this root are never
   * "verified".
   */
  simulatedRoot?: string | null;
  /**
   * Pinned workloads. A pin identifies a workload only if it has MRTD, RTMR0 to RTMR2, and either the compose file or
   * RTMR3.
   */
  pinnedWorkloads?: readonly PinnedWorkload[];
  /** Measurements of known images, for pins that refer to an image. */
  pinnedImages?: readonly PinnedImage[];
  acceptedTcbStatuses?: AttestationPolicy['acceptedTcbStatuses'];
  nvidiaKeys?: AttestationPolicy['nvidiaKeys'];
}

/**
 * Returns a client's policy: the default policy with the caller's additions.
 *
 * @throws {Malformed} for a malformed simulated root, or a root whose name lacks the word SIMULATED
 */
export function attestationPolicy({ simulatedRoot, ...additions }: PolicyAdditions = {}): AttestationPolicy {
  const policy = { ...DEFAULT_POLICY, ...additions };
  if (simulatedRoot == null) return policy;
  const root = configuredRoot(decode(simulatedRoot), true);
  if (!root.certificate.subjectText.includes(SIMULATED_MARK))
    throw new Malformed('The root certificate of the simulator is not marked as simulated.');
  return { ...policy, roots: [...policy.roots, root] };
}

function decode(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The root certificate of the simulator is not valid base64.');
  }
}

const TIMEOUT_MS = 60_000;
const NAME_CHARACTERS_MAX = 80;

export interface AttestOptions {
  connection: Connection;
  model: string;
  policy: AttestationPolicy;
  needsPublicKey: boolean;
  /** Collateral to use if the report has none. */
  collateral?: unknown;
  now?: () => number;
  signal?: AbortSignal | undefined;
}

/**
 * Requests a model enclave's attestation with a random nonce and verifies it. Resolves for every verdict, so callers
 * must check the verdict.
 *
 * @throws {GatewayError | UnreachableError}; {PrivateChatError} ATTESTATION_NOT_CHECKABLE if Web Crypto is
 *   missing or the answer is too long
 */
export async function attestModel({
  connection,
  model,
  policy,
  needsPublicKey,
  collateral,
  now = Date.now,
  signal,
}: AttestOptions): Promise<Attestation> {
  if (!hasWebCrypto())
    throw new PrivateChatError(
      'ATTESTATION_NOT_CHECKABLE',
      'This browser offers its cryptography only to pages over HTTPS or on localhost.',
    );
  const nonce = drawAttestationNonce();
  const query = new URLSearchParams({ model, nonce });
  const ask = exchanger(connectionNow(connection));
  const { body, latencyMs } = await withDeadline(signal, TIMEOUT_MS, (both) =>
    ask('GET', `/api/v1/tee/attestation?${query}`, { signal: both }),
  ).catch(notReadable);
  const report = withCollateral(body, collateral);
  const startedMs = performance.now();
  const request: AttestationRequest = { report, expected: { nonce, model, needsPublicKey }, policy, nowMs: now() };
  const verdict = await verifyServedReport(request);
  return {
    model,
    nonce,
    verdict,
    encryption: needsPublicKey ? (recipientKeyOf(verdict)?.algorithm ?? 'secp256k1') : null,
    claim: claimOf(body),
    report,
    latencyMs,
    verifyMs: performance.now() - startedMs,
    exportText: () => exportAttestation(request, verdict),
  };
}

/** Returns why an attestation forbids sending; null if sending is allowed. */
export function attestationRefusal(
  attestation: Attestation,
  accepted: readonly AcceptableVerdict[],
): PrivateChatError | null {
  const { conclusion, reason } = attestation.verdict;
  if (conclusion === 'failed') return new PrivateChatError(codeOf(reason), failedChecks(attestation), attestation);
  if (conclusion === 'not-checkable') return new PrivateChatError('ATTESTATION_NOT_CHECKABLE', reason, attestation);
  if (accepted.includes(conclusion)) return null;
  const what =
    conclusion === 'simulated'
      ? 'The enclave is a simulator: there is no hardware behind it.'
      : `The hardware is genuine, but the workload is unknown. ${reason ?? ''}`.trimEnd();
  return new PrivateChatError('ATTESTATION_NOT_ACCEPTED', what, attestation);
}

function hasWebCrypto(): boolean {
  return (globalThis.crypto as Partial<Crypto> | undefined)?.subtle !== undefined;
}

function notReadable(error: unknown): never {
  throw error instanceof OversizedAnswerError
    ? new PrivateChatError('ATTESTATION_NOT_CHECKABLE', error.message, null, { cause: error })
    : error;
}

function codeOf(reason: string | null) {
  if (reason === FAILURE_REASONS.NONCE) return 'ATTESTATION_NONCE';
  return reason === FAILURE_REASONS.DEBUG ? 'ATTESTATION_DEBUG' : 'ATTESTATION_FAILED';
}

function failedChecks({ verdict }: Attestation): string | null {
  const reasons = verdict.checks
    .filter(({ id, outcome }) => outcome === 'failed' && id !== 'workload')
    .map(({ reason }) => reason);
  return reasons.length === 0 ? null : reasons.join(' ');
}

function withCollateral(body: unknown, collateral: unknown): unknown {
  return collateral != null && isRecord(body) && body['collateral'] == null ? { ...body, collateral } : body;
}

function claimOf(body: unknown): AttestationClaim {
  const { verified, verdict, reason, hops } = isRecord(body) ? body : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    verified: typeof verified === 'boolean' ? verified : null,
    verdict: text(verdict),
    reason: text(reason),
    provider: text(providerNamed(hops))?.slice(0, NAME_CHARACTERS_MAX) ?? null,
  };
}

/** Returns the model's provider from `hops`, because the report's `tee_provider` may be a hardware name instead. */
function providerNamed(hops: unknown): unknown {
  if (!Array.isArray(hops)) return null;
  return hops.filter(isRecord).find(({ kind, name }) => kind === 'provider' && name !== undefined)?.['name'];
}
