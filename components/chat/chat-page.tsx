'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { SplitPanes } from '@/components/ui/split-panes';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { useFocusKept } from '@/components/ui/use-focus-kept';
import { onRecovered } from '@/lib/browser/connection/connection';
import { useEffect, useRef } from 'react';
import { ChatBar } from './chat-bar';
import { CHAT_VIEWS, type ChatView, type SideView, useChatView } from './chat-view';
import { Composer, QUESTION_ID } from './composer';
import { Thread } from './thread';
import { type Chat, useChat } from './use-chat';
import type { ChatSide } from './use-chat-side';
import { chatWords as words } from './words';

const TamperWarning = onDemand(() => import('./privacy/tamper-warning').then((module) => module.TamperWarning));

const THREAD_SHARE = 58;

/** Shows the conversation and one view beside it. Phones show only one of the two. */
export function ChatPage() {
  const chat = useChat();
  const { view, sideView, show } = useChatView();
  useFirstCheck(chat, chat);
  useFirstCheck(chat, chat.beside);
  // The focused button may disappear: an answer starts or ends, a conversation closes, or the user dismisses a warning.
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

/** Returns null on a touch screen, where focus would open the keyboard. */
function questionField(): HTMLElement | null {
  return window.matchMedia('(pointer: coarse)').matches ? null : document.getElementById(QUESTION_ID);
}

/**
 * Attests a model when the user chooses it, and again after the gateway was unreachable, because another enclave may
 * answer then.
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
    // Does nothing while an answer is running, because sending a question also attests the model.
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

/** Loaded when shown, because the verifier's parsers are large. */
const PrivacyPanel = onDemand(() => import('./privacy/privacy-panel').then((module) => module.default), {
  waiting: <PanelSkeleton />,
});
const SetupTab = onDemand(() => import('./setup-tab').then((module) => module.SetupTab), {
  waiting: <PanelSkeleton />,
});
const CodeTab = onDemand(() => import('./code-tab').then((module) => module.CodeTab), { waiting: <PanelSkeleton /> });
const KeptTab = onDemand(() => import('./kept-tab').then((module) => module.KeptTab), { waiting: <PanelSkeleton /> });
const PRELOADS: Record<SideView, () => void> = {
  lock: PrivacyPanel.preload,
  setup: SetupTab.preload,
  code: CodeTab.preload,
  kept: KeptTab.preload,
};

function SidePanel({ chat, tab, onShow }: { chat: Chat; tab: SideView; onShow: (view: ChatView) => void }) {
  return (
    <section aria-label={words.views[tab]} className="flex min-h-0 flex-1 flex-col">
      <Tabs
        value={tab}
        onValueChange={(value) => onShow(CHAT_VIEWS.find((each) => each === value) ?? 'lock')}
        className="flex-1"
      >
        <div className="flex h-10 shrink-0 items-center border-b border-line px-3 max-lg:hidden lg:px-4">
          <TabsList aria-label={words.sidePanel.tabs}>
            {CHAT_VIEWS.filter((each) => each !== 'talk').map((each) => (
              <TabsTrigger key={each} value={each} onPointerEnter={PRELOADS[each]}>
                {words.views[each]}
              </TabsTrigger>
            ))}
          </TabsList>
        </div>
        <TabsContent value="lock" tabIndex={-1} className="overflow-auto">
          <PrivacyPanel chat={chat} />
        </TabsContent>
        <TabsContent value="setup" tabIndex={-1} className="overflow-auto">
          <SetupTab chat={chat} />
        </TabsContent>
        <TabsContent value="code" tabIndex={-1} className="flex flex-col overflow-auto">
          <CodeTab chat={chat} />
        </TabsContent>
        <TabsContent value="kept" tabIndex={-1} className="flex flex-col overflow-auto">
          <KeptTab onOpened={() => onShow('talk')} />
        </TabsContent>
      </Tabs>
    </section>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label={words.sidePanel.loading} className="grid gap-5 p-3 lg:p-4">
      <Skeleton className="h-44" />
      <Skeleton className="h-96" />
    </div>
  );
}
