'use client';

import { Button } from '@/components/ui/button';
import type { Turn } from '@/lib/browser/chat/conversation';
import { versionPlaceOf } from '@/lib/browser/chat/turn-versions';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** Steps through the versions of a question. Renders nothing for a single version. */
export function VersionSteps({ turn, onStep }: { turn: Turn; onStep: (step: -1 | 1) => void }) {
  const place = versionPlaceOf(turn);
  if (place === null) return null;
  const { number, count } = place;
  return (
    <div role="group" aria-label={words.versions.label} className="-my-1 flex items-center gap-0.5 text-xs text-dim">
      <StepButton label={words.versions.earlier} isPossible={number > 1} onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden />
      </StepButton>
      <span role="status" className="figures" aria-label={words.versions.place(number, count)}>
        {number} / {count}
      </span>
      <StepButton label={words.versions.later} isPossible={number < count} onClick={() => onStep(1)}>
        <ChevronRight aria-hidden />
      </StepButton>
    </div>
  );
}

/** Button that stays enabled at either end, because a disabled button would lose focus. */
function StepButton({
  label,
  isPossible,
  onClick,
  children,
}: {
  label: string;
  isPossible: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      tone="quiet"
      size="iconSm"
      aria-label={label}
      title={label}
      aria-disabled={!isPossible}
      className="aria-disabled:opacity-40"
      onClick={() => isPossible && onClick()}
    >
      {children}
    </Button>
  );
}
