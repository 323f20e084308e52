import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { CircleSlash, FlaskConical, type LucideIcon, ShieldCheck, ShieldQuestion, ShieldX } from 'lucide-react';

/** How a verdict looks: each has an icon, a word and an edge of its own, so that none is told by colour alone. */
export interface VerdictLook {
  word: string;
  /** What it means, in a sentence. */
  sentence: string;
  Icon: LucideIcon;
  /** Text colour. */
  ink: string;
  /** Ground and edge of the panel. */
  box: string;
}

export const VERDICTS: Record<AttestationConclusion, VerdictLook> = {
  verified: {
    word: 'Verified',
    sentence: 'Genuine hardware runs a workload that you have pinned, from its firmware to its application, and it holds the key that messages go to.',
    Icon: ShieldCheck,
    ink: 'text-good',
    box: 'border-2 border-solid border-good bg-good-soft',
  },
  'unknown-workload': {
    word: 'Genuine hardware, unknown workload',
    sentence: 'The hardware is genuine and holds the key. No pin says enough of what runs on it: it may be anything.',
    Icon: ShieldQuestion,
    ink: 'text-ink',
    box: 'border-2 border-dashed border-edge bg-surface',
  },
  simulated: {
    word: 'Simulated',
    sentence: 'Every check that could be made holds, under the root of a simulator. This shows how the protocol works and protects nothing: there is no hardware behind it.',
    Icon: FlaskConical,
    ink: 'text-ink',
    box: 'border border-double border-3 border-edge bg-surface',
  },
  failed: {
    word: 'Failed',
    sentence: 'A check does not hold. Nothing is sent to this model.',
    Icon: ShieldX,
    ink: 'text-bad',
    box: 'border-2 border-l-8 border-solid border-bad bg-bad-soft',
  },
  'not-checkable': {
    word: 'Not checkable',
    sentence: 'Something that the check takes is missing, so there is nothing to rely on. Nothing is sent to this model.',
    Icon: CircleSlash,
    ink: 'text-dim',
    box: 'border-2 border-dotted border-edge bg-ground',
  },
};
