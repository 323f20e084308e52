'use client';

import { Button } from '@/components/ui/button';
import { type ConnectionState, lookNow } from '@/lib/browser/connection/connection';
import { shellWords } from '@/lib/browser/words/shell';
import { PlugZap, WifiOff } from 'lucide-react';
import { useState } from 'react';
import { Strip } from './strip';

/** That nothing answers, in the place of what the gateway says of itself; and what can be done meanwhile. */
export function ConnectionStrip({ state }: { state: Extract<ConnectionState, 'offline' | 'unanswered'> }) {
  const [isLooking, setIsLooking] = useState(false);
  const Icon = state === 'offline' ? WifiOff : PlugZap;
  const look = () => {
    setIsLooking(true);
    void lookNow().finally(() => setIsLooking(false));
  };
  return (
    <Strip className="bg-bad-soft">
      <Icon aria-hidden className="size-4 shrink-0 text-bad" />
      <p role="alert" className="min-w-0 flex-1 py-1">
        <strong className="font-semibold">{shellWords.connection[state]}</strong>{' '}
        <span className="text-dim">{shellWords.connection.meanwhile}</span>
      </p>
      <Button size="sm" aria-disabled={isLooking} onClick={() => !isLooking && look()}>
        {isLooking ? shellWords.connection.trying : shellWords.connection.tryNow}
      </Button>
    </Strip>
  );
}
