'use client';

import { SplitPanes } from '@/components/ui/split-panes';
import { type RefObject, useEffect, useRef } from 'react';
import type { RpcCallState } from '@/lib/browser/rpc/rpc-call-state';
import { rpcWords } from '@/lib/browser/words/rpc';
import { AnswerPane } from './answer-pane';
import { AskPane } from './ask-pane';
import { PhoneSendBar, SendBar } from './send-bar';
import { useWorkbench } from './use-workbench';

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

/**
 * Scrolls to the answer when the user sends and when the answer arrives, because a phone shows it below the request.
 */
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
