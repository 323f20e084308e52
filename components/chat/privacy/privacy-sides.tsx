'use client';

import { Button } from '@/components/ui/button';
import { showPrivacyOf } from '../chat-view';
import type { SideName } from '../conversation';
import type { Chat } from '../use-chat';
import { chatWords as words } from '../words';

export function PrivacySides({ chat: { model, beside }, shown }: { chat: Chat; shown: SideName }) {
  if (beside === null) return null;
  const sides = [
    ['main', model?.id ?? ''],
    ['beside', beside.model.id],
  ] as const;
  return (
    <div role="group" aria-label={words.beside.privacy} className="flex flex-wrap gap-2 px-3 pt-3 lg:px-4 lg:pt-4">
      {sides.map(([side, modelId]) => (
        <Button
          key={side}
          size="sm"
          aria-pressed={side === shown}
          className="min-w-0 truncate aria-pressed:bg-hover"
          onClick={() => showPrivacyOf(side)}
        >
          {modelId}
        </Button>
      ))}
    </div>
  );
}
