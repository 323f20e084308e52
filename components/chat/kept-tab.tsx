'use client';

import { useBrand } from '@/lib/browser/reads/settings';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { forgetExchange, forgetExchanges } from './exchanges';
import { type Conversation, titleOf } from './conversation';
import {
  changeConversation,
  eraseConversation,
  eraseConversations,
  openConversation,
  useArchive,
  useCurrentId,
} from './conversation-store';
import { conversationsExport, findConversations } from './conversation-files';
import { everyTurn } from './turn-versions';
import { stopAnswer } from './give-answer';
import { runningAnswers } from './running-answer';
import { formatMoment } from '@/lib/browser/text/moments';
import { saveFile } from '@/lib/browser/storage/save-file';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { chatKeptWords as words } from './kept-words';
import { type ReactNode, useMemo, useState } from 'react';
import { ImportButton, ShareButton } from './conversation-buttons';

export function KeptTab({ onOpened }: { onOpened: () => void }) {
  const { slug } = useBrand();
  const { conversations, isLoaded, unreadable } = useArchive();
  const currentId = useCurrentId();
  const [query, setQuery] = useState('');
  const found = useMemo(() => findConversations(conversations, query), [conversations, query]);
  if (!isLoaded && conversations.length === 0) return <KeptSkeleton />;
  const hasNone = conversations.length === 0;
  const eraseAll = () => {
    stopAnswer();
    eraseConversations();
    forgetExchanges();
  };
  return (
    <>
      {unreadable.length > 0 && <Unreadable stored={unreadable} />}
      {conversations.length > 1 && (
        <div className="shrink-0 border-b border-line p-2 lg:px-3">
          <Input
            type="search"
            aria-label={words.search}
            placeholder={words.searchHint}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
      )}
      {found.length === 0 && (
        <p role="status" data-drawing="talk" className="flex-1 px-6 py-16 text-center text-sm text-dim lg:px-4 lg:py-8">
          {hasNone ? words.none : words.noneFound}
        </p>
      )}
      <ul
        aria-label={words.list}
        hidden={found.length === 0}
        className="min-h-0 flex-1 divide-y divide-line overflow-auto outline-offset-[-2px]"
      >
        {found.map(({ conversation, excerpt }) => (
          <KeptRow
            key={conversation.id}
            conversation={conversation}
            excerpt={excerpt}
            isOpen={conversation.id === currentId}
            onOpen={() => {
              openConversation(conversation.id);
              onOpened();
            }}
          />
        ))}
      </ul>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-xs text-faint">
        {words.where}
        <span className="flex flex-wrap gap-1">
          <ImportButton />
          <Button
            size="sm"
            tone="quiet"
            hidden={hasNone}
            onClick={() => exportAs(slug, 'conversations', conversations)}
          >
            {words.exportAll}
          </Button>
          <Confirm
            title={words.eraseAllAsk}
            description={words.eraseAllWhat(conversations.length)}
            action={words.eraseAllDo}
            onConfirm={eraseAll}
          >
            <Button size="sm" tone="quiet" hidden={hasNone}>
              {words.eraseAll}
            </Button>
          </Confirm>
        </span>
      </div>
    </>
  );
}

/**
 * Exports stored conversations that this console version cannot read. Another version may still read them, so this
 * version must not delete them.
 */
function Unreadable({ stored }: { stored: readonly unknown[] }) {
  const { slug } = useBrand();
  return (
    <Notice
      tone="info"
      className="m-3 shrink-0"
      title={words.otherVersion(stored.length)}
      actions={
        <Button
          size="sm"
          onClick={() =>
            saveFile(
              `${slug}-unread-conversations-${new Date().toISOString().slice(0, 10)}.json`,
              'application/json',
              JSON.stringify(stored, null, 2),
            )
          }
        >
          <Download aria-hidden />
          {words.otherVersionSave}
        </Button>
      }
    >
      {words.otherVersionStays}
    </Notice>
  );
}

function KeptSkeleton() {
  return (
    <div role="status" aria-label={words.loading} className="grid gap-3 p-3">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}

function KeptRow({
  conversation,
  excerpt,
  isOpen,
  onOpen,
}: {
  conversation: Conversation;
  excerpt: string | null;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const [isRenaming, setIsRenaming] = useState(false);
  const title = titleOf(conversation);
  const { id, modelId, turns, updatedAtMs } = conversation;
  if (isRenaming) return <RenameRow id={id} title={title} onDone={() => setIsRenaming(false)} />;
  return (
    <li className={cn('group relative flex items-center gap-1 pr-2 lg:pr-0', isOpen && 'bg-hover')}>
      <button
        type="button"
        aria-current={isOpen}
        onClick={onOpen}
        className="grid min-w-0 flex-1 gap-0.5 px-3 py-2 text-left outline-offset-[-2px] hover:bg-hover"
      >
        <span className="truncate text-sm lg:pointer-fine:group-hover:pr-20 lg:pointer-fine:group-has-focus-visible:pr-20 lg:pointer-fine:group-has-aria-expanded:pr-20">
          {title}
        </span>
        {excerpt !== null && <span className="truncate text-xs text-ink">{excerpt}</span>}
        <span className="truncate text-xs text-dim">
          <time dateTime={new Date(updatedAtMs).toISOString()}>{formatMoment(updatedAtMs).replace(/,.*/, '')}</time> ·{' '}
          {words.questions(turns.length)} · {modelId ?? words.noModel}
        </span>
      </button>
      <span className="flex shrink-0 gap-1 lg:pointer-fine:absolute lg:pointer-fine:top-1.5 lg:pointer-fine:right-1 lg:pointer-fine:gap-0.5 lg:pointer-fine:opacity-0 lg:pointer-fine:*:size-6 lg:pointer-fine:group-hover:opacity-100 lg:pointer-fine:group-has-focus-visible:opacity-100 lg:pointer-fine:group-has-aria-expanded:opacity-100">
        <Button
          tone="quiet"
          size="iconSm"
          aria-label={words.rename(title)}
          title={words.renameShort}
          onClick={() => setIsRenaming(true)}
        >
          <Pencil aria-hidden />
        </Button>
        <ShareButton conversation={conversation} />
        <Confirm
          title={words.eraseAsk}
          description={words.eraseWhat(title)}
          action={words.eraseDo}
          onConfirm={() => erase(conversation)}
        >
          <Button tone="quiet" size="iconSm" aria-label={words.erase(title)} title={words.eraseShort}>
            <Trash2 aria-hidden />
          </Button>
        </Confirm>
      </span>
    </li>
  );
}

function RenameRow({ id, title, onDone }: { id: string; title: string; onDone: () => void }) {
  const [text, setText] = useState(title);
  const rename = () => {
    changeConversation(id, (conversation) => ({
      ...conversation,
      title: text.trim() === '' ? null : text.trim().slice(0, 120),
    }));
    onDone();
  };
  return (
    <li>
      <form
        className="flex items-center gap-2 px-3 py-2"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
      >
        <Input aria-label={words.name} autoFocus value={text} onChange={(event) => setText(event.target.value)} />
        <Button type="submit" size="sm">
          {words.renameShort}
        </Button>
      </form>
    </li>
  );
}

function Confirm({
  title,
  description,
  action,
  onConfirm,
  children,
}: {
  title: string;
  description: string;
  action: string;
  onConfirm: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent title={title} description={description}>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{words.keep}</Button>
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

function erase({ id, turns }: Conversation): void {
  if (runningAnswers().some(({ conversationId }) => conversationId === id)) stopAnswer();
  eraseConversation(id);
  everyTurn(turns).forEach((turn) => {
    forgetExchange(turn.id);
    if (turn.beside) forgetExchange(turn.beside.id);
  });
}

function exportAs(slug: string, name: string, conversations: readonly Conversation[]): void {
  saveFile(
    `${slug}-${name}-${new Date().toISOString().slice(0, 10)}.json`,
    'application/json',
    conversationsExport(conversations, Date.now()),
  );
}
