'use client';

import { Button } from '@/components/ui/button';
import type { AttachedFile } from '@/lib/browser/chat/attached-files';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';
import { useState } from 'react';
import { QuestionFiles } from './question-files';

/** Length above which a question is folded, to keep its answer in view. */
const FOLDED_CHARACTERS = 1_500;
const FOLDED_LINES = 15;

export function QuestionView({
  question,
  files = [],
}: {
  question: string;
  files?: readonly AttachedFile[] | undefined;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = question.length > FOLDED_CHARACTERS || question.split('\n', FOLDED_LINES + 1).length > FOLDED_LINES;
  const beginning = question.split('\n', FOLDED_LINES).join('\n').slice(0, FOLDED_CHARACTERS);
  return (
    <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line bg-surface px-3 py-2">
      <h3 className="sr-only">{words.question.asked}</h3>
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
