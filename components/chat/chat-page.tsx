'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { onApproach } from '@/components/ui/on-approach';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { useFocusKept } from '@/components/ui/use-focus-kept';
import { onRecovered } from '@/lib/browser/connection/connection';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ChatBar, NewButton } from './chat-bar';
import { type ChatView, DRAWER_VIEWS, type DrawerView, useChatView } from './chat-view';
import { Composer, QUESTION_ID } from './composer';
import { Thread } from './thread';
import { type Chat, useChat } from './use-chat';
import type { ChatSide } from './use-chat-side';
import { chatWords as words } from './words';

const TamperWarning = onDemand(() => import('./privacy/tamper-warning').then((module) => module.TamperWarning));
const MeasurementWarnings = onApproach(
  () => import('./privacy/measurement-warnings').then((module) => module.MeasurementWarnings),
  { waiting: null },
);

/**
 * Shows conversations, the thread and a drawer side by side. A narrow screen shows only one of them. The thread comes
 * first in the document, so that Tab reaches the question field before the conversations.
 */
export function ChatPage() {
  const chat = useChat();
  const { view, drawer, show } = useChatView();
  useFirstCheck(chat, chat);
  useFirstCheck(chat, chat.beside);
  // The focused button may disappear when an answer starts or ends, a conversation closes, or the user dismisses a
  // warning.
  useFocusKept(
    `${chat.running.map(({ turnId }) => turnId).join(' ')} ${chat.conversation?.id} ${chat.alarm?.modelId}`,
    questionField,
  );
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  const open = (next: ChatView) => {
    const isOpening = next !== 'talk' && next !== 'kept' && panel.current?.contains(document.activeElement) !== true;
    if (isOpening) opener.current = document.activeElement;
    show(next);
    if (isOpening) requestAnimationFrame(() => panel.current?.focus({ preventScroll: true }));
  };
  const close = () => {
    show('talk');
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    else questionField()?.focus();
  };
  /** On a wide screen, the thread is already visible, so the drawer stays open. */
  const toThread = () => {
    if (drawer === null || !window.matchMedia(WIDE).matches) show('talk');
  };
  return (
    <div
      className={cn(
        // The first column has a fixed width, so that the page does not shift while it loads.
        'flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[15rem_minmax(0,1fr)_auto] lg:grid-rows-[auto_auto_minmax(0,1fr)]',
        drawer !== null && 'lg:max-xl:grid-cols-[0_minmax(0,1fr)_auto]',
      )}
    >
      <h1 className="sr-only">{words.page.title}</h1>
      <ChatBar
        chat={chat}
        view={view}
        onShow={open}
        onBegun={toThread}
        onApproach={PrivacyPanel.preload}
        className="lg:col-span-2 lg:col-start-2 lg:row-start-1"
      />
      <div className="lg:col-span-2 lg:col-start-2 lg:row-start-2">
        {chat.alarm !== null && <TamperWarning alarm={chat.alarm} onLook={() => open('lock')} />}
        {[chat, chat.beside].map(
          (side, index) =>
            side?.privacy.kind === 'judged' && (
              <MeasurementWarnings key={index === 0 ? 'main' : 'beside'} attestation={side.privacy.attestation} />
            ),
        )}
      </div>
      <section
        aria-label={words.page.conversation}
        className={cn(
          'flex min-h-0 min-w-0 flex-1 flex-col lg:col-start-2 lg:row-start-3',
          view !== 'talk' && 'max-lg:hidden',
        )}
      >
        <Thread chat={chat} onShow={open} />
        <Composer chat={chat} onShow={open} />
      </section>
      <section
        aria-label={words.views.kept}
        className={cn(
          'flex min-h-0 flex-1 flex-col lg:col-start-1 lg:row-span-3 lg:row-start-1 lg:border-r lg:border-line',
          view !== 'kept' && 'max-lg:hidden',
          drawer !== null && 'lg:max-xl:hidden',
        )}
      >
        <div className="shrink-0 px-3 py-2 max-lg:hidden">
          <NewButton chat={chat} onBegun={toThread} className="w-full justify-start" isWhole />
        </div>
        <KeptTab onOpened={toThread} />
      </section>
      {drawer !== null && (
        <section
          ref={panel}
          tabIndex={-1}
          aria-label={words.views[drawer]}
          onKeyDown={(event) => {
            // The schema editor handles Escape itself.
            const isInEditor = event.target instanceof Element && event.target.closest('.cm-editor') !== null;
            if (event.key !== 'Escape' || event.defaultPrevented || isInEditor) return;
            event.preventDefault();
            close();
          }}
          className="flex min-h-0 flex-1 flex-col outline-none lg:col-start-3 lg:row-start-3 lg:w-96 lg:animate-appear lg:border-l lg:border-line min-[90rem]:w-112"
        >
          <Drawer chat={chat} tab={drawer} onShow={open} onClose={close} />
        </section>
      )}
    </div>
  );
}

/** Tailwind's `lg` breakpoint. */
const WIDE = '(min-width: 64rem)';

/** Returns the question field; null on a touch screen, where focus would open the keyboard. */
function questionField(): HTMLElement | null {
  return window.matchMedia('(pointer: coarse)').matches ? null : document.getElementById(QUESTION_ID);
}

/**
 * Attests a model when the user chooses it. Attests it again after the gateway was unreachable, because the prompt may
 * then reach another enclave.
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
const KeptTab = onDemand(() => import('./kept-tab').then((module) => module.KeptTab), {
  waiting: <Skeleton className="m-3 h-10" />,
});
const PRELOADS: Record<DrawerView, () => void> = {
  lock: PrivacyPanel.preload,
  setup: SetupTab.preload,
  code: CodeTab.preload,
};

interface DrawerProps {
  chat: Chat;
  tab: DrawerView;
  onShow: (view: ChatView) => void;
  onClose: () => void;
}

function Drawer({ chat, tab, onShow, onClose }: DrawerProps) {
  return (
    <Tabs
      value={tab}
      onValueChange={(value) => onShow(DRAWER_VIEWS.find((each) => each === value) ?? 'lock')}
      className="flex-1"
    >
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2 pl-3 max-lg:hidden lg:pl-4">
        <TabsList aria-label={words.drawer.tabs} className="flex-1">
          {DRAWER_VIEWS.map((each) => (
            <TabsTrigger key={each} value={each} onPointerEnter={PRELOADS[each]}>
              {words.views[each]}
            </TabsTrigger>
          ))}
        </TabsList>
        <Button
          tone="quiet"
          size="iconSm"
          aria-label={words.drawer.close}
          title={words.drawer.close}
          aria-keyshortcuts="Escape"
          onClick={onClose}
        >
          <X aria-hidden />
        </Button>
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
    </Tabs>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label={words.drawer.loading} className="grid gap-5 p-3 lg:p-4">
      <Skeleton className="h-44" />
      <Skeleton className="h-96" />
    </div>
  );
}
