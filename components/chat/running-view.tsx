'use client';

import { Skeleton } from '@/components/ui/skeleton';
import type { RunningAnswer } from '@/lib/browser/chat/running-answer';
import { BrandMark } from '@/components/shell/brand-mark';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';
import { MarkdownText } from './markdown-text';
import { Reasoning } from './reasoning';

export function RunningView({ running: { phase, text, reasoning, isPrivate } }: { running: RunningAnswer }) {
  return (
    <div aria-label={words.answer.label} role="article" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {reasoning !== '' && <Reasoning text={reasoning} />}
      {text === '' ? (
        <div aria-hidden className="grid gap-2 py-1">
          <Skeleton className="h-3.5 w-11/12" />
          <Skeleton className="h-3.5 w-2/3" />
        </div>
      ) : (
        <MarkdownText text={text} />
      )}
      <p role="status" className="flex min-h-7 items-center gap-1.5 text-xs text-dim">
        <BrandMark className="size-4 shrink-0 animate-pulse" />
        {words.running[phase]}…
        {isPrivate && phase === 'answering' && <span className="text-faint"> {words.running.notYetVouched}</span>}
      </p>
    </div>
  );
}
