'use client';

import { Button } from '@/components/ui/button';
import { FILE_BYTES_MAX, readCollectionFile } from '@/lib/browser/rpc/collections/collection-file';
import { withCollection } from '@/lib/browser/rpc/collections/collections';
import { changeCollections } from '@/lib/browser/rpc/collections/stored-collections';
import { rpcSavedWords as words } from '@/lib/browser/words/rpc-tools';
import { Upload } from 'lucide-react';
import { useRef } from 'react';

export function ImportButton({ onImported }: { onImported: (sentence: string) => void }) {
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
