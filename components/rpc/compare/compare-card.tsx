'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatCount } from '@/lib/browser/text/amounts';
import { summarizeQuantity } from '@/components/json/summarize-quantity';
import { type ComparedCall, type ComparedCell, placeOf } from './use-comparison';
import { describeNetwork } from '@/lib/browser/reads/networks';
import { editDraft } from '@/lib/browser/rpc/rpc-draft';
import type { CallCredential } from '@/lib/client';
import type { ReactNode } from 'react';
import { FailureCard } from '@/components/paying/recovery/failure-card';
import { rpcCompareWords as words } from '../tool-words';
import { rpcDecodingWords } from '@/components/json/words';

interface CompareCardProps {
  call: ComparedCall;
  cells: readonly (ComparedCell & { path: string })[];
  onRetry: (presented?: CallCredential) => void;
}

/** Each row has the same height in all cards, so that the cards line up. */
export function CompareCard({ call, cells, onRetry }: CompareCardProps) {
  const name = describeNetwork(call.network)?.name ?? call.network;
  return (
    <article aria-label={name} className="flex min-w-0 flex-col rounded-md border border-line">
      <header className="flex h-10 items-center gap-2 border-b border-line px-3">
        <h3 className="min-w-0 flex-1 truncate text-sm font-medium">{name}</h3>
        <CallBadge call={call} />
      </header>
      <CallFacts call={call} />
      {call.status === 'answered' && (
        <dl className="divide-y divide-line">
          {cells.map((cell) => (
            <CellRow key={cell.path} cell={cell} call={call} />
          ))}
        </dl>
      )}
      {call.status === 'failed' && (
        <div className="grid gap-3 p-3">
          <FailureCard error={call.error} onRetry={onRetry} />
        </div>
      )}
      {(call.status === 'waiting' || call.status === 'sending') && (
        <div className="grid h-12 content-center px-3">
          <Skeleton className="h-4 w-3/5" />
        </div>
      )}
      <footer className="mt-auto border-t border-line p-1">
        <Button size="sm" tone="quiet" onClick={() => editDraft({ network: call.network, text: call.request.text })}>
          {words.askAlone}
        </Button>
      </footer>
    </article>
  );
}

function CallBadge({ call }: { call: ComparedCall }) {
  if (call.status === 'waiting') return <Badge>{words.waiting}</Badge>;
  if (call.status === 'sending') return <Badge tone="amber">{words.sending}</Badge>;
  if (call.status === 'failed') return <Badge tone="bad">{words.noResult}</Badge>;
  const failed = call.answer.items.some(({ error }) => error !== undefined);
  return failed ? <Badge tone="bad">{words.rpcError}</Badge> : <Badge tone="good">{words.result}</Badge>;
}

function CallFacts({ call }: { call: ComparedCall }) {
  const answer = call.status === 'answered' ? call.answer : null;
  return (
    <dl className="grid grid-cols-2 gap-x-3 gap-y-1 border-b border-line bg-surface px-3 py-2">
      <Fact name={words.credits}>{answer && answer.credits !== null ? formatCount(answer.credits) : null}</Fact>
      <Fact name={words.cost}>{answer && answer.costUsd !== null ? formatCost(answer.costUsd) : null}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="figures truncate text-sm">{children ?? <span className="text-faint">–</span>}</dd>
    </div>
  );
}

function CellRow({
  cell: { path, text, isOdd },
  call: { network, request },
}: {
  cell: ComparedCell & { path: string };
  call: ComparedCall;
}) {
  const { name, item } = placeOf(path);
  const place = { name, method: request.calls[item]?.method, symbol: describeNetwork(network)?.nativeSymbol };
  const meaning = text === null ? null : summarizeQuantity(text.replace(/^"|"$/g, ''), place);
  return (
    <div className={cn('grid h-12 content-center px-3', isOdd && 'bg-amber-soft')}>
      <dt className="flex items-baseline gap-2 text-xs text-faint">
        <span className="figures truncate" title={path}>
          {path}
        </span>
        {isOdd && <span className="ml-auto shrink-0 text-amber-ink">{words.differs}</span>}
      </dt>
      <dd className="figures truncate text-xs" title={text ?? undefined}>
        {text === null ? <span className="text-faint">{words.absent}</span> : text}
        {meaning !== null && text !== null && text.length > 5 && (
          <span title={meaning.wei === null ? undefined : rpcDecodingWords.wei(meaning.wei)} className="text-faint">
            {' = '}
            {meaning.text}
          </span>
        )}
      </dd>
    </div>
  );
}
