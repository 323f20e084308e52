'use client';

import { Button } from '@/components/ui/button';
import type { ChatView } from '@/lib/browser/chat/chat-view';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { chatWords as words } from '@/lib/browser/words/chat';
import { SquarePen } from 'lucide-react';
import { PrivacyChip } from './privacy-chip';
import { ModelPicker } from './model-picker';

export function ChatBar({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const begin = () => {
    chat.startNew();
    onShow('talk');
  };
  return (
    <div className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-2 border-b border-line px-3 py-2 sm:short:max-lg:min-w-0 sm:short:max-lg:flex-1 sm:short:max-lg:gap-1 sm:short:max-lg:border-b-0 sm:short:max-lg:py-0.5 md:flex lg:px-4">
      <ModelPicker
        chat={chat}
        className="md:w-72 sm:short:max-lg:w-auto sm:short:max-lg:min-w-0 sm:short:max-lg:flex-1"
      />
      <PrivacyChip chat={chat} onClick={() => showPrivacy(onShow)} />
      <span className="hidden flex-1 md:block sm:short:max-lg:hidden" />
      {/* A new key remounts the button after its use, so that the focus moves to the question. */}
      <Button
        key={chat.conversation === null ? 'none to leave' : 'one to leave'}
        onClick={begin}
        disabled={chat.conversation === null}
        aria-label={words.bar.begin}
        className="max-sm:px-2.5 sm:short:max-lg:px-2.5"
      >
        <SquarePen aria-hidden />
        <span className="hidden sm:inline sm:short:max-lg:hidden">{words.bar.beginShort}</span>
      </Button>
    </div>
  );
}

function showPrivacy(onShow: (view: ChatView) => void): void {
  onShow('lock');
  requestAnimationFrame(() => document.querySelector('[data-verdict]')?.scrollIntoView({ block: 'nearest' }));
}
