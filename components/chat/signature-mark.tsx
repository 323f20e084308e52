import { cn } from '@/components/ui/class-names';
import type { Answer, SignatureState } from '@/lib/browser/chat/conversation';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';
import { BadgeAlert, BadgeCheck, BadgeX, CircleDashed, CircleHelp, type LucideIcon } from 'lucide-react';

const LOOKS: Record<Exclude<SignatureState, 'none'>, { Icon: LucideIcon; ink: string }> = {
  verified: { Icon: BadgeCheck, ink: 'text-good' },
  'attested-after': { Icon: BadgeAlert, ink: 'font-medium text-amber-ink' },
  sealed: { Icon: BadgeCheck, ink: 'text-good' },
  'sealed-pieces': { Icon: BadgeAlert, ink: 'text-amber-ink' },
  failed: { Icon: BadgeX, ink: 'font-medium text-bad' },
  unchecked: { Icon: CircleHelp, ink: 'text-amber-ink' },
  unavailable: { Icon: CircleDashed, ink: 'text-dim' },
};

/** Shows what authenticates an answer: the enclave's signature over the answer's bytes, or the answer's encryption. */
export function SignatureMark({ signature }: { signature: Answer['signature'] }) {
  const { state, sentence } = signature;
  if (state === 'none') return null;
  const { Icon, ink } = LOOKS[state];
  return (
    <span data-signature={state} title={sentence} className={cn('inline-flex items-center gap-1 text-xs', ink)}>
      <Icon aria-hidden className="size-4" />
      {state === 'unchecked' ? words.signature.unchecked[whyUnchecked(signature)] : words.signature[state]}
    </span>
  );
}

function whyUnchecked({ claim, isRefused }: Answer['signature']): 'unanswered' | 'refused' | 'late' {
  if (claim === undefined) return 'late';
  return isRefused ? 'refused' : 'unanswered';
}
