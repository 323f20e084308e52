'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Badge } from '@/components/ui/badge';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { formatBytes } from '@/lib/browser/text/amounts';
import { classifyFailure, statusOf } from '@/lib/browser/reads/gateway';
import { asksTheSame } from './answered-request';
import type { RpcCallState, SentRequest } from './perform-call';
import { rpcAnswerWords as words } from './answer-words';
import type { RpcAnswer } from '@/lib/client';
import { useEffect, useState } from 'react';
import { AnswerFacts, type Facts, UNKNOWN_FACTS } from './answer-facts';
import type { Workbench } from './use-workbench';

const AnswerItems = onDemand(() => import('./answer-items').then((module) => module.AnswerItems), {
  waiting: <Skeleton className="h-32" />,
});

interface CallOutcomeProps {
  bench: Workbench;
  view: 'tree' | 'raw';
}

export function CallOutcome({ bench, view }: CallOutcomeProps) {
  const { state, draft } = bench;
  if (state.status === 'idle') return null;
  if (state.status === 'sending') return <Waiting />;
  return (
    <>
      {!asksTheSame(state.request, draft) && (
        <p role="status" className="truncate border-b border-line bg-amber-soft px-3 py-2 text-xs lg:px-4">
          {words.answerTo(methodsOf(state.request), state.request.network)}
        </p>
      )}
      <EndedCall bench={bench} view={view} />
    </>
  );
}

function methodsOf({ calls }: SentRequest): string {
  const [first = '', second] = calls.map(({ method }) => method);
  return second === undefined
    ? first
    : calls.length === 2
      ? `${first}, ${second}`
      : words.methods(first, calls.length - 1);
}

function EndedCall({ bench: { state, resend, resendWithNewKey }, view }: CallOutcomeProps) {
  if (state.status !== 'answered' && state.status !== 'failed') return null;
  if (state.status === 'answered') {
    return (
      <div className="p-3 lg:p-4">
        {view === 'tree' ? (
          <AnswerItems answer={state.answer} request={state.request} />
        ) : (
          <RawAnswer answer={state.answer} />
        )}
      </div>
    );
  }
  return (
    <div className="grid gap-4 p-3 lg:p-4">
      <FailureCard
        interrupts="rpc"
        error={state.error}
        onRetry={resend}
        onRetryWithKey={state.request.idempotencyKey === null ? resendWithNewKey : undefined}
      />
    </div>
  );
}

export function CallBadge({ bench: { state, draft, refusedToSend } }: Pick<CallOutcomeProps, 'bench'>) {
  if (state.status === 'idle') return null;
  if (state.status === 'sending') return <Badge>{words.sending}</Badge>;
  return (
    <>
      {(refusedToSend || !asksTheSame(state.request, draft)) && <Badge tone="amber">{words.ofEarlierCall}</Badge>}
      {state.status === 'failed' ? (
        <Badge tone={statusOf(state.error) === 402 ? 'amber' : 'bad'}>{words.noResult}</Badge>
      ) : (
        <AnswerBadge answer={state.answer} />
      )}
    </>
  );
}

function AnswerBadge({ answer }: { answer: RpcAnswer }) {
  const { items, isBatch, replayed, unkept } = answer;
  const failed = items.filter(({ error }) => error !== undefined).length;
  return (
    <>
      {replayed && <Badge tone="amber">{words.replayed}</Badge>}
      {unkept && <Badge tone="amber">{words.notKept}</Badge>}
      {failed === 0 && (
        <Badge tone="good">{isBatch && items.length !== 1 ? words.results(items.length) : words.result}</Badge>
      )}
      {failed > 0 && <Badge tone="bad">{isBatch ? words.someFailed(failed, items.length) : words.rpcError}</Badge>}
    </>
  );
}

function Waiting() {
  useEffect(() => {
    AnswerItems.preload();
  }, []);
  return (
    <div role="status" aria-label={words.waiting} className="grid gap-3 p-3 lg:p-4">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="ml-5 h-4 w-3/5" />
      <Skeleton className="ml-5 h-4 w-1/2" />
      <Elapsed />
    </div>
  );
}

const PATIENCE_MS = 2_000;

function Elapsed() {
  const [sinceMs] = useState(() => performance.now());
  const [elapsedMs, setElapsedMs] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setElapsedMs(performance.now() - sinceMs), 500);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return (
    <p aria-hidden className="min-h-5 text-sm text-dim">
      {elapsedMs >= PATIENCE_MS && (
        <>
          {words.waitingSince} <span className="figures">{Math.floor(elapsedMs / 1000)} s</span>. {words.cancelMeaning}
        </>
      )}
    </p>
  );
}

const RAW_CHARACTERS = 300_000;

function RawAnswer({ answer }: { answer: RpcAnswer }) {
  const cut = answer.bodyText.length > RAW_CHARACTERS;
  return (
    <>
      <pre className="figures text-xs whitespace-pre-wrap wrap-anywhere">
        {cut ? answer.bodyText.slice(0, RAW_CHARACTERS) : answer.bodyText}
      </pre>
      {cut && (
        <p className="mt-3 flex items-center gap-2 text-sm text-dim">
          {words.cut(formatBytes(RAW_CHARACTERS), formatBytes(answer.bodyText.length))}
        </p>
      )}
    </>
  );
}

export function CallFacts({ state }: { state: RpcCallState }) {
  return <AnswerFacts {...readFacts(state)} />;
}

function readFacts(state: RpcCallState): Facts {
  if (state.status === 'answered') return state.answer;
  if (state.status !== 'failed') return UNKNOWN_FACTS;
  const failure = classifyFailure(state.error);
  if (failure.kind !== 'refused' && failure.kind !== 'intercepted') return UNKNOWN_FACTS;
  const { latencyMs, requestId } = failure.error.detail;
  const charge = failure.kind === 'refused' ? { credits: 0, costUsd: '0' } : { credits: null, costUsd: null };
  return { latencyMs, requestId, ...charge };
}
