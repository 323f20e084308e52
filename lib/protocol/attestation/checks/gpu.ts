import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed, type CheckResult, NotCheckable } from '../../tee/check-list';
import { verifyGpuEvidence } from '../../tee/gpu/gpu-evidence';
import {
  isNvidiaVerdict,
  judgeNvidiaVerdict,
  nonceOfVerdict,
  readNvidiaVerdict,
  type SignedNvidiaVerdict,
  unasked,
} from '../../tee/gpu/nvidia-verdict';
import type { GpuClaim } from '../enclave';
import type { HardwareContext } from '../family';

const GPU_NONCE_BYTES = 32;

export interface GpuQuestion {
  claim: GpuClaim | null;
  reportData: Uint8Array;
  /** The nonce that the report answers, as far as it says so itself; else the one that was asked for. Null where neither is known. */
  nonce: string | null;
  /** The nonces of the GPUs of the other instances of this report, lower-case hex: NVIDIA may have been asked about one of them. */
  ofOthers: readonly string[];
  context: HardwareContext;
}

/** Sees that every GPU and switch has signed its evidence, down to NVIDIA's root, for the nonce of this enclave. @throws as `verifyGpuEvidence` */
export async function checkEnclaveGpuEvidence(question: GpuQuestion): Promise<CheckResult<true>> {
  const { claim, context } = question;
  if (claim === null) throw new NotCheckable('The report has no part about GPUs.');
  const wanted = wantedNonce(claim, question);
  if (claim.statedNonce !== null && wanted !== null && claim.statedNonce !== wanted)
    throw new CheckFailed('The GPU evidence names another nonce than it should answer.', {
      stated: claim.statedNonce,
      wanted,
    });
  const result = await verifyGpuEvidence(claim.evidence(), wanted, context.policy.nvidiaDeviceRoots, context.nowMs);
  const boundBy = claim.isBoundByReportData
    ? 'a hash in the report data'
    : claim.nonce === 'report-data'
      ? 'a nonce that is the report data'
      : 'the nonce alone';
  return { ...result, evidence: { ...result.evidence, boundBy } };
}

/**
 * Sees that NVIDIA vouches for the GPUs: the verdict of the pool which is of this enclave's nonce, and of as many GPUs as
 * there is evidence of.
 *
 * Where GPUs answer a nonce of their own making, NVIDIA may have been asked with that of the question. It then finds that
 * they do not match, which says nothing of these GPUs.
 */
export async function checkEnclaveGpus(question: GpuQuestion): Promise<CheckResult<true>> {
  const { claim, context } = question;
  if (claim === null) throw new NotCheckable('The report has no part about GPUs.');
  const { endorsements, policy, nowMs } = context;
  const { arch, gpus } = claim.evidence();
  const seen = { arch, gpus: gpus.length };
  const given = endorsements.nvidiaVerdicts.filter(isNvidiaVerdict);
  if (given.length === 0) throw new NotCheckable(unasked(endorsements.nvidiaFault), seen);
  const nonce = wantedNonce(claim, question);
  if (nonce === null) throw new NotCheckable('No nonce is known that the GPU evidence should answer.', seen);
  const verdicts: SignedNvidiaVerdict[] = [];
  for (const verdict of given)
    verdicts.push(await readNvidiaVerdict(verdict, policy, keysOf(endorsements.nvidiaKeySets), nowMs));
  const own = verdicts.find((verdict) => nonceOfVerdict(verdict) === nonce);
  if (own) return judgeNvidiaVerdict(own, { ...seen, nonce }, nowMs);
  return foreign(verdicts, question, seen);
}

/** What verdicts come to of which none is of this enclave's nonce. */
function foreign(
  verdicts: readonly SignedNvidiaVerdict[],
  { claim, nonce, ofOthers }: GpuQuestion,
  seen: { arch: string; gpus: number },
): never {
  if (verdicts.some((verdict) => ofOthers.includes(nonceOfVerdict(verdict) ?? '')))
    throw new NotCheckable('NVIDIA was asked about another instance.', seen);
  const asked = verdicts.find((verdict) => nonceOfVerdict(verdict) === nonce?.toLowerCase());
  if (asked === undefined || claim?.nonce === 'asked')
    throw new CheckFailed("NVIDIA's verdict is of another nonce.", seen);
  if (asked.named !== null && asked.named !== seen.gpus)
    throw new CheckFailed("NVIDIA's verdict is of another number of GPUs than there is evidence of.", {
      ...seen,
      named: asked.named,
    });
  throw new NotCheckable(
    'NVIDIA was asked with the nonce of the question, while these GPUs answer the one that their quote holds. Its verdict says only that these differ.',
    { ...seen, named: asked.named },
  );
}

/** Lower-case hex. */
function wantedNonce({ nonce: source }: GpuClaim, { reportData, nonce }: GpuQuestion): string | null {
  return source === 'report-data'
    ? bytesToHex(reportData.subarray(0, GPU_NONCE_BYTES))
    : (nonce?.toLowerCase() ?? null);
}

/** The keys of all sets as one; of a set that is none, nothing. */
function keysOf(sets: readonly unknown[]): unknown {
  const keys = sets.flatMap((set) => {
    const { keys: own } = (set ?? {}) as { keys?: unknown };
    return Array.isArray(own) ? (own as unknown[]) : [];
  });
  return keys.length === 0 ? null : { keys };
}
