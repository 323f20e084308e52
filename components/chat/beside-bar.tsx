'use client';

import { Button } from '@/components/ui/button';
import type { Chat } from './use-chat';
import { chatWords as words } from './words';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import { X } from 'lucide-react';
import { ModelPicker, PrivacyChip } from './chat-bar';

export function BesideBar({
  chat,
  beside,
  models,
  isPrivacyOpen,
  onShowPrivacy,
}: {
  chat: Chat;
  beside: NonNullable<Chat['beside']>;
  models: readonly ChatModelInfo[];
  isPrivacyOpen: boolean;
  onShowPrivacy: () => void;
}) {
  return (
    <div
      role="group"
      aria-label={words.beside.group}
      className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-1.5 px-3 pb-1 sm:gap-2 md:flex md:pb-2 lg:px-4"
    >
      <ModelPicker
        label={words.beside.model}
        models={models}
        model={beside.model}
        name={beside.model.id}
        onChoose={(besideModelId) => chat.change({ besideModelId })}
        className="md:w-72"
      />
      <PrivacyChip chat={{ ...chat, ...beside }} isOpen={isPrivacyOpen} onClick={onShowPrivacy} />
      <Button
        tone="quiet"
        size="icon"
        aria-label={words.beside.remove}
        title={words.beside.remove}
        onClick={() => chat.change({ besideModelId: null })}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
