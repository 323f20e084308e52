'use client';

import { type AcceptableVerdict, attestationPolicy } from '@/lib/client/private-chat/attestation-policy';
import { attestationRefusal, attestModel } from '@/lib/client/private-chat/attestation';
import type { Connection } from '@/lib/client/private-chat/connection';
import type { Attestation } from '@/lib/client/private-chat/judged-attestation';
import type { PrivateChatError } from '@/lib/client/private-chat/private-chat-error';
import { noteJudged, noteLock } from './lock-store';
import { raiseAlarm } from './tamper-alarms';
import { takesUnknownWorkload, workloadPins } from './workload-pins';

/** A model in an enclave, and how it is reached. */
export interface EnclaveModel {
  modelId: string;
  isEncryptable: boolean;
  connection: Connection;
  /** Of the sandbox's enclave; null where there is none. Under it a verdict is `simulated`, never more. */
  simulatedRoot: string | null;
}

/**
 * Attests a model now, verifies the report in this browser, and notes what came of it. Never rejects. What it takes to
 * ask as well comes with the first question: this is all that a page loads on arrival.
 */
export async function checkLock(model: EnclaveModel): Promise<void> {
  const { modelId, isEncryptable, connection } = model;
  noteLock(modelId, { kind: 'checking' });
  try {
    judged(await attestModel({ connection, model: modelId, policy: policyOf(model), needsPublicKey: isEncryptable }));
  } catch (error) {
    noteLock(modelId, { kind: 'unanswered', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

/** The verdicts under which this browser sends to a model. */
export function acceptedFor(modelId: string): readonly AcceptableVerdict[] {
  return takesUnknownWorkload(modelId) ? ['verified', 'simulated', 'unknown-workload'] : ['verified', 'simulated'];
}

/** What this browser holds an enclave to: the pins that its person has set, beside those of the client. */
export function policyOf({ simulatedRoot }: Pick<EnclaveModel, 'simulatedRoot'>) {
  return attestationPolicy({ simulatedRoot, pinnedWorkloads: workloadPins() });
}

/** Raises the warning of a fault that somebody in between could be the cause of. */
export function raise({ message, detail, hint }: PrivateChatError, modelId: string, nothingSent: boolean): void {
  raiseAlarm({ modelId, atMs: Date.now(), sentence: message, detail, hint, nothingSent });
}

function judged(attestation: Attestation): void {
  noteJudged(attestation);
  const refusal = attestationRefusal(attestation, acceptedFor(attestation.model));
  if (refusal?.isTampering) raise(refusal, attestation.model, true);
}
