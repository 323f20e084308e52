'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { SplitPanes } from '@/components/ui/split-panes';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { useFirstAct } from '@/lib/browser/page/first-act';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { ANSWER_VIEWS, editDraft } from '@/lib/browser/rpc/rpc-draft';
import { type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { AnswerFacts, UNKNOWN_FACTS } from './answer-facts';
import { AskPane } from './ask-pane';
import type { RpcCallState } from './perform-call';
import { PhoneSendBar, SendBar } from './send-bar';
import { useWorkbench, type Workbench } from './use-workbench';
import { rpcWords } from './words';

export function RpcWorkbench() {
  const bench = useWorkbench();
  const answer = useRef<HTMLElement>(null);
  useSendShortcut(bench.send);
  useShownAnswer(answer, bench.state.status);
  return (
    <>
      <h1 className="sr-only">{rpcWords.title}</h1>
      <SendBar bench={bench} />
      <SplitPanes
        label={rpcWords.splitter}
        first={<AskPane bench={bench} />}
        second={<AnswerPane ref={answer} bench={bench} />}
      />
      <PhoneSendBar bench={bench} />
    </>
  );
}

/** Scrolls to the answer, because a phone shows it below the request. */
function useShownAnswer(answer: RefObject<HTMLElement | null>, status: RpcCallState['status']): void {
  useEffect(() => {
    if (status !== 'idle') answer.current?.scrollIntoView({ block: 'start' });
  }, [answer, status]);
}

function useSendShortcut(send: () => void): void {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    // Listens in the capture phase, because the editor would otherwise insert a line break.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

const words = rpcWords.answer;

const WAITING = <Skeleton className="h-32" />;
const CallOutcome = onDemand(() => import('./call-outcome').then((module) => module.CallOutcome), {
  waiting: <div className="p-3 lg:p-4">{WAITING}</div>,
});
const NO_FACTS = <AnswerFacts {...UNKNOWN_FACTS} />;
const CallFacts = onDemand(() => import('./call-outcome').then((module) => module.CallFacts), { waiting: NO_FACTS });
const CallBadge = onDemand(() => import('./call-outcome').then((module) => module.CallBadge));
const CompareTab = onDemand(() => import('./compare/compare-tab').then((module) => module.CompareTab), {
  waiting: WAITING,
});

function AnswerPane({ ref, bench }: { ref: Ref<HTMLElement>; bench: Workbench }) {
  const { state, cancel: onCancel } = bench;
  const view = bench.draft.answerView;
  const [hasCompared, setHasCompared] = useState(view === 'compare');
  // The comparison stays mounted after the first use, because its calls may still be running.
  if (view === 'compare' && !hasCompared) setHasCompared(true);
  const canCompare = useGatewaySettings().data?.connectedNetworks?.length !== 1;
  const answer = state.status === 'answered' ? state.answer : null;
  useFirstAct(CallOutcome.preload);
  return (
    <section
      ref={ref}
      aria-label={words.region}
      aria-busy={state.status === 'sending'}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs
        value={view}
        onValueChange={(value) => editDraft({ answerView: ANSWER_VIEWS.find((each) => each === value) ?? 'tree' })}
        className="flex-1"
      >
        <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line px-3 lg:px-4">
          <TabsList aria-label={words.views}>
            <TabsTrigger value="tree">{words.tabs.tree}</TabsTrigger>
            <TabsTrigger value="raw">{words.tabs.raw}</TabsTrigger>
            {(canCompare || view === 'compare') && (
              <TabsTrigger value="compare" onPointerEnter={CompareTab.preload}>
                {words.tabs.compare}
              </TabsTrigger>
            )}
          </TabsList>
          <span className="flex-1" />
          {view !== 'compare' && state.status !== 'idle' && <CallBadge bench={bench} />}
          {view !== 'compare' && state.status === 'sending' && (
            <Button size="sm" onClick={onCancel}>
              {words.cancel}
            </Button>
          )}
          {view !== 'compare' && answer && <CopyButton text={answer.bodyText} label={words.copy} iconOnly />}
        </div>
        {view !== 'compare' && (state.status === 'idle' ? NO_FACTS : <CallFacts state={state} />)}
        <TabsContent value="tree" tabIndex={-1} className="overflow-auto">
          {state.status === 'idle' ? <NothingYet /> : <CallOutcome bench={bench} view="tree" />}
        </TabsContent>
        <TabsContent value="raw" tabIndex={-1} className="overflow-auto">
          {state.status === 'idle' ? <NothingYet /> : <CallOutcome bench={bench} view="raw" />}
        </TabsContent>
        <TabsContent value="compare" tabIndex={-1} forceMount className="overflow-auto data-[state=inactive]:hidden">
          {hasCompared && <CompareTab bench={bench} />}
        </TabsContent>
      </Tabs>
    </section>
  );
}

function NothingYet() {
  return (
    <div data-drawing="chain" className="grid place-items-center gap-2 px-6 py-16 text-center text-sm text-dim">
      <p>{words.empty}</p>
      <p className="flex items-center gap-1.5 pointer-coarse:hidden">
        {words.press} <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> {words.toSend}
      </p>
    </div>
  );
}
