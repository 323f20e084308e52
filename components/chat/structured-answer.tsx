'use client';

import { JsonTree } from '@/components/json/json-tree';
import { Notice } from '@/components/ui/notice';
import { readTree } from '@/lib/browser/text/json-document';
import { chatTurnWords as words } from './turn-words';
import { CircleCheck } from 'lucide-react';

/** Shows an answer to which a schema applies, with the violations that this browser found. */
export function StructuredAnswer({ text, faults }: { text: string; faults: readonly string[] }) {
  const tree = readTree(text);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="overflow-auto rounded-md border border-line p-2">
        {tree === null ? (
          <pre className="figures text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
        ) : (
          <JsonTree node={tree} />
        )}
      </div>
      {faults.length === 0 ? (
        <p className="flex items-center gap-1.5 text-xs text-good">
          <CircleCheck aria-hidden className="size-4" />
          {words.answer.fits}
        </p>
      ) : (
        <Notice tone="bad" title={words.answer.misfits}>
          <ul className="figures list-disc pl-4 text-xs">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
