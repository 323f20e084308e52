import type { Attestation, hopsOfAttestation, SignatureCheck } from '@/lib/client/private-chat';
import { HOP_STANDINGS, HOP_TITLES, whoCouldRead } from '@/lib/protocol/attestation/hop-texts';
import { printableLine } from './printable';

const VERDICTS: Readonly<Record<string, string>> = {
  verified: 'genuine hardware, and a workload that is pinned',
  'unknown-workload': 'genuine hardware; what runs there is not pinned',
  simulated: 'a simulator: no hardware is behind it',
  failed: 'the attestation does not hold',
  'not-checkable': 'the attestation cannot be checked',
};

export function describeVerdict({ model, verdict: { conclusion, reason } }: Attestation): string {
  return printableLine(
    `${model}: ${conclusion.toUpperCase()}, ${VERDICTS[conclusion] ?? ''}${reason ? ` (${reason})` : ''}`,
  );
}

/** Describes a prompt's path: each hop with its proof, then who could have read the prompt. */
export function describeHops(hops: ReturnType<typeof hopsOfAttestation>): string {
  const lines = hops.map(
    ({ kind, name, standing, text }, index) =>
      `${index + 1}. ${HOP_TITLES[kind]}${name === null ? '' : ` (${printableLine(name)})`} · ${HOP_STANDINGS[standing]}\n   ${text.operator}\n   ${text.reads}\n   ${text.proof}`,
  );
  return [...lines, whoCouldRead(hops), ''].join('\n');
}

export function describeSignature({ outcome, signer, reason }: SignatureCheck): string {
  if (outcome === 'sealed' || outcome === 'sealed-pieces')
    return printableLine(reason ?? 'Vouched for by its encryption');
  return printableLine(
    outcome === 'verified'
      ? `Signed by ${signer ?? 'the enclave'}, the key that was attested`
      : `Signature ${outcome}: ${reason ?? 'nothing is known of it'}`,
  );
}
