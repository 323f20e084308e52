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

/** How a verdict looks: each has an icon, a word and an edge of its own, so that none is told by colour alone. */
export interface VerdictLook {
  Icon: LucideIcon;
  /** Text colour. */
  ink: string;
  /** Ground and edge of the panel. */
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

/** A verdict that holds, on something else than was verified before: never the green of one that nothing has to be asked of. */
export const CHANGED: VerdictLook = {
  Icon: ShieldAlert,
  ink: 'text-amber-ink',
  box: 'border-2 border-dashed border-amber-line bg-amber-soft',
};
