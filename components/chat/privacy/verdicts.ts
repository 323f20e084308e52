import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import {
  CircleSlash,
  FlaskConical,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestion,
  ShieldX,
} from 'lucide-react';
import type { Attestation } from '@/lib/client/private-chat/index';
import type { EnclaveCheck } from '@/lib/protocol/attestation/enclave-checks';

/** Icon, word and border repeat the meaning of the color. */
export interface VerdictLook {
  Icon: LucideIcon;
  ink: string;
  box: string;
}

export const VERDICTS: Record<AttestationConclusion, VerdictLook> = {
  verified: {
    Icon: ShieldCheck,
    ink: 'text-good',
    box: 'border-2 border-solid border-good bg-good-soft',
  },
  'unknown-workload': {
    Icon: ShieldQuestion,
    ink: 'text-ink',
    box: 'border-2 border-dashed border-edge bg-surface',
  },
  simulated: {
    Icon: FlaskConical,
    ink: 'text-ink',
    box: 'border border-double border-3 border-edge bg-surface',
  },
  failed: {
    Icon: ShieldX,
    ink: 'text-bad',
    box: 'border-2 border-l-8 border-solid border-bad bg-bad-soft',
  },
  'not-checkable': {
    Icon: CircleSlash,
    ink: 'text-dim',
    box: 'border-2 border-dotted border-edge bg-ground',
  },
};

/** Look of a valid verdict whose evidence has changed since the last verification. Must not be green. */
export const CHANGED: VerdictLook = {
  Icon: ShieldAlert,
  ink: 'text-amber-ink',
  box: 'border-2 border-dashed border-amber-line bg-amber-soft',
};

/**
 * Returns the number of enclaves that a prompt passes through, and all checks of these enclaves. With one enclave or
 * none, returns the checks of the report.
 */
export function checksOnTheWay({ enclaves, checks }: Attestation['verdict']): {
  enclaves: number;
  checks: readonly EnclaveCheck[];
} {
  const used = enclaves.filter(({ isUsed }) => isUsed);
  return { enclaves: used.length, checks: used.length > 1 ? used.flatMap((enclave) => enclave.checks) : checks };
}

export function passedOf(checks: readonly EnclaveCheck[]): number {
  return checks.filter(({ outcome }) => outcome === 'passed').length;
}
