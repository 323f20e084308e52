'use client';

import { Button } from '@/components/ui/button';
import type { Answer, SignatureClaim } from '@/lib/browser/chat/conversation';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { useSignatureRecheck } from '@/lib/browser/chat/use-signature-recheck';
import { chatWords as words } from '@/lib/browser/words/chat';
import type { MouseEvent } from 'react';

/** Checks a signature that could not be asked for: by itself where that may succeed now, and when it is pressed. */
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
    // Where it succeeded the button is gone, and the focus would be lost with it.
    setTimeout(() => document.activeElement === document.body && article?.querySelector('button')?.focus());
  };
  return (
    <Button size="sm" aria-disabled={isChecking} onClick={(event) => void onClick(event)}>
      {isChecking ? words.signature.checking : words.signature.checkAgain}
    </Button>
  );
}
