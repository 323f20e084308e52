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

const TamperWarning = onDemand(() => import('./privacy/tamper-warning').then((module) => module.TamperWarning));

const THREAD_SHARE = 58;

/**
 * Shows the conversation on the left, and privacy, setup, code and history on the right. A phone shows one of these at
 * a time.
 */
export function ChatPage() {
  const chat = useChat();
  const { view, sideView, show } = useChatView();
  useFirstCheck(chat);
  // Keeps the focus when a button disappears because an answer starts or ends, a conversation closes, or the user
  // dismisses a warning.
  useFocusKept(`${chat.running?.turnId} ${chat.conversation?.id} ${chat.alarm?.modelId}`, questionField);
  return (
    <>
      <h1 className="sr-only">{words.page.title}</h1>
      {/* On a screen with little height, the two bars share a line. */}
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

/** Returns the message field; null on a touch screen, where focus would open the keyboard. */
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

/**
 * Attests a model when the user chooses it. Attests it again after the gateway was unreachable, because another enclave
 * may answer then.
 */
function useFirstCheck({ privacy, model, credential, isOnPlainHttp, checkPrivacy, running }: Chat): void {
  const isWanted =
    model?.can.attest === true && !isOnPlainHttp && privacy.kind === 'unchecked' && credential.presented !== null;
  useEffect(() => {
    if (isWanted) void checkPrivacy();
  }, [isWanted, checkPrivacy]);
  const recheck = useRef<() => void>(() => undefined);
  useEffect(() => {
    // Does not attest while an answer is running, because sending the question attests the model too.
    recheck.current = () => {
      if ((privacy.kind === 'judged' || privacy.kind === 'unanswered') && running === null) void checkPrivacy();
    };
  });
  useEffect(() => {
    const stop = onRecovered(() => recheck.current());
    return stop;
  }, []);
}
