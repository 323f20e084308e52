'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { CHAT_VIEWS, type ChatView, type SideView } from '@/lib/browser/chat/chat-view';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { chatWords as words } from '@/lib/browser/words/chat';

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

export function SidePanel({ chat, tab, onShow }: { chat: Chat; tab: SideView; onShow: (view: ChatView) => void }) {
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
