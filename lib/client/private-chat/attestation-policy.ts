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

/** Verdicts under which messages may go out. `failed` and `not-checkable` never are. */
export type AcceptableVerdict = Exclude<AttestationConclusion, 'failed' | 'not-checkable'>;

/** What a caller adds to the policy that is built in. */
export interface PolicyAdditions {
  /** The root of an enclave simulator, DER in base64, as GET /api/sandbox gives it. Its quotes are never called verified. */
  simulatedRoot?: string | null;
  /** Each makes a workload known where it names MRTD, RTMR0 to 2 and the compose file (or RTMR3), and only then. */
  pinnedWorkloads?: readonly PinnedWorkload[];
  /** What images imply, for pins that name one. */
  pinnedImages?: readonly PinnedImage[];
  acceptedTcbStatuses?: AttestationPolicy['acceptedTcbStatuses'];
  nvidiaKeys?: AttestationPolicy['nvidiaKeys'];
}

/**
 * The policy of a client: Intel's root, which is built in, and what the caller adds.
 *
 * @throws {Malformed} for a simulated root that is no certificate, and for one that does not call itself simulated:
 *   what a gateway hands over is never taken for hardware
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
