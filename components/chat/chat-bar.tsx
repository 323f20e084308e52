'use client';

import { Button } from '@/components/ui/button';
import { onApproach } from '@/components/ui/on-approach';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { type ChatView, showPrivacyOf } from '@/lib/browser/chat/chat-view';
import type { SideName } from '@/lib/browser/chat/conversation';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { chatWords as words } from '@/lib/browser/words/chat';
import { SquarePen } from 'lucide-react';
import { PrivacyChip } from './privacy-chip';
import { CompareButton } from './compare-button';
import { ModelPicker } from './model-picker';

/** Loads when visible, because a wide screen never shows it. */
const ViewSelect = onApproach(() => import('./view-select').then((module) => module.ViewSelect), {
  waiting: <Skeleton className="h-8 w-9.5 pointer-coarse:h-10" />,
});

const BesideBar = onDemand(() => import('./beside-bar').then((module) => module.BesideBar), {
  waiting: <Skeleton className="mx-3 my-1 h-8 lg:mx-4" />,
});

/** Shows the model, its privacy and a button for a new conversation. A small screen also has the choice of view. */
export function ChatBar({ chat, view, onShow }: { chat: Chat; view: ChatView; onShow: (view: ChatView) => void }) {
  const begin = () => {
    chat.startNew();
    onShow('talk');
  };
  const { beside, model, models, settings } = chat;
  const others = models?.filter(({ id, isOffline }) => id !== model?.id && !isOffline) ?? [];
  const chooseModel = (modelId: string) =>
    // The second model becomes the first, and the first one the second.
    chat.change({ modelId, ...(modelId === beside?.model.id && { besideModelId: model?.id ?? null }) });
  return (
    <div className="shrink-0 border-b border-line">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto_auto] sm:grid-cols-[minmax(0,1fr)_auto_auto_auto_auto] items-center gap-1.5 px-3 py-1 short:py-0.5! sm:gap-2 md:flex md:py-2 lg:px-4">
        <ModelPicker
          models={models}
          model={model}
          name={model?.id ?? settings.modelId}
          onChoose={chooseModel}
          className="md:w-72"
        />
        <PrivacyChip chat={chat} onClick={() => showPrivacy(onShow, 'main')} />
        <CompareButton chat={chat} className="max-sm:hidden" />
        <span className="hidden flex-1 md:block" />
        {/* A new key remounts the button after its use, so that focus moves to the question. */}
        <Button
          key={chat.conversation === null ? 'none to leave' : 'one to leave'}
          onClick={begin}
          disabled={chat.conversation === null}
          aria-label={words.bar.begin}
          className="max-sm:px-2.5"
        >
          <SquarePen aria-hidden />
          <span className="hidden sm:inline">{words.bar.beginShort}</span>
        </Button>
        <div className="lg:hidden">
          <ViewSelect view={view} onShow={onShow} />
        </div>
      </div>
      {beside !== null && (
        <BesideBar chat={chat} beside={beside} models={others} onShowPrivacy={() => showPrivacy(onShow, 'beside')} />
      )}
    </div>
  );
}

function showPrivacy(onShow: (view: ChatView) => void, side: SideName): void {
  showPrivacyOf(side);
  onShow('lock');
  requestAnimationFrame(() => document.querySelector('[data-verdict]')?.scrollIntoView({ block: 'nearest' }));
}
