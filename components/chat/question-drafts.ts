'use client';

import { createKeyedTexts } from '@/lib/browser/storage/keyed-texts';
import { useMemo } from 'react';
import { areAttachedFiles, type AttachedFile } from './attached-files';
import { areAttachedPictures, type AttachedPicture } from './attached-pictures';

export const {
  useText: useQuestionDraft,
  put: draftQuestion,
  forgetAll: forgetQuestions,
} = createKeyedTexts('turnpike.chat-questions');

/** Returns the storage key for the draft of a conversation's next question; a null id means a new conversation. */
export function nextQuestionOf(conversationId: string | null): string {
  return conversationId ?? 'new';
}

export function editOf(turnId: string): string {
  return `edit ${turnId}`;
}

/** Drafts survive a reload. */
export const {
  useList: useFileDrafts,
  put: draftFiles,
  listOf: draftedFiles,
  forgetAll: forgetFileDrafts,
} = createListDrafts<AttachedFile>('turnpike.chat-files', areAttachedFiles);

export const {
  useList: usePictureDrafts,
  put: draftPictures,
  listOf: draftedPictures,
  forgetAll: forgetPictureDrafts,
} = createListDrafts<AttachedPicture>('turnpike.chat-pictures', areAttachedPictures);

function createListDrafts<T>(key: string, isList: (value: unknown) => value is readonly T[]) {
  const none: readonly T[] = [];
  const { useText, textOf, put, forgetAll } = createKeyedTexts(key);
  const read = (text: string | null): readonly T[] => {
    if (text === null) return none;
    try {
      const stored: unknown = JSON.parse(text);
      return isList(stored) ? stored : none;
    } catch {
      return none;
    }
  };
  return {
    useList(place: string): readonly T[] {
      const text = useText(place);
      return useMemo(() => read(text), [text]);
    },
    put: (place: string, list: readonly T[]) => put(place, list.length === 0 ? null : JSON.stringify(list)),
    listOf: (place: string) => read(textOf(place)),
    forgetAll,
  };
}
