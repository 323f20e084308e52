'use client';

import { Button } from '@/components/ui/button';
import { formatCost } from '@/lib/browser/amounts';
import { formatCountdown, formatMoment } from '@/lib/browser/clock';
import { forgetTakes, type PastTake, usePastTakes } from '@/lib/browser/speech/past-takes';
import { openPastTake } from '@/lib/browser/speech/takes';
import { useState } from 'react';

/** What was spoken before, in this browser; one click brings it back. */
export function PastTakes() {
  const takes = usePastTakes();
  const [problem, setProblem] = useState<string | null>(null);
  if (takes.length === 0) return null;
  const open = (take: PastTake) => {
    setProblem(null);
    openPastTake(take).catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <section aria-label="Spoken before" className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-sm font-semibold">Spoken before</h2>
        <Button size="sm" tone="quiet" onClick={() => void forgetTakes()}>
          Erase all
        </Button>
      </div>
      {problem !== null && <p role="alert" className="text-xs text-bad">{problem}</p>}
      <ol className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {takes.map((take) => (
          <li key={take.id}>
            <button type="button" onClick={() => open(take)} className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 py-2 text-left hover:bg-hover">
              <span dir="auto" className="truncate text-sm">{take.request.input}</span>
              <span className="figures text-right text-xs text-dim">{take.durationSeconds === null ? '' : formatCountdown(Math.round(take.durationSeconds) * 1000)}</span>
              <span className="truncate text-xs text-dim">
                {take.request.voice} · {take.request.model} · <time dateTime={new Date(take.atMs).toISOString()}>{formatMoment(take.atMs)}</time>
              </span>
              <span className="figures text-right text-xs text-dim">{formatCost(take.costUsd)}</span>
            </button>
          </li>
        ))}
      </ol>
      <p className="text-xs text-faint">The last 20, kept in this browser only.</p>
    </section>
  );
}
