'use client';

import { Button } from '@/components/ui/button';
import { type ConnectionState, lookNow } from '@/lib/browser/connection/connection';
import { shellWords } from '@/lib/browser/words/shell';
import { PlugZap, WifiOff } from 'lucide-react';
import { useState } from 'react';
import { Strip } from './strip';

/** Reports that the gateway does not answer. Takes the place and height of the sandbox banner. */
export function ConnectionStrip({ state }: { state: Extract<ConnectionState, 'offline' | 'unanswered'> }) {
  const [isLooking, setIsLooking] = useState(false);
  const Icon = state === 'offline' ? WifiOff : PlugZap;
  const look = () => {
    setIsLooking(true);
    void lookNow().finally(() => setIsLooking(false));
  };
  return (
    <Strip className="h-9 bg-bad-soft pointer-coarse:h-11">
      <Icon aria-hidden className="size-4 shrink-0 text-bad" />
      <p role="alert" className="min-w-0 flex-1 truncate">
        <strong className="font-semibold">{shellWords.connection[state]}</strong>{' '}
        <span className="text-dim max-lg:sr-only">{shellWords.connection.stillWorks} </span>
        <span className="text-dim max-sm:sr-only">{shellWords.connection.meanwhile}</span>
        <span aria-hidden className="text-dim sm:hidden">
          {shellWords.connection.meanwhileShort}
        </span>
      </p>
      <Button size="sm" aria-disabled={isLooking} onClick={() => !isLooking && look()}>
        {isLooking ? shellWords.connection.trying : shellWords.connection.tryNow}
      </Button>
    </Strip>
  );
}
