'use client';

import {
  type AcceptableVerdict,
  attestationPolicy,
  attestationRefusal,
  attestModel,
} from '@/lib/client/private-chat/attestation';
import type { Connection } from '@/lib/client/private-chat/connection';
import type { Attestation } from '@/lib/client/private-chat/judged-attestation';
import type { PrivateChatError } from '@/lib/client/private-chat/private-chat-error';
import { noteJudged, notePrivacy } from './privacy-store';
import { raiseAlarm } from './tamper-alarms';
import { takesUnknownWorkload, workloadPins } from './kept-pins';

export interface EnclaveModel {
  modelId: string;
  isEncryptable: boolean;
  connection: Connection;
  /**
   * Root certificate of the sandbox's simulated enclave; null for a live gateway. Under this root, the verdict is
   * `simulated` at best.
   */
  simulatedRoot: string | null;
}

/** Attests a model, verifies the report in this browser, and stores the result. Never rejects. */
export async function checkPrivacy(model: EnclaveModel): Promise<void> {
  const { modelId, isEncryptable, connection } = model;
  notePrivacy(modelId, { kind: 'checking' });
  try {
    judged(await attestModel({ connection, model: modelId, policy: policyOf(model), needsPublicKey: isEncryptable }));
  } catch (error) {
    notePrivacy(modelId, { kind: 'unanswered', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

/** Returns the verdicts that allow this browser to send messages to a model. */
export function acceptedFor(modelId: string): readonly AcceptableVerdict[] {
  return takesUnknownWorkload(modelId) ? ['verified', 'simulated', 'unknown-workload'] : ['verified', 'simulated'];
}

/** Returns the policy for verifying an enclave, with the user's pins. */
export function policyOf({ simulatedRoot }: Pick<EnclaveModel, 'simulatedRoot'>) {
  return attestationPolicy({ simulatedRoot, pinnedWorkloads: workloadPins() });
}

/** Raises a tampering warning for an error that an intermediary could have caused. */
export function raise({ message, detail, hint }: PrivateChatError, modelId: string, nothingSent: boolean): void {
  raiseAlarm({ modelId, atMs: Date.now(), sentence: message, detail, hint, nothingSent });
}

function judged(attestation: Attestation): void {
  noteJudged(attestation);
  const refusal = attestationRefusal(attestation, acceptedFor(attestation.model));
  if (refusal?.isTampering) raise(refusal, attestation.model, true);
}
