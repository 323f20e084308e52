'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { Cpu, Laptop, Lock, Server, Waypoints } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChatView } from './chat-view';
import type { Answer, Turn } from './conversation';
import { preloadAsking } from './give-answer';
import type { Chat } from './use-chat';
import { chatWords as words } from './words';

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

/** Shows an empty thread. Until hydration, shows a placeholder instead if this tab has an open conversation. */
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
    isAtEnd.current = true;
    box.current?.scrollTo({ top: content === null ? 0 : box.current.scrollHeight });
  }, [content]);
  useEffect(() => {
    if (isAtEnd.current && content !== null) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [length, content]);
  const toEnd = useCallback(() => {
    // In some browsers `scrollTo` returns a promise, which an effect may not return.
    void box.current?.scrollTo({ top: box.current.scrollHeight });
  }, []);
  return { box, toEnd };
}

const STAND_IN = /(^|-)guide$/;

function EmptyThread({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const { model, obstacle, running, privacy } = chat;
  const isStandIn = useGatewaySettings().data?.profile === 'sandbox' && STAND_IN.test(model?.id ?? '');
  const isSimulated = privacy.kind === 'judged' && privacy.attestation.verdict.conclusion === 'simulated';
  const canAsk = obstacle === null && running.length === 0;
  if (chat.models === null && chat.modelsError === null) return <Waiting />;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8 px-4 py-8 lg:px-6 lg:py-14">
      <div className="grid gap-2">
        <h2 className="text-xl font-semibold tracking-tight">{titleOf(model)}</h2>
        {model?.can.encrypt && <p className="text-dim">{words.empty.encryption}</p>}
        {model !== null && !model.can.attest && <p className="text-dim">{words.empty.noEnclave}</p>}
        {model?.can.attest && (
          <p className="text-dim">
            {words.empty.attestation}{' '}
            <Button tone="link" size="inline" onClick={() => onShow('lock')}>
              {words.empty.seeChecks}
            </Button>
          </p>
        )}
      </div>
      {model !== null && <Path can={model.can} />}
      <div className="grid gap-2">
        <p className="text-xs text-faint">{words.empty.toBegin}</p>
        <div className="flex flex-wrap gap-2">
          {words.empty.examples.map((example) => (
            <Button
              key={example}
              disabled={!canAsk}
              onClick={() => chat.send(example)}
              className="h-auto min-h-8 max-w-full py-1.5 text-left whitespace-normal"
            >
              {example}
            </Button>
          ))}
        </div>
      </div>
      <p className="text-xs text-faint">
        {[isStandIn && words.empty.standIn, isSimulated && words.empty.simulated, words.empty.kept]
          .filter(Boolean)
          .join(' ')}
      </p>
    </div>
  );
}

/** Draws the path of a question: violet where it is encrypted, amber where it is readable. */
function Path({ can: { encrypt, attest } }: Pick<NonNullable<Chat['model']>, 'can'>) {
  const { you, gateway, provider, enclave, server, encrypted, readable } = words.empty.path;
  const hops = [
    { Icon: Laptop, name: you, mark: '' },
    { Icon: Waypoints, name: gateway, mark: encrypt ? encrypted : readable },
    ...(attest ? [{ Icon: Server, name: provider, mark: encrypt ? encrypted : readable }] : []),
    { Icon: attest ? Cpu : Server, name: attest ? enclave : server, mark: readable },
  ];
  return (
    <ol aria-label={words.empty.path.label} className="flex max-w-xl text-xs">
      {hops.map(({ Icon, name, mark }) => (
        <li key={name} className="group min-w-0 flex-1 last:flex-none">
          <span aria-hidden className="flex items-center">
            <span className="grid size-9 shrink-0 place-items-center rounded-full border border-edge">
              <Icon className="size-4 text-dim" />
            </span>
            <span className={cn('h-0.5 flex-1 group-last:hidden', encrypt ? 'bg-violet' : 'bg-amber')} />
          </span>
          <span className="mt-1.5 block font-medium">{name}</span>
          <span className={cn('flex items-center gap-1', mark === encrypted ? 'text-violet' : 'text-dim')}>
            {mark === encrypted && <Lock aria-hidden className="size-3 shrink-0" />}
            {mark}
          </span>
        </li>
      ))}
    </ol>
  );
}

function titleOf(model: Chat['model']): string {
  if (model === null) return words.empty.noModel;
  if (model.can.encrypt) return words.empty.encrypted;
  return model.can.attest ? words.empty.attested : words.empty.relayed;
}

function Waiting() {
  return (
    <div
      role="status"
      aria-label={words.empty.loading}
      className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-10 lg:px-6 lg:py-16"
    >
      <Skeleton className="h-7 w-64 max-w-full" />
      <Skeleton className="h-32" />
      <Skeleton className="h-36 w-3/4" />
    </div>
  );
}

const SPOKEN_CHARACTERS = 600;

function AnswerAnnouncer({
  last,
  runningId,
}: {
  last: Pick<Turn, 'id' | 'answer'> | undefined;
  runningId: string | null;
}) {
  const [seenId, setSeenId] = useState<string | null>(null);
  if (runningId !== null && runningId !== seenId) setSeenId(runningId);
  const hasEnded = runningId === null && last !== undefined && last.id === seenId;
  return (
    <p aria-live="polite" data-testid="answer-announcer" className="sr-only">
      {hasEnded && last.answer !== null ? sentenceOf(last.answer) : ''}
    </p>
  );
}

function sentenceOf({ text, end, problem }: Answer): string {
  if (problem !== null) return '';
  const { announced } = words.thread;
  const ending = end === 'stopped' ? announced.stopped : end === 'length' ? announced.length : announced.whole;
  return `${ending}: ${text.length > SPOKEN_CHARACTERS ? `${text.slice(0, SPOKEN_CHARACTERS)}…` : text}`;
}
