'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { type ConnectionState, lookNow } from '@/lib/browser/connection/connection';
import { PlugZap, WifiOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { shellWords } from '../words';

/** Full-width line of the shell. Grows with its content on a phone. */
export function Strip({ className, children, label }: { className: string; children: ReactNode; label?: string }) {
  return (
    <section
      aria-label={label}
      className={cn(
        'flex min-h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-sm pointer-coarse:min-h-11 lg:px-4',
        className,
      )}
    >
      {children}
    </section>
  );
}

/** Reports that the gateway does not answer. Replaces the sandbox banner at the same height. */
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
