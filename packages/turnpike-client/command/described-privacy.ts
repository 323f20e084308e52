import type { SignatureCheck } from '@/lib/client/private-chat';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { HOP_STANDINGS, HOP_TITLES, whoCouldRead } from '@/lib/protocol/attestation/hop-texts';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { printableLine } from './printable';

const VERDICTS: Readonly<Record<AttestationConclusion, string>> = {
  verified: 'genuine hardware, and a workload that is pinned',
  'unknown-workload': 'genuine hardware; what runs there is not pinned',
  simulated: 'a simulator: no hardware is behind it',
  failed: 'the attestation does not hold',
  'not-checkable': 'the attestation cannot be checked',
};

interface DescribedVerdict {
  /** Null if unknown. */
  model: string | null;
  verdict: { conclusion: AttestationConclusion; reason: string | null };
}

export function describeVerdict({ model, verdict: { conclusion, reason } }: DescribedVerdict): string {
  return printableLine(
    `${model === null ? '' : `${model}: `}${conclusion.toUpperCase()}, ${VERDICTS[conclusion]}${reason ? ` (${reason})` : ''}`,
  );
}

/** Describes a prompt's path by hop, then who could have read the prompt. Ends with an empty line. */
export function describeHops(hops: readonly Hop[]): string[] {
  const lines = hops.flatMap(({ kind, name, standing, text }, index) => [
    `${index + 1}. ${HOP_TITLES[kind]}${name === null ? '' : ` (${name})`} · ${HOP_STANDINGS[standing]}`,
    `   run by   ${text.operator}`,
    `   can read ${text.reads}`,
    `   proof    ${text.proof}`,
  ]);
  return ['Who could have read a prompt:', ...lines.map(printableLine), whoCouldRead(hops), ''];
}

/** Describes what proves that the enclave wrote the answer. */
export function describeSignature({ outcome, signer, reason, attestedAddress }: SignatureCheck): string {
  return printableLine(
    {
      verified: `Signed by ${signer ?? 'the enclave'}, the key that was attested`,
      'attested-after': `Signed by a key that was attested only after the answer: ${reason ?? ''}`,
      sealed: `Vouched for by its encryption: ${reason ?? ''}`,
      'sealed-pieces': `Vouched for by its encryption, piece by piece: ${reason ?? ''}`,
      invalid: `Signature invalid: ${reason ?? 'nothing is known of it'}`,
      missing: `${attestedAddress === '' ? 'Not signed' : 'Signature missing'}: ${reason ?? 'nothing is known of it'}`,
    }[outcome],
  );
}
