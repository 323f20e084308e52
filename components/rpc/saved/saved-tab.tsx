'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { type Removed, searchCollections } from '@/lib/browser/rpc/collections/collections';
import { remove, restore, useCollections } from '@/lib/browser/rpc/collections/stored-collections';
import { rpcSavedWords as words } from '@/lib/browser/words/rpc-tools';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { CollectionSection } from './collection-section';
import { ImportButton } from './import-button';
import { SaveForm } from './save-form';

interface SavedTabProps {
  draft: { network: string | null; text: string };
  /** `others` contains the texts of all saved requests, including the one in the editor. */
  onOpen: (request: { network: string; text: string }, others: readonly string[]) => void;
}

/** Lists this browser's saved requests by collection. */
export function SavedTab({ draft, onOpen }: SavedTabProps) {
  const collections = useCollections();
  const [search, setSearch] = useState('');
  const [said, setSaid] = useState('');
  const [removed, setRemoved] = useState<Removed | null>(null);
  const found = searchCollections(collections, search);
  const say = (sentence: string) => {
    setRemoved(null);
    setSaid(sentence);
  };
  const takeOut = (id: string) => {
    setSaid('');
    setRemoved(remove(id));
  };
  const undo = () => {
    if (removed === null) return;
    say(restore(removed) ? words.restored(nameOf(removed)) : words.notKept);
    const id = removed.kind === 'request' ? removed.request.id : removed.collection.id;
    requestAnimationFrame(() => document.getElementById(`saved-${id}`)?.focus());
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SaveForm draft={draft} collections={collections} onSaved={say} />
      {collections.length > 0 && (
        <div className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-2 lg:px-4">
          <Input
            type="search"
            aria-label={words.search}
            placeholder={words.searchPlaceholder}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <ImportButton onImported={say} />
        </div>
      )}
      <div className="min-h-24 flex-1 overflow-auto">
        {collections.length === 0 && (
          <div className="grid justify-items-center gap-3 px-6 py-12 text-center text-sm text-dim">
            <p>{words.empty}</p>
            <p>{words.emptyImport}</p>
            <ImportButton onImported={say} />
          </div>
        )}
        {collections.length > 0 && found.length === 0 && (
          <p className="px-6 py-12 text-center text-sm text-dim">{words.nothingFound}</p>
        )}
        {found.map((collection) => (
          <CollectionSection
            key={collection.id}
            collection={collection}
            collections={collections}
            onOpen={(request) =>
              onOpen(
                request,
                collections.flatMap(({ requests }) => requests.map(({ text }) => text)),
              )
            }
            onRemove={takeOut}
            onFailed={() => say(words.notKept)}
          />
        ))}
      </div>
      <div
        role="status"
        className="flex min-h-10 shrink-0 items-center gap-3 border-t border-line px-3 py-1 text-xs text-dim empty:hidden lg:px-4"
      >
        {removed === null ? (
          said
        ) : (
          <>
            <span className="min-w-0 flex-1 truncate">{words.deleted(nameOf(removed))}</span>
            <Button size="sm" autoFocus onClick={undo}>
              <Undo2 aria-hidden />
              {words.undo}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

function nameOf(removed: Removed): string {
  return removed.kind === 'request' ? removed.request.name : removed.collection.name;
}
