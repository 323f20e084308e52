'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Input } from '@/components/ui/field';
import { forgetExchange, forgetExchanges } from '@/lib/browser/chat/exchanges';
import { type Conversation, titleOf } from '@/lib/browser/chat/conversation';
import { changeConversation, eraseConversation, eraseConversations, openConversation, useConversations, useCurrentId } from '@/lib/browser/chat/conversation-store';
import { conversationsExport } from '@/lib/browser/chat/export-conversations';
import { stopAnswer } from '@/lib/browser/chat/give-answer';
import { runningAnswer } from '@/lib/browser/chat/running-answer';
import { saveFile } from '@/lib/browser/save-file';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

/** The conversations of this browser: open, rename, export, erase. */
export function KeptTab({ onOpened }: { onOpened: () => void }) {
  const conversations = useConversations();
  const currentId = useCurrentId();
  if (conversations.length === 0) return <p className="px-6 py-16 text-center text-sm text-dim">No conversations yet. They are kept in this browser only: no server has them.</p>;
  const eraseAll = () => {
    stopAnswer();
    eraseConversations();
    forgetExchanges();
  };
  return (
    <>
      <ul aria-label="Kept conversations" className="min-h-0 flex-1 divide-y divide-line overflow-auto outline-offset-[-2px]">
        {conversations.map((conversation) => (
          <KeptRow
            key={conversation.id}
            conversation={conversation}
            isOpen={conversation.id === currentId}
            onOpen={() => {
              openConversation(conversation.id);
              onOpened();
            }}
          />
        ))}
      </ul>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-xs text-faint lg:px-4">
        In this browser only, in plain text.
        <span className="flex gap-1">
          <Button size="sm" tone="quiet" onClick={() => exportAs('conversations', conversations)}>
            Export all
          </Button>
          <Confirm title="Erase all conversations?" description={`${countOf(conversations.length)} and the system prompt of the next are erased from this browser. This cannot be undone.`} action="Erase all" onConfirm={eraseAll}>
            <Button size="sm" tone="quiet">
              Erase all…
            </Button>
          </Confirm>
        </span>
      </div>
    </>
  );
}

function KeptRow({ conversation, isOpen, onOpen }: { conversation: Conversation; isOpen: boolean; onOpen: () => void }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const title = titleOf(conversation);
  const { id, modelId, turns, updatedAtMs } = conversation;
  if (isRenaming) return <RenameRow id={id} title={title} onDone={() => setIsRenaming(false)} />;
  return (
    <li className={cn('flex items-center gap-1 pr-2', isOpen && 'bg-hover')}>
      <button type="button" aria-current={isOpen} onClick={onOpen} className="grid min-w-0 flex-1 gap-0.5 px-3 py-2 text-left outline-offset-[-2px] hover:bg-hover lg:px-4">
        <span className="truncate text-sm">{title}</span>
        <span className="truncate text-xs text-dim">
          {modelId ?? 'no model'} · {turns.length} {turns.length === 1 ? 'question' : 'questions'} · <time dateTime={new Date(updatedAtMs).toISOString()}>{new Date(updatedAtMs).toLocaleString()}</time>
        </span>
      </button>
      <Button tone="quiet" size="iconSm" aria-label={`Rename ${title}`} title="Rename" onClick={() => setIsRenaming(true)}>
        <Pencil aria-hidden />
      </Button>
      <Button tone="quiet" size="iconSm" aria-label={`Export ${title}`} title="Export" onClick={() => exportAs('conversation', [conversation])}>
        <Download aria-hidden />
      </Button>
      <Confirm title="Erase this conversation?" description={`“${title}” is erased from this browser. This cannot be undone.`} action="Erase it" onConfirm={() => erase(conversation)}>
        <Button tone="quiet" size="iconSm" aria-label={`Erase ${title}`} title="Erase">
          <Trash2 aria-hidden />
        </Button>
      </Confirm>
    </li>
  );
}

function RenameRow({ id, title, onDone }: { id: string; title: string; onDone: () => void }) {
  const [text, setText] = useState(title);
  const rename = () => {
    changeConversation(id, (conversation) => ({ ...conversation, title: text.trim() === '' ? null : text.trim().slice(0, 120) }));
    onDone();
  };
  return (
    <li>
      <form
        className="flex items-center gap-2 px-3 py-2 lg:px-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
      >
        <Input aria-label="Name of the conversation" autoFocus value={text} onChange={(event) => setText(event.target.value)} />
        <Button type="submit" size="sm">
          Rename
        </Button>
      </form>
    </li>
  );
}

function Confirm({ title, description, action, onConfirm, children }: { title: string; description: string; action: string; onConfirm: () => void; children: ReactNode }) {
  return (
    <Dialog>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent title={title} description={description}>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>Keep</Button>
          </DialogClose>
          <DialogClose asChild>
            <Button tone="primary" onClick={onConfirm}>
              {action}
            </Button>
          </DialogClose>
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** With what crossed the wire for it; an answer that is being given to it is stopped, since nobody would see it. */
function erase({ id, turns }: Conversation): void {
  if (runningAnswer()?.conversationId === id) stopAnswer();
  eraseConversation(id);
  turns.forEach((turn) => forgetExchange(turn.id));
}

function exportAs(name: string, conversations: readonly Conversation[]): void {
  saveFile(`turnpike-${name}-${new Date().toISOString().slice(0, 10)}.json`, 'application/json', conversationsExport(conversations, Date.now()));
}

function countOf(count: number): string {
  return count === 1 ? 'One conversation' : `${count} conversations`;
}
