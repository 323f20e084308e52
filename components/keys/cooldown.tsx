'use client';

import { Button } from '@/components/ui/button';
import { useNow } from '@/lib/browser/clock';
import { formatCountdown } from '@/lib/browser/countdown';
import type { PoolState } from '@/lib/browser/staking/pool-state';
import { formatToken } from '@/lib/browser/staking/token-amount';
import { stakingWords as words } from '@/lib/browser/words/staking';
import { Hourglass } from 'lucide-react';

interface CooldownProps {
  unstaking: NonNullable<PoolState['unstaking']>;
  state: PoolState;
  isRunning: boolean;
  onTake: () => void;
}

/** Shows tokens in cooldown, the remaining time, and a button for withdrawal. */
export function Cooldown({ unstaking, state, isRunning, onTake }: CooldownProps) {
  const leftMs = unstaking.availableAtMs - useNow(1000);
  const isOver = leftMs <= 0;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface px-3 py-2 text-sm">
      <Hourglass aria-hidden className="size-4 text-dim" />
      <p className="min-w-0 flex-1">
        <span className="figures">
          {formatToken(unstaking.amount, state.decimals)} {state.symbol}
        </span>{' '}
        {isOver ? (
          words.canBeTaken
        ) : (
          <>
            {words.coolsDown} <span className="figures">{formatCountdown(leftMs)}</span>.
          </>
        )}
      </p>
      <Button size="sm" disabled={!isOver || isRunning} onClick={onTake}>
        {words.takeBack}
      </Button>
    </div>
  );
}
