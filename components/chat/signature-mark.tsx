'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { connectionNow, onRecovered } from '@/lib/browser/connection/connection';
import { loadCode } from '@/lib/browser/page/load-code';
import { useIsSecurePage } from '@/lib/browser/page/secure-context';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useSandbox } from '@/lib/browser/reads/settings';
import { BadgeAlert, BadgeCheck, BadgeX, CircleDashed, CircleHelp, type LucideIcon } from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { Answer, SignatureClaim, SignatureState } from './conversation';
import { changeConversation } from './conversation-store';
import { withSignature } from './turn-versions';
import { chatTurnWords as words } from './turn-words';
import type { Chat } from './use-chat';

const LOOKS: Record<Exclude<SignatureState, 'none'>, { Icon: LucideIcon; ink: string }> = {
  verified: { Icon: BadgeCheck, ink: 'text-good' },
  'attested-after': { Icon: BadgeAlert, ink: 'font-medium text-amber-ink' },
  sealed: { Icon: BadgeCheck, ink: 'text-good' },
  'sealed-pieces': { Icon: BadgeAlert, ink: 'text-amber-ink' },
  failed: { Icon: BadgeX, ink: 'font-medium text-bad' },
  unchecked: { Icon: CircleHelp, ink: 'text-amber-ink' },
  unavailable: { Icon: CircleDashed, ink: 'text-dim' },
};

/** Shows what authenticates an answer: the enclave's signature or the answer's encryption. */
export function SignatureMark({ signature }: { signature: Answer['signature'] }) {
  const { state, sentence } = signature;
  if (state === 'none') return null;
  const { Icon, ink } = LOOKS[state];
  return (
    <span data-signature={state} title={sentence} className={cn('inline-flex items-center gap-1 text-xs', ink)}>
      <Icon aria-hidden className="size-4" />
      {state === 'unchecked' ? words.signature.unchecked[whyUnchecked(signature)] : words.signature[state]}
    </span>
  );
}

function whyUnchecked({ claim, isRefused }: Answer['signature']): 'unanswered' | 'refused' | 'late' {
  if (claim === undefined) return 'late';
  return isRefused ? 'refused' : 'unanswered';
}

/** After a failed fetch, shows a button that fetches and checks an answer's signature again. */
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

/**
 * Fetches and checks an answer's signature again: when the answer is first shown, when the gateway can be reached
 * again, and when `check` is called. `check` never rejects.
 */
function useSignatureRecheck(
  { conversation, credential, models }: Chat,
  turnId: string,
  { modelId, isEncrypted }: Answer,
  claim: SignatureClaim,
): { isChecking: boolean; check: () => Promise<void> } {
  const [isChecking, setIsChecking] = useState(false);
  const isBusy = useRef(false);
  const sandbox = useSandbox();
  const isSecure = useIsSecurePage();
  const { presented } = credential;
  const conversationId = conversation?.id ?? null;
  const isSandboxKnown = sandbox.data !== undefined;
  const simulatedRoot = sandbox.data?.enclave?.root ?? null;
  const isOffered = models?.some(({ id }) => id === modelId) === true;
  const isReady = presented !== null && conversationId !== null && isSecure && isSandboxKnown && isOffered;

  const check = async () => {
    if (isBusy.current || !isReady) return;
    isBusy.current = true;
    setIsChecking(true);
    try {
      const { recheckSignature } = await loadCode(() => import('./recheck-signature'));
      const signature = await recheckSignature(
        { modelId, isEncryptable: isEncrypted, connection: gatewayOptions(presented), simulatedRoot },
        claim,
      );
      if (signature.claim === undefined)
        changeConversation(conversationId, (kept) => withSignature(kept, turnId, claim.completionId, signature));
    } catch {
      // The check failed, so the stored signature stays `unchecked`.
    } finally {
      isBusy.current = false;
      setIsChecking(false);
    }
  };
  const latest = useRef(check);
  useEffect(() => {
    latest.current = check;
  });

  useEffect(() => {
    if (!isReady) return;
    const stop = onRecovered(() => void latest.current());
    const { state } = connectionNow();
    const timer = state === 'offline' || state === 'unanswered' ? undefined : setTimeout(() => void latest.current());
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [isReady, claim.completionId]);
  return { isChecking, check };
}
