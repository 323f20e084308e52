'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { formatBytes } from '@/lib/browser/amounts';
import type { RpcCallState } from '@/lib/browser/rpc-call';
import { ANSWER_VIEWS, editDraft } from '@/lib/browser/rpc-draft';
import type { RpcAnswer } from '@/lib/client';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { AnswerFacts } from './answer-facts';
import { FailureCard } from '@/components/recovery/failure-card';
import { rpcWords } from '@/lib/browser/words/rpc';
import type { Workbench } from './use-workbench';

const words = rpcWords.answer;

const WAITING = <Skeleton className="h-32" />;
const AnswerItems = onDemand(() => import('./answer-items').then((module) => module.AnswerItems), { waiting: WAITING });
const CompareTab = onDemand(() => import('./compare/compare-tab').then((module) => module.CompareTab), { waiting: WAITING });

/** The right-hand pane: what came back, what it took, or what to do about it. */
export function AnswerPane({ ref, bench }: { ref: Ref<HTMLElement>; bench: Workbench }) {
  const { state, cancel: onCancel } = bench;
  const view = bench.draft.answerView;
  const [hasCompared, setHasCompared] = useState(view === 'compare');
  // From then on it stays, with what is under way in it.
  if (view === 'compare' && !hasCompared) setHasCompared(true);
  const answer = state.status === 'answered' ? state.answer : null;
  return (
    <section ref={ref} aria-label={words.region} aria-busy={state.status === 'sending'} className="flex min-h-0 flex-1 flex-col">
      <Tabs value={view} onValueChange={(value) => editDraft({ answerView: ANSWER_VIEWS.find((each) => each === value) ?? 'tree' })} className="flex-1">
        <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line px-3 lg:px-4">
          <TabsList aria-label={words.views}>
            <TabsTrigger value="tree">{words.tabs.tree}</TabsTrigger>
            <TabsTrigger value="raw">{words.tabs.raw}</TabsTrigger>
            <TabsTrigger value="compare" onPointerEnter={CompareTab.preload}>{words.tabs.compare}</TabsTrigger>
          </TabsList>
          <span className="flex-1" />
          {view !== 'compare' && bench.refusedToSend && (state.status === 'answered' || state.status === 'failed') && <Badge tone="amber">{words.ofEarlierCall}</Badge>}
          {view !== 'compare' && <StatusBadge state={state} />}
          {view !== 'compare' && state.status === 'sending' && (
            <Button size="sm" onClick={onCancel}>
              {words.cancel}
            </Button>
          )}
          {view !== 'compare' && answer && <CopyButton text={answer.bodyText} label={words.copy} iconOnly />}
        </div>
        {view !== 'compare' && <AnswerFacts state={state} />}
        <TabsContent value="tree" tabIndex={-1} className="overflow-auto">
          <Body bench={bench} show={(shown) => <AnswerItems answer={shown.answer} request={shown.request} />} />
        </TabsContent>
        <TabsContent value="raw" tabIndex={-1} className="overflow-auto">
          <Body bench={bench} show={(shown) => <RawAnswer answer={shown.answer} />} />
        </TabsContent>
        <TabsContent value="compare" tabIndex={-1} forceMount className="overflow-auto data-[state=inactive]:hidden">
          {hasCompared && <CompareTab bench={bench} />}
        </TabsContent>
      </Tabs>
    </section>
  );
}

type Answered = Extract<RpcCallState, { status: 'answered' }>;

function Body({ bench: { state, resend, resendWithNewKey }, show }: { bench: Workbench; show: (state: Answered) => ReactNode }) {
  if (state.status === 'idle') return <NothingYet />;
  if (state.status === 'sending') return <Waiting />;
  if (state.status === 'answered') return <div className="p-3 lg:p-4">{show(state)}</div>;
  return (
    <div className="grid gap-4 p-3 lg:p-4">
      <FailureCard interrupts="rpc" error={state.error} onRetry={resend} onRetryWithKey={state.request.idempotencyKey === null ? resendWithNewKey : undefined} />
    </div>
  );
}

function StatusBadge({ state }: { state: RpcCallState }) {
  if (state.status === 'sending') return <Badge>{words.sending}</Badge>;
  if (state.status === 'failed') return <Badge tone="bad">{words.noResult}</Badge>;
  if (state.status === 'idle') return null;
  const { items, isBatch, replayed, unkept } = state.answer;
  const failed = items.filter(({ error }) => error !== undefined).length;
  return (
    <>
      {replayed && <Badge tone="amber">{words.replayed}</Badge>}
      {unkept && <Badge tone="amber">{words.notKept}</Badge>}
      {failed === 0 && <Badge tone="good">{isBatch && items.length !== 1 ? words.results(items.length) : words.result}</Badge>}
      {failed > 0 && <Badge tone="bad">{isBatch ? words.someFailed(failed, items.length) : words.rpcError}</Badge>}
    </>
  );
}

function NothingYet() {
  return (
    <div className="grid place-items-center gap-2 px-6 py-16 text-center text-sm text-dim">
      <p>{words.empty}</p>
      <p className="flex items-center gap-1.5 pointer-coarse:hidden">
        {words.press} <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> {words.toSend}
      </p>
    </div>
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

/** Once an answer is slow, how long it has taken so far. */
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
      <pre className="figures text-xs whitespace-pre-wrap wrap-anywhere">{cut ? answer.bodyText.slice(0, RAW_CHARACTERS) : answer.bodyText}</pre>
      {cut && (
        <p className="mt-3 flex items-center gap-2 text-sm text-dim">
          {words.cut(formatBytes(RAW_CHARACTERS), formatBytes(answer.bodyText.length))}
        </p>
      )}
    </>
  );
}
