'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import {
  type Collections,
  REQUEST_CHARACTERS_MAX,
  tidyName,
  withRequest,
} from '@/lib/browser/rpc/collections/collections';
import { changeCollections } from '@/lib/browser/rpc/collections/stored-collections';
import { createFieldDrafts } from '@/lib/browser/text-drafts';
import { rpcSavedWords as words } from '@/lib/browser/words/rpc-tools';
import { Bookmark } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';

interface SaveFormProps {
  draft: { network: string | null; text: string };
  collections: Collections;
  /** Called with a sentence that says what was saved and where. */
  onSaved: (sentence: string) => void;
}

const useSaveDraft = createFieldDrafts('turnpike.rpc-save', { name: '', collection: words.firstCollection as string });

export function SaveForm({ draft: { network, text }, collections, onSaved }: SaveFormProps) {
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
