'use client';

import { useEffect, useRef, useState } from 'react';
import { connectionNow, onRecovered } from '../connection/connection';
import { gatewayOptions } from '../gateway';
import { loadCode } from '../load-code';
import { useSandbox } from '../sandbox';
import { useIsSecurePage } from '../secure-context';
import type { Answer, SignatureClaim } from './conversation';
import { changeConversation } from './conversation-store';
import { withSignature } from './turn-versions';
import type { Chat } from './use-chat';

/**
 * Fetches and checks an answer's signature again after the fetch failed: when the answer is first shown, when the
 * gateway answers again, and on `check`. `check` never rejects.
 */
export function useSignatureRecheck(
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
      // Ignores the error, because the stored result already says that the signature is unchecked.
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
