'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { saveFile } from '@/lib/browser/storage/save-file';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { checkRequest } from '../request-text';
import { rpcSavedWords as words } from '../tool-words';
import {
  type Collections,
  isSameName,
  type RequestCollection,
  type SavedRequest,
  tidyName,
  withCollectionNamed,
  withEdited,
  withMoved,
} from './collections';
import { changeCollections, collectionFileName, writeCollectionFile } from './stored-collections';

interface CollectionSectionProps {
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

interface SavedRowProps {
  request: SavedRequest;
  collectionId: string;
  collections: Collections;
  onOpen: (request: { network: string; text: string }) => void;
  onRemove: (id: string) => void;
  onFailed: () => void;
}

function SavedRow({ request, collectionId, collections, onOpen, onRemove, onFailed }: SavedRowProps) {
  const { id, name, network, text } = request;
  const [isEditing, setIsEditing] = useState(false);
  const calls = useMemo(() => callsOf(text), [text]);
  const stopEditing = () => {
    setIsEditing(false);
    requestAnimationFrame(() => document.getElementById(`edit-${id}`)?.focus());
  };
  if (isEditing)
    return (
      <li>
        <EditForm
          request={request}
          collectionId={collectionId}
          collections={collections}
          onDone={stopEditing}
          onFailed={onFailed}
        />
      </li>
    );
  return (
    <li className="flex items-center gap-1 pr-3 hover:bg-hover lg:pr-4">
      <button
        id={`saved-${id}`}
        type="button"
        onClick={() => onOpen({ network, text })}
        className="grid min-w-0 flex-1 px-3 py-2 text-left outline-offset-[-2px] lg:px-4"
      >
        <bdi className="truncate text-sm">{name}</bdi>
        <span className="truncate text-xs text-dim">
          {network} · <span className="figures">{calls}</span>
        </span>
      </button>
      <Button
        id={`edit-${id}`}
        tone="quiet"
        size="iconSm"
        aria-label={words.edit(name)}
        title={words.edit(name)}
        onClick={() => setIsEditing(true)}
      >
        <Pencil aria-hidden />
      </Button>
      <Button
        tone="quiet"
        size="iconSm"
        aria-label={words.delete(name)}
        title={words.delete(name)}
        onClick={() => onRemove(id)}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

function EditForm({
  request,
  collectionId,
  collections,
  onDone,
  onFailed,
}: Omit<SavedRowProps, 'onOpen' | 'onRemove'> & { onDone: () => void }) {
  const [name, setName] = useState(request.name);
  const [home, setHome] = useState(collectionId);
  const edit = (event: FormEvent) => {
    event.preventDefault();
    const tidy = tidyName(name);
    if (tidy === '') return;
    const isKept = changeCollections((before) => {
      const named = withEdited(before, request.id, (each) => ({ ...each, name: tidy }));
      return home === collectionId ? named : withMoved(named, request.id, home);
    });
    if (!isKept) onFailed();
    onDone();
  };
  return (
    <form
      onSubmit={edit}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
      className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-2 px-3 py-2 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_auto_auto] lg:px-4"
    >
      <Input
        autoFocus
        aria-label={words.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
        className="max-sm:col-span-3"
      />
      <Select
        aria-label={words.collection}
        value={home}
        onChange={setHome}
        options={collections.map((each) => ({ value: each.id, label: each.name }))}
      />
      <Button type="submit" disabled={tidyName(name) === ''}>
        {words.done}
      </Button>
      <Button tone="quiet" onClick={onDone}>
        {words.cancel}
      </Button>
    </form>
  );
}

function callsOf(text: string): string {
  const check = checkRequest(text);
  if (!check.ok) return '–';
  const [first, ...others] = check.calls;
  return `${first?.method ?? ''}${others.length === 0 ? '' : ` +${others.length}`}`;
}
