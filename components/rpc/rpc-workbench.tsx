'use client';

import { SplitPanes } from '@/components/ui/split-panes';
import { type RefObject, useEffect, useRef } from 'react';
import type { RpcCallState } from '@/lib/browser/rpc/rpc-call-state';
import { rpcWords } from '@/lib/browser/words/rpc';
import { AnswerPane } from './answer-pane';
import { AskPane } from './ask-pane';
import { PhoneSendBar, SendBar } from './send-bar';
import { useWorkbench } from './use-workbench';

/** The RPC page: ask on the left, answer on the right. */
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

/** On a phone the answer is below the request: it comes into view when it is asked for, and when it is there. */
function useShownAnswer(answer: RefObject<HTMLElement | null>, status: RpcCallState['status']): void {
  useEffect(() => {
    if (status !== 'idle') answer.current?.scrollIntoView({ block: 'start' });
  }, [answer, status]);
}

/** Ctrl Enter or Cmd Enter sends from anywhere on the page. */
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
    // Capture: the editor would put in a line of its own.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
