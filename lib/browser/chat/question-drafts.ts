'use client';

import { createKeyedTexts } from '../keyed-texts';

export const {
  useText: useQuestionDraft,
  put: draftQuestion,
  forgetAll: forgetQuestions,
} = createKeyedTexts('turnpike.chat-questions');

/** Returns the `place` that names the draft of a conversation's next question. A null id means a new conversation. */
export function nextQuestionOf(conversationId: string | null): string {
  return conversationId ?? 'new';
}

export function editOf(turnId: string): string {
  return `edit ${turnId}`;
}
