'use client';

import {
  type PicturedMessage,
  PrivateChatError,
  type PrivateChatEvent,
  PrivateChatSession,
} from '@/lib/client/private-chat';
import { connectionNow } from '@/lib/client/private-chat/connection';
import { chatWords } from '../words';
import { acceptedFor, type EnclaveModel, policyOf, raise } from './check-privacy';
import { noteJudged, notePrivacy } from './privacy-store';
import { raiseAlarm } from './tamper-alarms';
import { workloadPins } from './kept-pins';

interface HeldSession {
  session: PrivateChatSession;
  connection: EnclaveModel['connection'];
}

const sessions = new Map<string, HeldSession>();
const encryptedChats = new Set<string>();
const SESSIONS_MAX = 50;

/**
 * Sends a conversation to a model in an enclave and yields the answer's events. Sends only if the verdict allows it.
 * Attests first, and again after some time, an enclave's fault or changed pins.
 * @throws {PrivateChatError | GatewayError | UnreachableError}
 */
export async function* askPrivately(
  model: EnclaveModel,
  conversationId: string,
  messages: readonly PicturedMessage[],
  parameters: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): AsyncGenerator<PrivateChatEvent, void, undefined> {
  const { modelId } = model;
  const session = sessionOf(model, conversationId);
  let hasSent = false;
  if (session.attestation === null) notePrivacy(modelId, { kind: 'checking' });
  try {
    for await (const event of session.send(messages, { parameters, signal })) {
      if (event.type === 'attested') noteJudged(event.attestation);
      if (event.type === 'sent') hasSent = true;
      if (event.type === 'signature' && event.check.outcome === 'invalid') {
        raiseAlarm({
          modelId,
          atMs: Date.now(),
          sentence: chatWords.ending.signatureFails,
          detail: event.check.reason,
          hint: chatWords.ending.doNotRely,
          nothingSent: false,
        });
      }
      yield event;
    }
  } catch (error) {
    noteFault(error, modelId, hasSent);
    throw error;
  }
}

function noteFault(error: unknown, modelId: string, hasSent: boolean): void {
  if (!(error instanceof PrivateChatError)) {
    if (!hasSent) notePrivacy(modelId, { kind: 'unanswered', error: asError(error) });
    return;
  }
  if (error.attestation) noteJudged(error.attestation);
  if (error.isTampering) raise(error, modelId, !hasSent);
}

/**
 * A change of payment method keeps the session; other changes start one. What was once encrypted stays encrypted.
 */
function sessionOf(model: EnclaveModel, conversationId: string): PrivateChatSession {
  const { modelId, isEncryptable, connection, simulatedRoot } = model;
  const chat = JSON.stringify([conversationId, modelId]);
  if (isEncryptable) encryptedChats.add(chat);
  const encrypted = encryptedChats.has(chat);
  const accepted = acceptedFor(modelId);
  const key = JSON.stringify([chat, encrypted, accepted, workloadPins(), simulatedRoot]);
  const known = sessions.get(key);
  if (known) {
    known.connection = connection;
    return known.session;
  }
  const held: HeldSession = {
    connection,
    session: new PrivateChatSession({
      connection: () => connectionNow(held.connection),
      model: modelId,
      encrypted,
      policy: policyOf(model),
      accepted,
      signature: 'reported',
    }),
  };
  sessions.set(key, held);
  if (sessions.size > SESSIONS_MAX) sessions.delete(sessions.keys().next().value as string);
  return held.session;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
