'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { isWithout } from '@/lib/browser/credential';
import { chatWords as words } from '@/lib/browser/words/chat';
import { CircleDashed, LoaderCircle, LockOpen, type LucideIcon, Unplug } from 'lucide-react';
import { checksOnTheWay, passedOf } from './privacy/checks-on-the-way';
import { CHANGED, VERDICTS } from './privacy/verdicts';

/** Shows the verdict in a word and opens the Privacy panel. */
export function PrivacyChip({ chat, onClick }: { chat: Chat; onClick: () => void }) {
  const { word: whole, Icon, ink, checks = null } = lookOf(chat);
  // Shortens the verdict on a phone, to leave room for the model's name.
  const [word, qualifier] = whole === words.privacy['unknown-workload'] ? whole.split(' ') : [whole];
  return (
    <Button
      onClick={onClick}
      aria-label={words.privacy.label(checks === null ? whole : `${whole} · ${checks}`)}
      title={whole}
      className="px-2.5"
    >
      <Icon aria-hidden className={cn(ink, Icon === LoaderCircle && 'animate-spin')} />
      <span className={cn('max-sm:text-xs', ink)}>
        {word}
        {qualifier !== undefined && <span className="max-sm:sr-only"> {qualifier}</span>}
      </span>
      {checks !== null && <span className="figures text-xs text-dim max-md:hidden">· {checks}</span>}
    </Button>
  );
}

function lookOf({ model, models, privacy, credential, isOnPlainHttp }: Chat): {
  word: string;
  Icon: LucideIcon;
  ink: string;
  checks?: string;
} {
  if (model === null && models !== null)
    return { word: words.privacy.notVerified, Icon: CircleDashed, ink: 'text-dim' };
  if (model !== null && !model.can.attest) return { word: words.privacy.none, Icon: LockOpen, ink: 'text-dim' };
  if (model !== null && (isOnPlainHttp || (privacy.kind === 'unchecked' && isWithout(credential))))
    return { word: words.privacy.notVerified, Icon: CircleDashed, ink: 'text-dim' };
  switch (privacy.kind) {
    case 'judged': {
      const { verdict } = privacy.attestation;
      const { conclusion } = verdict;
      if (privacy.changes.length > 0) return { word: words.privacy.changed, Icon: CHANGED.Icon, ink: CHANGED.ink };
      const { Icon, ink } = VERDICTS[conclusion];
      const { checks } = checksOnTheWay(verdict);
      const isSealed = conclusion === 'verified' && model?.can.encrypt === true;
      return {
        word: isSealed ? words.privacy.encrypted : words.privacy[conclusion],
        Icon,
        ink,
        checks: words.privacy.checks(passedOf(checks), checks.length),
      };
    }
    case 'unanswered':
      return { word: words.privacy.unanswered, Icon: Unplug, ink: 'text-dim' };
    default:
      return { word: words.privacy.checking, Icon: LoaderCircle, ink: 'text-dim' };
  }
}
