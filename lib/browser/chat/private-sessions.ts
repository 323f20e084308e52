'use client';

import { attestationPolicy, attestationRefusal, attestModel, type Attestation, type AcceptableVerdict, type ChatMessage, type Connection, PrivateChatError, type PrivateChatEvent, PrivateChatSession } from '@/lib/client/private-chat';
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

const sessions = new Map<string, PrivateChatSession>();
const SESSIONS_MAX = 50;

/** Attests a model now, verifies the report in this browser, and notes what came of it. Never rejects. */
export async function checkLock(model: EnclaveModel): Promise<void> {
  const { modelId, isEncryptable, connection } = model;
  noteLock(modelId, { kind: 'checking' });
  try {
    judged(await attestModel({ connection, model: modelId, policy: policyOf(model), needsPublicKey: isEncryptable }));
  } catch (error) {
    noteLock(modelId, { kind: 'unanswered', error: asError(error) });
  }
}

/**
 * Asks within a conversation. Its enclave is attested before the first message, and again after any fault and where
 * pins have changed. Nothing goes out where the verdict is not one to send under.
 * @throws {PrivateChatError | GatewayError | UnreachableError}
 */
export async function* askPrivately(model: EnclaveModel, conversationId: string, messages: readonly ChatMessage[], parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): AsyncGenerator<PrivateChatEvent, void, undefined> {
  const { modelId } = model;
  const session = sessionOf(model, conversationId);
  let hasSent = false;
  if (session.attestation === null) noteLock(modelId, { kind: 'checking' });
  try {
    for await (const event of session.send(messages, { parameters, signal })) {
      if (event.type === 'attested') noteJudged(event.attestation);
      if (event.type === 'sent') hasSent = true;
      if (event.type === 'signature' && event.check.outcome === 'invalid') {
        raiseAlarm({ modelId, atMs: Date.now(), sentence: 'The signature of an answer does not hold.', detail: event.check.reason, hint: 'Do not rely on that answer: it is not, byte for byte, what the attested enclave said.', nothingSent: false });
      }
      yield event;
    }
  } catch (error) {
    noteFault(error, modelId, hasSent);
    throw error;
  }
}

/** The verdicts under which this browser sends to a model. */
function acceptedFor(modelId: string): readonly AcceptableVerdict[] {
  return takesUnknownWorkload(modelId) ? ['verified', 'simulated', 'unknown-workload'] : ['verified', 'simulated'];
}

function policyOf({ simulatedRoot }: EnclaveModel) {
  return attestationPolicy({ simulatedRoot, pinnedWorkloads: workloadPins() });
}

function judged(attestation: Attestation): void {
  noteJudged(attestation);
  const refusal = attestationRefusal(attestation, acceptedFor(attestation.model));
  if (refusal?.isTampering) raise(refusal, attestation.model, true);
}

function noteFault(error: unknown, modelId: string, hasSent: boolean): void {
  if (!(error instanceof PrivateChatError)) {
    if (!hasSent) noteLock(modelId, { kind: 'unanswered', error: asError(error) });
    return;
  }
  if (error.attestation) noteJudged(error.attestation);
  if (error.isTampering) raise(error, modelId, !hasSent);
}

function raise({ message, detail, hint }: PrivateChatError, modelId: string, nothingSent: boolean): void {
  raiseAlarm({ modelId, atMs: Date.now(), sentence: message, detail, hint, nothingSent });
}

/** Pins and verdicts are part of a session: with others the enclave is attested anew. */
function sessionOf(model: EnclaveModel, conversationId: string): PrivateChatSession {
  const { modelId, isEncryptable, connection } = model;
  const accepted = acceptedFor(modelId);
  const key = JSON.stringify([conversationId, modelId, accepted, workloadPins()]);
  const known = sessions.get(key);
  if (known) return known;
  const session = new PrivateChatSession({ connection, model: modelId, encrypted: isEncryptable, policy: policyOf(model), accepted, signature: 'reported' });
  sessions.set(key, session);
  if (sessions.size > SESSIONS_MAX) sessions.delete(sessions.keys().next().value as string);
  return session;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
