'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { collectionFileName, writeCollectionFile } from '@/lib/browser/rpc/collections/collection-file';
import {
  type Collections,
  isSameName,
  type RequestCollection,
  tidyName,
  withCollectionNamed,
} from '@/lib/browser/rpc/collections/collections';
import { changeCollections } from '@/lib/browser/rpc/collections/stored-collections';
import { saveFile } from '@/lib/browser/save-file';
import { rpcSavedWords as words } from '@/lib/browser/words/rpc-tools';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { SavedRow } from './saved-row';

interface CollectionSectionProps {
  /** Collection, reduced to the requests that match the search. */
  collection: RequestCollection;
  collections: Collections;
  onOpen: (request: { network: string; text: string }) => void;
  onRemove: (id: string) => void;
  /** Called if the browser did not store a change. */
  onFailed: () => void;
}

export function CollectionSection({ collection, collections, onOpen, onRemove, onFailed }: CollectionSectionProps) {
  const { id, name, requests } = collection;
  const [isRenaming, setIsRenaming] = useState(false);
  const whole = collections.find((each) => each.id === id) ?? collection;
  const stopRenaming = () => {
    setIsRenaming(false);
    requestAnimationFrame(() => document.getElementById(`rename-${id}`)?.focus());
  };
  return (
    <section aria-label={name} className="border-b border-line">
      {isRenaming ? (
        <RenameForm collection={whole} collections={collections} onDone={stopRenaming} onFailed={onFailed} />
      ) : (
        <div className="flex min-h-9 items-center gap-1 bg-surface px-3 lg:px-4">
          <h3 id={`saved-${id}`} tabIndex={-1} className="min-w-0 truncate text-sm font-semibold">
            <bdi>{name}</bdi>
          </h3>
          <span className="ml-1 flex-1 text-xs whitespace-nowrap text-faint">{words.count(whole.requests.length)}</span>
          <Button
            tone="quiet"
            size="iconSm"
            aria-label={words.exportCollection(name)}
            title={words.exportCollection(name)}
            onClick={() => saveFile(collectionFileName(name), 'application/json', writeCollectionFile(whole))}
          >
            <Download aria-hidden />
          </Button>
          <Button
            id={`rename-${id}`}
            tone="quiet"
            size="iconSm"
            aria-label={words.renameCollection(name)}
            title={words.renameCollection(name)}
            onClick={() => setIsRenaming(true)}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            tone="quiet"
            size="iconSm"
            aria-label={words.deleteCollection(name)}
            title={words.deleteCollection(name)}
            onClick={() => onRemove(id)}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      )}
      {requests.length === 0 && <p className="px-3 py-2 text-xs text-faint lg:px-4">{words.noRequests}</p>}
      <ul className="divide-y divide-line">
        {requests.map((request) => (
          <SavedRow
            key={request.id}
            request={request}
            collectionId={id}
            collections={collections}
            onOpen={onOpen}
            onRemove={onRemove}
            onFailed={onFailed}
          />
        ))}
      </ul>
    </section>
  );
}

function RenameForm({
  collection,
  collections,
  onDone,
  onFailed,
}: {
  collection: RequestCollection;
  collections: Collections;
  onDone: () => void;
  onFailed: () => void;
}) {
  const id = useId();
  const [name, setName] = useState(collection.name);
  const isTaken = collections.some((each) => each.id !== collection.id && isSameName(each.name, name));
  const rename = (event: FormEvent) => {
    event.preventDefault();
    if (isTaken || tidyName(name) === '') return;
    if (!changeCollections((before) => withCollectionNamed(before, collection.id, tidyName(name)))) onFailed();
    onDone();
  };
  return (
    <form
      onSubmit={rename}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
      className="grid gap-1 bg-surface px-3 py-2 lg:px-4"
    >
      <div className="flex gap-2">
        <Input
          autoFocus
          aria-label={words.collection}
          value={name}
          aria-invalid={isTaken}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={isTaken || tidyName(name) === ''}>
          {words.done}
        </Button>
        <Button tone="quiet" onClick={onDone}>
          {words.cancel}
        </Button>
      </div>
      <p id={`${id}-problem`} className="text-xs text-bad empty:hidden">
        {isTaken ? words.nameTaken : ''}
      </p>
    </form>
  );
}
