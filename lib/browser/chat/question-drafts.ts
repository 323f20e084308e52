'use client';

import { createKeyedTexts } from '../keyed-texts';

/** Questions that are written and not sent, by where they stand. */
export const {
  useText: useQuestionDraft,
  put: draftQuestion,
  forgetAll: forgetQuestions,
} = createKeyedTexts('turnpike.chat-questions');

/** The place of a question that a conversation waits for; null for a new one. */
export function nextQuestionOf(conversationId: string | null): string {
  return conversationId ?? 'new';
}

/** The place of a question that is asked differently. */
export function editOf(turnId: string): string {
  return `edit ${turnId}`;
}
