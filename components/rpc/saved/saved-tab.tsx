'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { createFieldDrafts } from '@/lib/browser/storage/text-drafts';
import { Bookmark, Undo2, Upload } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { rpcSavedWords as words } from '../tool-words';
import { CollectionSection } from './collection-section';
import {
  type Collections,
  type Removed,
  REQUEST_CHARACTERS_MAX,
  searchCollections,
  tidyName,
  withCollection,
  withRequest,
} from './collections';
import {
  changeCollections,
  FILE_BYTES_MAX,
  readCollectionFile,
  remove,
  restore,
  useCollections,
} from './stored-collections';

interface SavedTabProps {
  draft: { network: string | null; text: string };
  /** `others` contains the texts of all saved requests. */
  onOpen: (request: { network: string; text: string }, others: readonly string[]) => void;
}

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
          <div data-drawing="rows" className="grid justify-items-center gap-3 px-6 py-12 text-center text-sm text-dim">
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

interface SaveFormProps {
  draft: { network: string | null; text: string };
  collections: Collections;
  /** Called with a sentence that says what was saved and where. */
  onSaved: (sentence: string) => void;
}

const useSaveDraft = createFieldDrafts('turnpike.rpc-save', { name: '', collection: words.firstCollection as string });

function SaveForm({ draft: { network, text }, collections, onSaved }: SaveFormProps) {
  const id = useId();
  const { fields, edit } = useSaveDraft();
  const nameField = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const name = tidyName(fields.name);
    const collection = tidyName(fields.collection) || words.firstCollection;
    if (network === null) return;
    if (name === '') {
      setProblem(words.nameMissing);
      nameField.current?.focus();
      return;
    }
    if (text.length > REQUEST_CHARACTERS_MAX) return setProblem(words.tooLong);
    if (!changeCollections((before) => withRequest(before, collection, { name, network, text })))
      return setProblem(words.notKept);
    setProblem(null);
    edit({ name: '', collection });
    onSaved(words.saved(name, collection));
  };
  return (
    <form
      onSubmit={save}
      aria-label={words.saveTitle}
      className="grid shrink-0 gap-1 border-b border-line px-3 py-2 lg:px-4"
    >
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_auto]">
        <Input
          ref={nameField}
          aria-label={words.name}
          placeholder={words.namePlaceholder}
          value={fields.name}
          aria-invalid={problem === words.nameMissing}
          aria-describedby={`${id}-problem`}
          onChange={(event) => edit({ name: event.target.value })}
          className="max-sm:col-span-2"
        />
        <Input
          aria-label={words.collection}
          list={`${id}-collections`}
          value={fields.collection}
          onChange={(event) => edit({ collection: event.target.value })}
        />
        <datalist id={`${id}-collections`}>
          {collections.map((each) => (
            <option key={each.id} value={each.name} />
          ))}
        </datalist>
        <Button type="submit" disabled={network === null}>
          <Bookmark aria-hidden />
          {words.save}
        </Button>
      </div>
      <p id={`${id}-problem`} role="alert" className="text-xs text-bad empty:hidden">
        {problem}
      </p>
    </form>
  );
}

function ImportButton({ onImported }: { onImported: (sentence: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (file !== undefined) onImported(await importFile(file));
    // Clears the field, because choosing the same file again would otherwise cause no change event.
    if (field.current !== null) field.current.value = '';
  };
  return (
    <>
      <input
        ref={field}
        type="file"
        accept="application/json,.json"
        aria-label={words.import}
        hidden
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <Button onClick={() => field.current?.click()}>
        <Upload aria-hidden />
        {words.import}
      </Button>
    </>
  );
}

async function importFile(file: File): Promise<string> {
  if (file.size > FILE_BYTES_MAX) return words.importFaults['too-large'];
  const text = await file.text().catch(() => null);
  if (text === null) return words.unreadable;
  const read = readCollectionFile(text);
  if (typeof read === 'string') return words.importFaults[read];
  return changeCollections((collections) => withCollection(collections, read))
    ? words.imported(read.name, read.requests.length)
    : words.notKept;
}
