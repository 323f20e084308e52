'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { HeldButton } from '@/components/ui/held-button';
import { formatCost, formatDuration } from '@/lib/browser/text/amounts';
import { type CallOutcome, forgetCalls, type PastCall, useCallHistory } from './call-history';
import { formatMoment } from '@/lib/browser/text/moments';
import { rpcHistoryWords as words } from './tool-words';

export function HistoryList({ onOpen }: { onOpen: (call: PastCall, others: readonly string[]) => void }) {
  const calls = useCallHistory();
  if (calls.length === 0)
    return (
      <p data-drawing="rows" className="px-6 py-16 text-center text-sm text-dim">
        {words.empty}
      </p>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ol aria-label={words.list} className="min-h-0 flex-1 divide-y divide-line overflow-auto">
        {calls.map((call) => (
          <li key={call.id}>
            <HeldButton
              disabled={call.requestText === ''}
              onClick={() =>
                onOpen(
                  call,
                  calls.map(({ requestText }) => requestText),
                )
              }
              className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 py-2 text-left hover:bg-hover disabled:opacity-60 aria-disabled:opacity-60 lg:px-4"
            >
              <span className="figures truncate text-sm">
                {call.method}
                {call.callCount > 1 && <span className="text-faint"> +{call.callCount - 1}</span>}
              </span>
              <OutcomeBadge outcome={call.outcome} />
              <span className="truncate text-xs text-dim">
                {call.network} ·{' '}
                <time dateTime={new Date(call.sentAtMs).toISOString()}>{formatMoment(call.sentAtMs)}</time>
              </span>
              <span className="figures text-right text-xs text-dim">{factsOf(call)}</span>
            </HeldButton>
          </li>
        ))}
      </ol>
      <div className="flex shrink-0 items-center justify-between gap-3 border-t border-line px-3 py-1.5 text-xs text-faint lg:px-4">
        {words.kept}
        <Button size="sm" tone="quiet" onClick={forgetCalls}>
          {words.clear}
        </Button>
      </div>
    </div>
  );
}

const OUTCOMES: Record<CallOutcome, { tone: 'good' | 'bad'; word: string }> = {
  ok: { tone: 'good', word: words.outcomes.result },
  'rpc-error': { tone: 'bad', word: words.outcomes.error },
  refused: { tone: 'bad', word: words.outcomes.refused },
  unreachable: { tone: 'bad', word: words.outcomes.noAnswer },
};

function OutcomeBadge({ outcome }: { outcome: CallOutcome }) {
  const { tone, word } = OUTCOMES[outcome];
  return (
    <Badge tone={tone} className="justify-self-end">
      {word}
    </Badge>
  );
}

function factsOf({ latencyMs, costUsd }: PastCall): string {
  return [latencyMs === null ? '' : formatDuration(latencyMs), costUsd === null ? '' : formatCost(costUsd)]
    .filter(Boolean)
    .join(' · ');
}
