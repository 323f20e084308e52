'use client';

import { createKeyedTexts } from '@/lib/browser/storage/keyed-texts';
import { useMemo } from 'react';
import { areAttachedFiles, type AttachedFile } from './attached-files';

export const {
  useText: useQuestionDraft,
  put: draftQuestion,
  forgetAll: forgetQuestions,
} = createKeyedTexts('turnpike.chat-questions');

/** Returns the `place` under which a conversation's next question is drafted; a null id means a new conversation. */
export function nextQuestionOf(conversationId: string | null): string {
  return conversationId ?? 'new';
}

export function editOf(turnId: string): string {
  return `edit ${turnId}`;
}

const NONE: readonly AttachedFile[] = [];
const { useText, textOf, put, forgetAll: forgetFileDrafts } = createKeyedTexts('turnpike.chat-files');

/** Returns the files attached to the unsent question at `place`. The files survive a reload. */
export function useFileDrafts(place: string): readonly AttachedFile[] {
  const text = useText(place);
  return useMemo(() => readFiles(text), [text]);
}

export function draftFiles(place: string, files: readonly AttachedFile[]): void {
  put(place, files.length === 0 ? null : JSON.stringify(files));
}

export function draftedFiles(place: string): readonly AttachedFile[] {
  return readFiles(textOf(place));
}

export { forgetFileDrafts };

function readFiles(text: string | null): readonly AttachedFile[] {
  if (text === null) return NONE;
  try {
    const stored: unknown = JSON.parse(text);
    return areAttachedFiles(stored) ? stored : NONE;
  } catch {
    return NONE;
  }
}
