'use client';

import { Notice } from '@/components/ui/notice';
import { Button } from '@/components/ui/button';
import type { ChatView } from '@/lib/browser/chat/chat-view';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { useEffect, useRef } from 'react';
import { AnswerAnnouncer } from './answer-announcer';
import { EmptyThread } from './empty-thread';
import { TurnView } from './turn-view';

/** Questions and answers, oldest first. It follows an answer that grows while its end is in view. */
export function Thread({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const { conversation, running, models, modelsError, retryModels } = chat;
  const turns = conversation?.turns ?? [];
  const shownRunning = running !== null && running.conversationId === conversation?.id ? running : null;
  const box = useFollowing(turns.length === 0 ? null : `${conversation?.id} ${turns.length}`, shownRunning?.text.length ?? 0);
  return (
    <>
      <AnswerAnnouncer last={turns.at(-1)} runningId={shownRunning?.turnId ?? null} />
      <div ref={box} role="log" aria-label="Questions and answers" aria-live="off" aria-busy={shownRunning !== null} tabIndex={0} className="min-h-0 flex-1 overflow-auto outline-offset-[-2px]">
        {models === null && modelsError !== null && (
          <Notice tone="bad" title="The list of models could not be read." className="m-3 lg:m-4" actions={<Button size="sm" onClick={retryModels}>Try again</Button>}>
            {modelsError.message}
          </Notice>
        )}
        {turns.length === 0 ? (
          <EmptyThread chat={chat} onShow={onShow} />
        ) : (
          <ol className="mx-auto grid w-full max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 px-3 py-5 lg:px-6">
            {turns.map((turn) => (
              <TurnView key={turn.id} chat={chat} turn={turn} running={shownRunning?.turnId === turn.id ? shownRunning : null} />
            ))}
          </ol>
        )}
      </div>
    </>
  );
}

const NEAR_END_PX = 120;

/** @param content what is shown; null for the words before the first question, which are read from their beginning */
function useFollowing(content: string | null, length: number) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onScroll = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    // Another conversation, or another question: its end is what matters.
    isAtEnd.current = true;
    box.current?.scrollTo({ top: content === null ? 0 : box.current.scrollHeight });
  }, [content]);
  useEffect(() => {
    if (isAtEnd.current && content !== null) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [length, content]);
  return box;
}
