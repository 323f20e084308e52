import type { Attestation, SignatureCheck } from '@/lib/client/private-chat';

const VERDICTS: Readonly<Record<string, string>> = {
  verified: 'genuine hardware, and a workload that is pinned',
  'unknown-workload': 'genuine hardware; what runs there is not pinned',
  simulated: 'a simulator: no hardware is behind it',
  failed: 'the attestation does not hold',
  'not-checkable': 'the attestation cannot be checked',
};

/** A verdict as one line. */
export function describeVerdict({ model, verdict: { conclusion, reason } }: Attestation): string {
  return `${model}: ${conclusion.toUpperCase()}, ${VERDICTS[conclusion] ?? ''}${reason ? ` (${reason})` : ''}`;
}

/** What the signature of an answer is worth, as one line. */
export function describeSignature({ outcome, signer, reason }: SignatureCheck): string {
  return outcome === 'verified' ? `Signed by ${signer ?? 'the enclave'}, the key that was attested` : `Signature ${outcome}: ${reason ?? 'nothing is known of it'}`;
}
