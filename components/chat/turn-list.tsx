'use client';

import type { Turn } from '@/lib/browser/chat/conversation';
import type { RunningAnswer } from '@/lib/browser/chat/running-answer';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { cn } from '@/components/ui/class-names';
import { useLayoutEffect } from 'react';
import { TurnView } from './turn-view';

interface TurnListProps {
  chat: Chat;
  turns: readonly Turn[];
  running: readonly RunningAnswer[];
  /** Called once the turns are on the page, so that the caller can scroll to the end. */
  onShown: () => void;
}

export function TurnList({ chat, turns, running, onShown }: TurnListProps) {
  useLayoutEffect(() => {
    onShown();
  }, [onShown]);
  return (
    <ol
      className={cn(
        'mx-auto grid w-full grid-cols-[minmax(0,1fr)] gap-6 px-3 py-5 lg:px-6',
        turns.some(({ beside }) => beside !== undefined) ? 'max-w-6xl' : 'max-w-3xl',
      )}
    >
      {turns.map((turn, index) => (
        // Keyed by index, so that stepping through versions keeps focus.
        <TurnView key={index} chat={chat} turn={turn} running={running} />
      ))}
    </ol>
  );
}
