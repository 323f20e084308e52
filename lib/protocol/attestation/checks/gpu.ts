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

interface GpuCheckInput {
  claim: GpuClaim | null;
  reportData: Uint8Array;
  /** Nonce in the report, else the requested nonce; null if neither is known. */
  nonce: string | null;
  /**
   * GPU nonces of the other instances in the report, lower-case hex. NVIDIA's verdict may be about another instance.
   */
  ofOthers: readonly string[];
  context: HardwareContext;
}

/**
 * Checks that every GPU and switch signed its evidence for this enclave's nonce, with keys certified under NVIDIA's
 * root.
 *
 * @throws the errors of `verifyGpuEvidence`
 */
export async function checkEnclaveGpuEvidence(request: GpuCheckInput): Promise<CheckResult<true>> {
  const { claim, context } = request;
  if (claim === null) throw new NotCheckable('The report has no GPU evidence.');
  const wanted = wantedNonce(claim, request);
  if (claim.statedNonce !== null && wanted !== null && claim.statedNonce !== wanted)
    throw new CheckFailed('The GPU evidence does not contain the expected nonce.', {
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
 * Checks that NVIDIA's attestation service vouches for the GPUs. The verdict must contain this enclave's nonce and the
 * number of GPUs in the evidence.
 *
 * Some services ask NVIDIA about the requested nonce although the GPUs signed a nonce from the quote. NVIDIA then
 * reports only that the nonces differ, and the check is `NotCheckable`.
 */
export async function checkEnclaveGpus(request: GpuCheckInput): Promise<CheckResult<true>> {
  const { claim, context } = request;
  if (claim === null) throw new NotCheckable('The report has no GPU evidence.');
  const { endorsements, policy, nowMs } = context;
  const { arch, gpus } = claim.evidence();
  const seen = { arch, gpus: gpus.length };
  const given = endorsements.nvidiaVerdicts.filter(isNvidiaVerdict);
  if (given.length === 0) throw new NotCheckable(unasked(endorsements.nvidiaFault), seen);
  const nonce = wantedNonce(claim, request);
  if (nonce === null)
    throw new NotCheckable('The nonce of the GPU evidence cannot be checked, because no nonce was given.', seen);
  const verdicts: SignedNvidiaVerdict[] = [];
  for (const verdict of given)
    verdicts.push(await readNvidiaVerdict(verdict, policy, keysOf(endorsements.nvidiaKeySets), nowMs));
  const own = verdicts.find((verdict) => nonceOfVerdict(verdict) === nonce);
  if (own) return judgeNvidiaVerdict(own, { ...seen, nonce }, nowMs);
  return foreign(verdicts, request, seen);
}

function foreign(
  verdicts: readonly SignedNvidiaVerdict[],
  { claim, nonce, ofOthers }: GpuCheckInput,
  seen: { arch: string; gpus: number },
): never {
  if (verdicts.some((verdict) => ofOthers.includes(nonceOfVerdict(verdict) ?? '')))
    throw new NotCheckable('The NVIDIA verdict is about another instance.', seen);
  const asked = verdicts.find((verdict) => nonceOfVerdict(verdict) === nonce?.toLowerCase());
  if (asked === undefined || claim?.nonce === 'asked')
    throw new CheckFailed("NVIDIA's verdict has a different nonce.", seen);
  if (asked.named !== null && asked.named !== seen.gpus)
    throw new CheckFailed("NVIDIA's verdict and the evidence have different numbers of GPUs.", {
      ...seen,
      named: asked.named,
    });
  throw new NotCheckable(
    "NVIDIA was asked about the request's nonce, but the GPUs signed the quote's. NVIDIA's verdict shows only that the nonces differ.",
    { ...seen, named: asked.named },
  );
}

function wantedNonce({ nonce: source }: GpuClaim, { reportData, nonce }: GpuCheckInput): string | null {
  return source === 'report-data'
    ? bytesToHex(reportData.subarray(0, GPU_NONCE_BYTES))
    : (nonce?.toLowerCase() ?? null);
}

function keysOf(sets: readonly unknown[]): unknown {
  const keys = sets.flatMap((set) => {
    const { keys: own } = (set ?? {}) as { keys?: unknown };
    return Array.isArray(own) ? (own as unknown[]) : [];
  });
  return keys.length === 0 ? null : { keys };
}
