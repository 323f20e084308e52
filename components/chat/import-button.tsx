'use client';

import { Button } from '@/components/ui/button';
import { keepConversation, useConversations } from '@/lib/browser/chat/conversation-store';
import { IMPORT_BYTES_MAX, importConversations } from '@/lib/browser/chat/import-conversations';
import { chatKeptWords as words } from '@/lib/browser/words/chat-kept';
import { useRef, useState } from 'react';

export function ImportButton() {
  const kept = useConversations();
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > IMPORT_BYTES_MAX) return setOutcome(words.importTooLarge(file.name));
    const imported = importConversations(await file.text().catch(() => ''), kept);
    if (imported === null) return setOutcome(words.noExport(file.name));
    // Adds the newest conversation last, so that it becomes the first of the list.
    for (const each of imported.conversations.toSorted((one, other) => one.updatedAtMs - other.updatedAtMs))
      keepConversation(each);
    setOutcome(words.imported(imported.conversations.length, imported.knownCount, imported.unreadCount));
  };
  return (
    <>
      <Button size="sm" tone="quiet" onClick={() => input.current?.click()}>
        {words.import}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        data-testid="import"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <span role="status" className="order-last w-full text-dim empty:hidden">
        {outcome}
      </span>
    </>
  );
}
