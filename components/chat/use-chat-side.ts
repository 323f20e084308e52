'use client';

import type { ChatModelInfo } from '@/lib/client/chat-models';
import { useCallback } from 'react';
import type { Credential } from '@/lib/browser/credential/credential';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { inOwnTask, loadCode } from '@/lib/browser/page/load-code';
import { useSandbox } from '@/lib/browser/reads/settings';
import { useIsSecurePage } from '@/lib/browser/page/secure-context';
import { notePrivacy, type PrivacyState, usePrivacy } from './privacy/privacy-store';
import { type TamperAlarm, useTamperAlarm } from './privacy/tamper-alarms';
import { useTakesUnknownWorkload } from './privacy/kept-pins';

/** Model for the next question, and what this browser knows about the model's privacy. */
export interface ChatSide {
  /** Null until the model list arrives, or if the model is not listed. */
  model: ChatModelInfo | null;
  privacy: PrivacyState;
  alarm: TamperAlarm | null;
  /**
   * True if the model offers attestation but the page came over plain HTTP, where an intermediary can change the code.
   */
  isOnPlainHttp: boolean;
  /** True if genuine hardware runs an unpinned workload that the user has not accepted. */
  isUnknownRefused: boolean;
  checkPrivacy: () => Promise<void>;
}

export function useChatSide(model: ChatModelInfo | null, { presented }: Credential): ChatSide {
  const sandbox = useSandbox();
  const isSandboxKnown = sandbox.data !== undefined;
  const simulatedRoot = sandbox.data?.enclave?.root ?? null;
  const isOnPlainHttp = !useIsSecurePage() && model?.can.attest === true;
  const alarm = useTamperAlarm(model?.id ?? null);
  const privacy = usePrivacy(model?.can.attest ? model.id : null);
  const takesUnknown = useTakesUnknownWorkload(model?.id ?? null);
  const checkPrivacy = useCallback(async () => {
    // Until the page knows whether this is a sandbox, a simulated enclave would look forged.
    if (!model?.can.attest || presented === null || isOnPlainHttp || !isSandboxKnown) return;
    // Records the check before the client loads, so that only one attestation starts.
    notePrivacy(model.id, { kind: 'checking' });
    await new Promise<void>(inOwnTask);
    const loaded = await loadCode(() => import('./privacy/check-privacy')).catch((error: Error) =>
      notePrivacy(model.id, { kind: 'unanswered', error }),
    );
    await new Promise<void>(inOwnTask);
    await loaded?.checkPrivacy({
      modelId: model.id,
      isEncryptable: model.can.encrypt,
      connection: gatewayOptions(presented),
      simulatedRoot,
    });
  }, [model, presented, simulatedRoot, isOnPlainHttp, isSandboxKnown]);
  return {
    model,
    privacy,
    alarm,
    isOnPlainHttp,
    isUnknownRefused:
      privacy.kind === 'judged' && privacy.attestation.verdict.conclusion === 'unknown-workload' && !takesUnknown,
    checkPrivacy,
  };
}
