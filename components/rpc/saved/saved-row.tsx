'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import {
  type Collections,
  type SavedRequest,
  tidyName,
  withEdited,
  withMoved,
} from '@/lib/browser/rpc/collections/collections';
import { changeCollections } from '@/lib/browser/rpc/collections/stored-collections';
import { checkRequest } from '@/lib/browser/rpc/request-text';
import { rpcSavedWords as words } from '@/lib/browser/words/rpc-tools';
import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';

interface SavedRowProps {
  request: SavedRequest;
  collectionId: string;
  collections: Collections;
  onOpen: (request: { network: string; text: string }) => void;
  onRemove: (id: string) => void;
  onFailed: () => void;
}

export function SavedRow({ request, collectionId, collections, onOpen, onRemove, onFailed }: SavedRowProps) {
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
