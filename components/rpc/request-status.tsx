'use client';

import { onDemand } from '@/components/ui/on-demand';
import { useFirstAct } from '@/lib/browser/first-act';
import { rpcWords } from '@/lib/browser/words/rpc';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { Workbench } from './use-workbench';

const NotSent = onDemand(() => import('./request-notices').then((module) => module.NotSent), {
  waiting: <div className="h-9" />,
});

/** Shows in one line whether the page can send the request. After an attempt, shows the full reason. */
export function RequestStatus({
  id,
  bench: { problem, quote, obstacle, refusedToSend, draft },
}: {
  id: string;
  bench: Workbench;
}) {
  useFirstAct(NotSent.preload);
  const sentence = problem ?? obstacle ?? (quote?.kind === 'refused' ? quote.sentence : null);
  return (
    <div id={id} className="shrink-0 border-t border-line">
      {refusedToSend && sentence !== null ? (
        <NotSent sentence={sentence} />
      ) : (
        <p className="flex min-h-9 items-start gap-2 px-3 py-2 text-xs lg:px-4">
          {sentence === null ? (
            <CircleCheck aria-hidden className="mt-px size-3.5 shrink-0 text-good" />
          ) : (
            <CircleAlert
              aria-hidden
              className={`mt-px size-3.5 shrink-0 ${problem === null ? 'text-amber-ink' : 'text-bad'}`}
            />
          )}
          <span className={sentence === null ? 'text-dim' : 'text-ink'}>
            {sentence ?? rpcWords.status.valid(draft.network)}
          </span>
        </p>
      )}
    </div>
  );
}
