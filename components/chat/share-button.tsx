'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { conversationMarkdown } from '@/lib/browser/chat/conversation-markdown';
import { type Conversation, titleOf } from '@/lib/browser/chat/conversation';
import { conversationsExport } from '@/lib/browser/chat/export-conversations';
import { saveFile } from '@/lib/browser/save-file';
import { chatKeptWords as words } from '@/lib/browser/words/chat-kept';
import { Download, Share } from 'lucide-react';

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
