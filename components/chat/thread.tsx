'use client';

import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import type { ChatView } from '@/lib/browser/chat/chat-view';
import { preloadAsking } from '@/lib/browser/chat/give-answer';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { useHydrated } from '@/lib/browser/browser-store';
import { chatWords as words } from '@/lib/browser/words/chat';
import { useCallback, useEffect, useRef } from 'react';
import { AnswerAnnouncer } from './answer-announcer';
import { EmptyThread } from './empty-thread';

/** Loaded once the conversation has a question. */
const TurnList = onDemand(() => import('./turn-list').then((module) => module.TurnList), {
  waiting: <ThreadSkeleton />,
});

const PlainHttpNotice = onDemand(() => import('./plain-http-notice').then((module) => module.PlainHttpNotice), {
  waiting: <Skeleton className="h-40" />,
});

/** Shows questions and answers, oldest first. Follows a growing answer while its end is visible. */
export function Thread({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const { conversation, running, models, modelsError, retryModels } = chat;
  const turns = conversation?.turns ?? [];
  const shown = running.filter(({ conversationId }) => conversationId === conversation?.id);
  const last = turns.at(-1);
  const { box, toEnd } = useFollowing(
    turns.length === 0 ? null : `${conversation?.id} ${turns.length}`,
    shown.reduce((sum, { text }) => sum + text.length, 0),
  );
  usePreloadedTurns();
  return (
    <>
      {[last, ...(last?.beside ? [last.beside] : [])].map((answered, index) => (
        <AnswerAnnouncer
          key={index}
          last={answered}
          runningId={shown.find(({ turnId }) => turnId === answered?.id)?.turnId ?? null}
        />
      ))}
      <div
        ref={box}
        role="log"
        aria-label={words.thread.label}
        aria-live="off"
        aria-busy={shown.length > 0}
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-auto outline-offset-[-2px]"
      >
        {models === null && modelsError !== null && (
          <Notice
            tone="bad"
            title={words.thread.noModels}
            className="m-3 lg:m-4"
            actions={
              <Button size="sm" onClick={retryModels}>
                {words.thread.retry}
              </Button>
            }
          >
            {modelsError.message}
          </Notice>
        )}
        {chat.isOnPlainHttp && (
          <div className="mx-auto w-full max-w-3xl px-3 pt-3 lg:px-6 lg:pt-5">
            <PlainHttpNotice />
          </div>
        )}
        {chat.isOpening ? (
          <ThreadSkeleton />
        ) : turns.length === 0 ? (
          <BeforeTheFirst chat={chat} onShow={onShow} />
        ) : (
          <TurnList chat={chat} turns={turns} running={shown} onShown={toEnd} />
        )}
      </div>
    </>
  );
}

/**
 * The server renders this component. In a tab with an open conversation, it only reserves that conversation's space.
 */
function BeforeTheFirst({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const hydrated = useHydrated();
  return (
    <>
      <div className={hydrated ? 'contents' : 'contents in-[[data-conversation]]:hidden'}>
        <EmptyThread chat={chat} onShow={onShow} />
      </div>
      {!hydrated && (
        <div className="hidden in-[[data-conversation]]:contents">
          <ThreadSkeleton />
        </div>
      )}
    </>
  );
}

/** Preloads the code that shows turns at the user's first input, so that no answer waits for it. */
function usePreloadedTurns(): void {
  useEffect(() => {
    const acts = ['pointerdown', 'keydown'] as const;
    const preload = () => {
      TurnList.preload();
      preloadAsking();
    };
    for (const act of acts) window.addEventListener(act, preload, { once: true, passive: true, capture: true });
    return () => acts.forEach((act) => window.removeEventListener(act, preload, { capture: true }));
  }, []);
}

function ThreadSkeleton() {
  return (
    <div
      role="status"
      aria-label={words.thread.opening}
      className="mx-auto grid w-full max-w-3xl gap-6 px-3 py-5 lg:px-6"
    >
      <Skeleton className="h-10" />
      <Skeleton className="h-32" />
    </div>
  );
}

const NEAR_END_PX = 120;

/** @param content identifies the shown content; null for the introduction, which is read from its beginning */
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
    // When another conversation or a new question is shown, scrolls to the end of the conversation.
    isAtEnd.current = true;
    box.current?.scrollTo({ top: content === null ? 0 : box.current.scrollHeight });
  }, [content]);
  useEffect(() => {
    if (isAtEnd.current && content !== null) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [length, content]);
  const toEnd = useCallback(() => {
    // Discards the promise that `scrollTo` returns in some browsers, because an effect may not return a promise.
    void box.current?.scrollTo({ top: box.current.scrollHeight });
  }, []);
  return { box, toEnd };
}
