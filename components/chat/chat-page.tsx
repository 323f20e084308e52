'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { SplitPanes } from '@/components/ui/split-panes';
import { useFocusKept } from '@/components/ui/use-focus-kept';
import { CHAT_VIEWS, type ChatView, useChatView } from '@/lib/browser/chat/chat-view';
import { type Chat, useChat } from '@/lib/browser/chat/use-chat';
import { onRecovered } from '@/lib/browser/connection/connection';
import { chatWords as words } from '@/lib/browser/words/chat';
import { useEffect, useRef } from 'react';
import { ChatBar } from './chat-bar';
import { Composer, QUESTION_ID } from './composer';
import { SidePanel } from './side-panel';
import { Thread } from './thread';

const TamperWarning = onDemand(() => import('./lock/tamper-warning').then((module) => module.TamperWarning));

const THREAD_SHARE = 58;

/** The Chat page: the conversation on the left; its lock, setup, code and the kept conversations on the right. On a phone one at a time. */
export function ChatPage() {
  const chat = useChat();
  const { view, sideView, show } = useChatView();
  useFirstCheck(chat);
  // An answer that begins or ends, a conversation that is left and a warning that is dismissed take their buttons with them.
  useFocusKept(`${chat.running?.turnId} ${chat.conversation?.id} ${chat.alarm?.modelId}`, questionField);
  return (
    <>
      <h1 className="sr-only">{words.page.title}</h1>
      {/* Where there is little height they share a line. */}
      <div className="contents sm:short:max-lg:flex sm:short:max-lg:shrink-0 sm:short:max-lg:border-b sm:short:max-lg:border-line">
        <ChatBar chat={chat} onShow={show} />
        <PhoneViews view={view} onShow={show} />
      </div>
      {chat.alarm !== null && <TamperWarning alarm={chat.alarm} onLook={() => show('lock')} />}
      <SplitPanes
        label={words.page.width}
        initialShare={THREAD_SHARE}
        shownAlone={view === 'talk' ? 'first' : 'second'}
        first={
          <section aria-label={words.page.conversation} className="flex min-h-0 flex-1 flex-col">
            <Thread chat={chat} onShow={show} />
            <Composer chat={chat} onShow={show} />
          </section>
        }
        second={<SidePanel chat={chat} tab={sideView} onShow={show} />}
      />
    </>
  );
}

/** Not with a touch screen, whose keyboard would come up. */
function questionField(): HTMLElement | null {
  return window.matchMedia('(pointer: coarse)').matches ? null : document.getElementById(QUESTION_ID);
}

function PhoneViews({ view, onShow }: { view: ChatView; onShow: (view: ChatView) => void }) {
  return (
    <div
      role="group"
      aria-label={words.page.views}
      className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-2 py-1 sm:short:items-center sm:short:border-b-0 sm:short:pl-0 lg:hidden"
    >
      {CHAT_VIEWS.map((each) => (
        <Button
          key={each}
          size="sm"
          tone="quiet"
          aria-pressed={view === each}
          className="flex-1 aria-pressed:bg-hover aria-pressed:text-ink"
          onClick={() => onShow(each)}
        >
          {words.views[each]}
        </Button>
      ))}
    </div>
  );
}

/** Looks at the lock of a model as soon as it is chosen, so that the verdict is there before the first word is, and again whenever the gateway is back: what answers then may be another. */
function useFirstCheck({ lock, model, credential, isOnPlainHttp, checkLock, running }: Chat): void {
  const isWanted =
    model?.can.attest === true && !isOnPlainHttp && lock.kind === 'unchecked' && credential.presented !== null;
  useEffect(() => {
    if (isWanted) void checkLock();
  }, [isWanted, checkLock]);
  const recheck = useRef<() => void>(() => undefined);
  useEffect(() => {
    // An answer that is being given has its own attestation.
    recheck.current = () => {
      if ((lock.kind === 'judged' || lock.kind === 'unanswered') && running === null) void checkLock();
    };
  });
  useEffect(() => {
    const stop = onRecovered(() => recheck.current());
    return stop;
  }, []);
}
