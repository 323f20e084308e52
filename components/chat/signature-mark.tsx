import { cn } from '@/components/ui/class-names';
import type { Answer, SignatureState } from '@/lib/browser/chat/conversation';
import { BadgeAlert, BadgeCheck, BadgeX, CircleDashed, type LucideIcon } from 'lucide-react';

const LOOKS: Record<Exclude<SignatureState, 'none'>, { word: string; Icon: LucideIcon; ink: string }> = {
  verified: { word: 'signature verified', Icon: BadgeCheck, ink: 'text-good' },
  'attested-after': { word: 'signed by a key attested afterwards', Icon: BadgeAlert, ink: 'font-medium text-amber-ink' },
  failed: { word: 'signature does not hold', Icon: BadgeX, ink: 'font-medium text-bad' },
  unavailable: { word: 'not signed', Icon: CircleDashed, ink: 'text-dim' },
};

/** What vouches for an answer: the enclave's signature over the very bytes. */
export function SignatureMark({ signature: { state, sentence } }: { signature: Answer['signature'] }) {
  if (state === 'none') return null;
  const { word, Icon, ink } = LOOKS[state];
  return (
    <span data-signature={state} title={sentence} className={cn('inline-flex items-center gap-1 text-xs', ink)}>
      <Icon aria-hidden className="size-4" />
      {word}
    </span>
  );
}
