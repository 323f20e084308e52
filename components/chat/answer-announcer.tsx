'use client';

import type { Answer, Turn } from '@/lib/browser/chat/conversation';
import { chatWords as words } from '@/lib/browser/words/chat';
import { useState } from 'react';

const SPOKEN_CHARACTERS = 600;

/** Announces an answer to the last question to screen readers. Does not announce an answer that is still growing. */
export function AnswerAnnouncer({
  last,
  runningId,
}: {
  last: Pick<Turn, 'id' | 'answer'> | undefined;
  runningId: string | null;
}) {
  const [seenId, setSeenId] = useState<string | null>(null);
  if (runningId !== null && runningId !== seenId) setSeenId(runningId);
  const hasEnded = runningId === null && last !== undefined && last.id === seenId;
  return (
    <p aria-live="polite" data-testid="answer-announcer" className="sr-only">
      {hasEnded && last.answer !== null ? sentenceOf(last.answer) : ''}
    </p>
  );
}

function sentenceOf({ text, end, problem }: Answer): string {
  if (problem !== null) return '';
  const { announced } = words.thread;
  const ending = end === 'stopped' ? announced.stopped : end === 'length' ? announced.length : announced.whole;
  return `${ending}: ${text.length > SPOKEN_CHARACTERS ? `${text.slice(0, SPOKEN_CHARACTERS)}…` : text}`;
}
