'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { formatBytes } from '@/lib/browser/text/amounts';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { type AttachedFile, byteLength } from './attached-files';
import type { AttachedPicture } from './attached-pictures';
import { chatFileWords } from './file-words';
import { chatTurnWords as words } from './turn-words';

/**
 * Maximum length of a question shown in full. Longer questions are folded, so that the answer stays in view.
 */
const FOLDED_CHARACTERS = 1_500;
const FOLDED_LINES = 15;

export function QuestionView({
  question,
  files = [],
  pictures = [],
}: {
  question: string;
  files?: readonly AttachedFile[] | undefined;
  pictures?: readonly AttachedPicture[] | undefined;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = question.length > FOLDED_CHARACTERS || question.split('\n', FOLDED_LINES + 1).length > FOLDED_LINES;
  const beginning = question.split('\n', FOLDED_LINES).join('\n').slice(0, FOLDED_CHARACTERS);
  return (
    <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line bg-surface px-3 py-2">
      <h3 className="sr-only">{words.question.asked}</h3>
      {pictures.length > 0 && <QuestionPictures pictures={pictures} />}
      {question !== '' && (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {isLong && !isWhole ? `${beginning.trimEnd()}…` : question}
        </p>
      )}
      {isLong && (
        <Button
          tone="link"
          size="inline"
          className="min-h-6 justify-self-start text-xs"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? words.question.less : words.question.all(question.length)}
        </Button>
      )}
      {files.length > 0 && <QuestionFiles files={files} />}
    </div>
  );
}

const QuestionPictures = onDemand(() => import('./picture-list').then((module) => module.QuestionPictures), {
  waiting: <Skeleton className="h-40" />,
});

const SHOWN_CHARACTERS = 20_000;

function QuestionFiles({ files }: { files: readonly AttachedFile[] }) {
  return (
    <ul aria-label={chatFileWords.attached} className="grid gap-1.5">
      {files.map(({ name, text }, index) => (
        <li key={`${index} ${name}`} className="min-w-0">
          <details className="group overflow-hidden rounded-sm border border-line bg-ground text-xs">
            <Summary
              chevronClassName="size-3.5"
              className="min-h-7 gap-1.5 px-2 hover:bg-hover pointer-coarse:min-h-10"
            >
              <FileText aria-hidden className="size-3.5 shrink-0 text-dim" />
              <span className="min-w-0 truncate" dir="auto">
                {name}
              </span>
              <span className="figures ml-auto shrink-0 text-dim">{formatBytes(byteLength(text))}</span>
            </Summary>
            <pre
              tabIndex={0}
              aria-label={name}
              className="figures max-h-60 overflow-auto border-t border-line p-2 wrap-anywhere whitespace-pre-wrap"
            >
              {text.slice(0, SHOWN_CHARACTERS)}
              {text.length > SHOWN_CHARACTERS && '…'}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
