'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { saveFile } from '@/lib/browser/storage/save-file';
import { Download, Share } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Conversation, titleOf } from './conversation';
import { conversationMarkdown, conversationsExport, IMPORT_BYTES_MAX, importConversations } from './conversation-files';
import { keepConversation, useConversations } from './conversation-store';
import { chatKeptWords as words } from './kept-words';

/** Exports a conversation as Markdown for people, or as JSON for another browser. */
export function ShareButton({ conversation }: { conversation: Conversation }) {
  const title = titleOf(conversation);
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button tone="quiet" size="iconSm" aria-label={words.share(title)} title={words.shareShort}>
          <Share aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label={words.share(title)}
        className="grid w-64 grid-cols-[minmax(0,1fr)] gap-1.5 p-2"
      >
        <p className="px-1 text-xs text-dim">{words.shareWhat}</p>
        <CopyButton text={() => conversationMarkdown(conversation)} label={words.copyMarkdown} />
        <Button
          size="sm"
          onClick={() => saveFile(fileName(title, 'md'), 'text/markdown', conversationMarkdown(conversation))}
        >
          <Download aria-hidden />
          {words.saveMarkdown}
        </Button>
        <Button
          size="sm"
          onClick={() =>
            saveFile(fileName(title, 'json'), 'application/json', conversationsExport([conversation], Date.now()))
          }
        >
          <Download aria-hidden />
          {words.saveJson}
        </Button>
      </PopoverContent>
    </Popover>
  );
}

const NAME_CHARACTERS = 40;

function fileName(title: string, extension: string): string {
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, NAME_CHARACTERS);
  return `${name === '' ? 'conversation' : name}.${extension}`;
}

export function ImportButton() {
  const kept = useConversations();
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > IMPORT_BYTES_MAX) return setOutcome(words.importTooLarge(file.name));
    const imported = importConversations(await file.text().catch(() => ''), kept);
    if (imported === null) return setOutcome(words.noExport(file.name));
    // Each addition goes to the top of the list, so the newest conversation is added last.
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
