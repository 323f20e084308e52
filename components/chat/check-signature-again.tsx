'use client';

import { Button } from '@/components/ui/button';
import type { Answer, SignatureClaim } from '@/lib/browser/chat/conversation';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { useSignatureRecheck } from '@/lib/browser/chat/use-signature-recheck';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';
import type { MouseEvent } from 'react';

/**
 * Fetches and checks an answer's signature again after the fetch failed: on click, and automatically when a retry can
 * succeed.
 */
export function CheckSignatureAgain({
  chat,
  turnId,
  answer,
  claim,
}: {
  chat: Chat;
  turnId: string;
  answer: Answer;
  claim: SignatureClaim;
}) {
  const { isChecking, check } = useSignatureRecheck(chat, turnId, answer, claim);
  const onClick = async ({ currentTarget }: MouseEvent) => {
    const article = currentTarget.closest<HTMLElement>('[role="article"]');
    await check();
    // After success this button is gone, so focus moves to the answer's first button.
    setTimeout(() => document.activeElement === document.body && article?.querySelector('button')?.focus());
  };
  return (
    <Button size="sm" aria-disabled={isChecking} onClick={(event) => void onClick(event)}>
      {isChecking ? words.signature.checking : words.signature.checkAgain}
    </Button>
  );
}
