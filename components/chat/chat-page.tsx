'use client';

import { onDemand } from '@/components/ui/on-demand';
import { SplitPanes } from '@/components/ui/split-panes';
import { useFocusKept } from '@/components/ui/use-focus-kept';
import { useChatView } from '@/lib/browser/chat/chat-view';
import { type Chat, useChat } from '@/lib/browser/chat/use-chat';
import type { ChatSide } from '@/lib/browser/chat/use-chat-side';
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
  useFirstCheck(chat, chat);
  useFirstCheck(chat, chat.beside);
  // Keeps focus when a button disappears because an answer starts or ends, a conversation closes, or the user dismisses
  // a warning.
  useFocusKept(
    `${chat.running.map(({ turnId }) => turnId).join(' ')} ${chat.conversation?.id} ${chat.alarm?.modelId}`,
    questionField,
  );
  return (
    <>
      <h1 className="sr-only">{words.page.title}</h1>
      <ChatBar chat={chat} view={view} onShow={show} />
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

/**
 * Attests a model when the user chooses it. Attests it again after the gateway was unreachable, because another enclave
 * may answer then.
 */
function useFirstCheck({ credential, running }: Chat, side: ChatSide | null): void {
  const isWanted =
    side?.model?.can.attest === true &&
    !side.isOnPlainHttp &&
    side.privacy.kind === 'unchecked' &&
    credential.presented !== null;
  const checkPrivacy = side?.checkPrivacy;
  useEffect(() => {
    if (isWanted) void checkPrivacy?.();
  }, [isWanted, checkPrivacy]);
  const recheck = useRef<() => void>(() => undefined);
  useEffect(() => {
    // Does not attest while an answer is running, because sending the question attests the model too.
    recheck.current = () => {
      const kind = side?.privacy.kind;
      if ((kind === 'judged' || kind === 'unanswered') && running.length === 0) void checkPrivacy?.();
    };
  });
  useEffect(() => {
    const stop = onRecovered(() => recheck.current());
    return stop;
  }, []);
}
