'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { useReadOperation } from '@/components/reference/use-read-operation';
import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Play } from 'lucide-react';
import { useId } from 'react';
import { overviewWords } from './words';

const ReadAnswer = onDemand(() => import('@/components/reference/read-answer').then((module) => module.ReadAnswer));

const PATH = '/api/v1/crypto/rpc/networks';

const words = overviewWords.hero;

export function OpenCall() {
  const id = useId();
  const { answer, error, isRunning, run } = useReadOperation();
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-md border border-line px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h2 id={id} className="text-lg font-semibold">
            {words.title}
          </h2>
          <code className="figures text-sm wrap-anywhere text-dim">{words.call(PATH)}</code>
        </div>
        <Button
          onPointerEnter={ReadAnswer.preload}
          onFocus={ReadAnswer.preload}
          disabled={isRunning}
          onClick={() => run(PATH)}
        >
          <Play aria-hidden />
          {words.run}
        </Button>
      </div>
      {error !== null && <FailureCard error={error} onRetry={() => run(PATH)} />}
      {answer !== null && <ReadAnswer answer={answer} />}
    </section>
  );
}
