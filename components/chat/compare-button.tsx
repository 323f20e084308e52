'use client';

import { Button } from '@/components/ui/button';
import type { Chat } from './use-chat';
import { chatWords as words } from './words';
import { Columns2 } from 'lucide-react';

export function CompareButton({
  chat,
  isQuiet = false,
  className,
}: {
  chat: Chat;
  isQuiet?: boolean;
  className?: string;
}) {
  const { model, models, beside, change } = chat;
  const other = models?.find(({ id, isOffline }) => id !== model?.id && !isOffline) ?? null;
  return (
    <Button
      tone={isQuiet ? 'quiet' : 'outline'}
      size={isQuiet ? 'icon' : 'md'}
      aria-label={words.beside.add}
      title={words.beside.add}
      aria-pressed={beside !== null}
      disabled={other === null}
      onClick={() => change({ besideModelId: beside === null ? (other?.id ?? null) : null })}
      className={`aria-pressed:bg-hover ${isQuiet ? '' : 'px-2.5'} ${className ?? ''}`}
    >
      <Columns2 aria-hidden />
      {!isQuiet && <span className="hidden xl:inline">{words.beside.addShort}</span>}
    </Button>
  );
}
