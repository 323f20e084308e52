'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Kbd } from '@/components/ui/kbd';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { formatBytes } from '@/lib/browser/amounts';
import type { RpcCallState } from '@/lib/browser/rpc-call';
import { ANSWER_VIEWS, editDraft } from '@/lib/browser/rpc-draft';
import type { RpcAnswer } from '@/lib/client';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { AnswerFacts } from './answer-facts';
import { AnswerItems } from './answer-items';
import { CompareTab } from './compare/compare-tab';
import { GatewayProblem } from './gateway-problem';
import type { Workbench } from './use-workbench';

/** The right-hand pane: what came back, what it took, or what to do about it. */
export function AnswerPane({ ref, bench }: { ref: Ref<HTMLElement>; bench: Workbench }) {
  const { state, cancel: onCancel } = bench;
  const view = bench.draft.answerView;
  const answer = state.status === 'answered' ? state.answer : null;
  return (
    <section ref={ref} aria-label="Answer" aria-busy={state.status === 'sending'} className="flex min-h-0 flex-1 flex-col">
      <Tabs value={view} onValueChange={(value) => editDraft({ answerView: ANSWER_VIEWS.find((each) => each === value) ?? 'tree' })} className="flex-1">
        <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line px-3 lg:px-4">
          <TabsList aria-label="View of the answer">
            <TabsTrigger value="tree">Answer</TabsTrigger>
            <TabsTrigger value="raw">Raw</TabsTrigger>
            <TabsTrigger value="compare">Compare</TabsTrigger>
          </TabsList>
          <span className="flex-1" />
          {view !== 'compare' && bench.refusedToSend && (state.status === 'answered' || state.status === 'failed') && <Badge tone="amber">of the earlier call</Badge>}
          {view !== 'compare' && <StatusBadge state={state} />}
          {view !== 'compare' && state.status === 'sending' && (
            <Button size="sm" onClick={onCancel}>
              Cancel
            </Button>
          )}
          {view !== 'compare' && answer && <CopyButton text={answer.bodyText} label="Copy the answer" iconOnly />}
        </div>
        {view !== 'compare' && <AnswerFacts state={state} />}
        <TabsContent value="tree" tabIndex={-1} className="overflow-auto">
          <Body bench={bench} show={(shown) => <AnswerItems answer={shown.answer} methods={shown.request.calls.map(({ method }) => method)} />} />
        </TabsContent>
        <TabsContent value="raw" tabIndex={-1} className="overflow-auto">
          <Body bench={bench} show={(shown) => <RawAnswer answer={shown.answer} />} />
        </TabsContent>
        <TabsContent value="compare" tabIndex={-1} forceMount className="overflow-auto data-[state=inactive]:hidden">
          <CompareTab bench={bench} />
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
      <GatewayProblem error={state.error} onRetry={resend} onRetryWithKey={state.request.idempotencyKey === null ? resendWithNewKey : undefined} />
    </div>
  );
}

function StatusBadge({ state }: { state: RpcCallState }) {
  if (state.status === 'sending') return <Badge>sending…</Badge>;
  if (state.status === 'failed') return <Badge tone="bad">no result</Badge>;
  if (state.status === 'idle') return null;
  const { items, isBatch, replayed, unkept } = state.answer;
  const failed = items.filter(({ error }) => error !== undefined).length;
  return (
    <>
      {replayed && <Badge tone="amber">replayed</Badge>}
      {unkept && <Badge tone="amber">not kept</Badge>}
      {failed === 0 && <Badge tone="good">{isBatch && items.length !== 1 ? `${items.length} results` : 'result'}</Badge>}
      {failed > 0 && <Badge tone="bad">{isBatch ? `${failed} of ${items.length} failed` : 'JSON-RPC error'}</Badge>}
    </>
  );
}

function NothingYet() {
  return (
    <div className="grid place-items-center gap-2 px-6 py-16 text-center text-sm text-dim">
      <p>The answer appears here, with its time, credits and cost.</p>
      <p className="flex items-center gap-1.5 pointer-coarse:hidden">
        Press <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> to send.
      </p>
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Waiting for the answer" className="grid gap-3 p-3 lg:p-4">
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
          Waiting since <span className="figures">{Math.floor(elapsedMs / 1000)} s</span>. Cancel does not undo what the node may have done already.
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
          The first {formatBytes(RAW_CHARACTERS)} of {formatBytes(answer.bodyText.length)}. Copy takes all of it.
        </p>
      )}
    </>
  );
}
