import { base64 } from '@scure/base';
import { Malformed } from '@/lib/protocol/tee/malformed';
import {
  type AttestationPolicy,
  DEFAULT_POLICY,
  type PinnedImage,
  type PinnedWorkload,
} from '@/lib/protocol/tee/policy';
import { configuredRoot, SIMULATED_MARK } from '@/lib/protocol/tee/trusted-roots';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';

/** Verdicts that a caller may accept before sending. `failed` and `not-checkable` always forbid sending. */
export type AcceptableVerdict = Exclude<AttestationConclusion, 'failed' | 'not-checkable'>;

export interface PolicyAdditions {
  /** Root of an enclave simulator from GET /api/sandbox, base64 of DER. Quotes under this root are never "verified". */
  simulatedRoot?: string | null;
  /** Pinned workloads. A pin identifies a workload only with MRTD, RTMR0 to RTMR2, and the compose file or RTMR3. */
  pinnedWorkloads?: readonly PinnedWorkload[];
  /** Measurements of known images, for pins that name an image. */
  pinnedImages?: readonly PinnedImage[];
  acceptedTcbStatuses?: AttestationPolicy['acceptedTcbStatuses'];
  nvidiaKeys?: AttestationPolicy['nvidiaKeys'];
}

/**
 * Returns a client's policy: the default policy with the caller's additions.
 *
 * @throws {Malformed} for a malformed simulated root, or one whose name lacks the word SIMULATED
 */
export function attestationPolicy({ simulatedRoot, ...additions }: PolicyAdditions = {}): AttestationPolicy {
  const policy = { ...DEFAULT_POLICY, ...additions };
  if (simulatedRoot == null) return policy;
  const root = configuredRoot(decode(simulatedRoot), true);
  if (!root.certificate.subjectText.includes(SIMULATED_MARK))
    throw new Malformed('The root of the simulator does not call itself simulated.');
  return { ...policy, roots: [...policy.roots, root] };
}

function decode(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The root of the simulator is not valid base64.');
  }
}
