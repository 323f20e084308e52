'use client';

import { Button } from '@/components/ui/button';
import { useState } from 'react';

/** A question beyond either is folded: the answer to it is what is looked for. */
const FOLDED_CHARACTERS = 1_500;
const FOLDED_LINES = 15;

/** A question as it was asked. A long one shows how it begins. */
export function QuestionView({ question }: { question: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = question.length > FOLDED_CHARACTERS || question.split('\n', FOLDED_LINES + 1).length > FOLDED_LINES;
  const beginning = question.split('\n', FOLDED_LINES).join('\n').slice(0, FOLDED_CHARACTERS);
  return (
    <div className="min-w-0 flex-1 rounded-md border border-line bg-surface px-3 py-2">
      <h3 className="sr-only">You asked</h3>
      <p className="whitespace-pre-wrap wrap-anywhere">{isLong && !isWhole ? `${beginning.trimEnd()}…` : question}</p>
      {isLong && (
        <Button tone="link" size="inline" className="mt-1 min-h-6 text-xs" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${question.length.toLocaleString('en-US')} characters`}
        </Button>
      )}
    </div>
  );
}
