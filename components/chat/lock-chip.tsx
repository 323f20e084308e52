'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { isWithout } from '@/lib/browser/credential';
import { chatWords as words } from '@/lib/browser/words/chat';
import { CircleDashed, LoaderCircle, LockOpen, type LucideIcon, Unplug } from 'lucide-react';
import { CHANGED, VERDICTS } from './lock/verdicts';

/** The lock in one word; it opens the panel that says why. */
export function LockChip({ chat, onClick }: { chat: Chat; onClick: () => void }) {
  const { word: whole, Icon, ink } = lookOf(chat);
  // On a phone the name of the model needs the room.
  const [word, qualifier] = whole === words.lock['unknown-workload'] ? whole.split(' ') : [whole];
  return (
    <Button onClick={onClick} aria-label={words.lock.label(whole)} title={whole} className="px-2.5">
      <Icon aria-hidden className={cn(ink, Icon === LoaderCircle && 'animate-spin')} />
      <span className={cn('max-sm:text-xs', ink)}>
        {word}
        {qualifier !== undefined && <span className="max-sm:sr-only"> {qualifier}</span>}
      </span>
    </Button>
  );
}

function lookOf({ model, lock, credential, isOnPlainHttp }: Chat): { word: string; Icon: LucideIcon; ink: string } {
  if (model !== null && !model.can.attest) return { word: words.lock.none, Icon: LockOpen, ink: 'text-dim' };
  if (model !== null && (isOnPlainHttp || (lock.kind === 'unchecked' && isWithout(credential))))
    return { word: words.lock.notVerified, Icon: CircleDashed, ink: 'text-dim' };
  switch (lock.kind) {
    case 'judged': {
      const { conclusion } = lock.attestation.verdict;
      if (lock.changes.length > 0) return { word: words.lock.changed, Icon: CHANGED.Icon, ink: CHANGED.ink };
      const { Icon, ink } = VERDICTS[conclusion];
      return { word: words.lock[conclusion], Icon, ink };
    }
    case 'unanswered':
      return { word: words.lock.unanswered, Icon: Unplug, ink: 'text-dim' };
    default:
      return { word: words.lock.checking, Icon: LoaderCircle, ink: 'text-dim' };
  }
}
