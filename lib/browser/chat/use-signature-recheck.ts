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
 * Checks a signature that could not be asked for: once when it is shown, whenever the gateway answers again, and when
 * `check` is called, which never rejects.
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
      // One that could not be told again stays as it is.
      if (signature.claim === undefined)
        changeConversation(conversationId, (kept) => withSignature(kept, turnId, claim.completionId, signature));
    } catch {
      // It could not be told: what is kept says so already.
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
