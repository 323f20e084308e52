'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { rpcWords } from './words';

const IdempotencyField = onDemand(() => import('./idempotency-field').then((module) => module.IdempotencyField), {
  waiting: <Skeleton className="mx-3 mb-2 h-7 lg:mx-4 pointer-coarse:h-9" />,
});

const words = rpcWords.idempotency;

/**
 * Shows the request's status. Opens the Idempotency-Key field when a button is pressed or the key changes.
 */
export function RequestOptions({ idempotencyKey, children }: { idempotencyKey: string; children: ReactNode }) {
  const panel = useId();
  const [isAsked, setIsAsked] = useState(false);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const isOpen = isAsked || (idempotencyKey !== '' && closedFor !== idempotencyKey);
  return (
    <div className="shrink-0 border-t border-line">
      <div className="flex items-start justify-between gap-2 pr-2 lg:pr-3">
        {children}
        <Button
          tone="quiet"
          size="sm"
          className="my-1 gap-1 aria-expanded:bg-transparent aria-expanded:[&>svg]:rotate-180"
          onPointerEnter={IdempotencyField.preload}
          onFocus={IdempotencyField.preload}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => {
            setIsAsked(!isOpen);
            setClosedFor(isOpen ? idempotencyKey : null);
          }}
        >
          {idempotencyKey === '' || isOpen ? words.options : words.label}
          <ChevronDown aria-hidden />
        </Button>
      </div>
      {isOpen && <IdempotencyField panel={panel} value={idempotencyKey} />}
    </div>
  );
}
