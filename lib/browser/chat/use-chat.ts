'use client';

import type { ChatModelInfo } from '@/lib/client/chat-models';
import { useCallback, useMemo } from 'react';
import { type Credential, useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { loadCode } from '../load-code';
import { useSandbox } from '../sandbox';
import { askedAgain, type Conversation, newConversation, withQuestion } from './conversation';
import { changeConversation, changeDraft, type ChatSettings, keepConversation, openConversation, useConversations, useCurrentId, useDraftSettings } from './conversation-store';
import { giveAnswer, stopAnswer } from './give-answer';
import { type LockState, noteLock, useLock } from './lock-store';
import { type RunningAnswer, useRunningAnswer } from './running-answer';
import { checkSchema, type SchemaCheck } from './schema-check';
import { type TamperAlarm, useTamperAlarm } from './tamper-alarms';
import { useChatModels } from './use-chat-models';
import { useTakesUnknownWorkload } from './workload-pins';

/** Everything the Chat page shows and does. */
export interface Chat {
  /** The open conversation, or what a new one would begin with. */
  settings: ChatSettings;
  /** Null for a new one. */
  conversation: Conversation | null;
  models: readonly ChatModelInfo[] | null;
  modelsError: Error | null;
  retryModels: () => void;
  /** The model that is asked next; null until the list is there, and where it is not on it. */
  model: ChatModelInfo | null;
  credential: Credential;
  schema: SchemaCheck;
  /** The answer that is being given, in whichever conversation. */
  running: RunningAnswer | null;
  alarm: TamperAlarm | null;
  lock: LockState;
  /** Why a question cannot be sent now, as a sentence; null where it can. */
  obstacle: string | null;
  send: (question: string) => void;
  /** Asks a question again, as another one where that is given; what followed it is dropped. */
  askAgain: (turnId: string, question?: string) => void;
  stop: () => void;
  /** Has the model attested now, whatever was found before. */
  checkLock: () => Promise<void>;
  change: (change: Partial<ChatSettings>) => void;
  startNew: () => void;
}

export function useChat(): Chat {
  const { models, error: modelsError, retry: retryModels } = useChatModels();
  const conversations = useConversations();
  const currentId = useCurrentId();
  const draft = useDraftSettings();
  const credential = useCredential();
  const running = useRunningAnswer();
  const sandbox = useSandbox();
  const simulatedRoot = sandbox.data?.enclave?.root ?? null;

  const conversation = conversations.find(({ id }) => id === currentId) ?? null;
  const settings: ChatSettings = conversation ?? draft;
  const model = chosenModel(models, settings.modelId);
  const schema = useMemo(() => checkSchema(settings.schemaText), [settings.schemaText]);
  const alarm = useTamperAlarm(model?.id ?? null);
  const lock = useLock(model?.can.attest ? model.id : null);
  const takesUnknown = useTakesUnknownWorkload(model?.id ?? null);
  const isUnknownRefused = lock.kind === 'judged' && lock.attestation.verdict.conclusion === 'unknown-workload' && !takesUnknown;
  const obstacle = obstacleOf({ models, modelsError, model, credential, schema, alarm, isUnknownRefused, isSandboxKnown: !sandbox.isPending });

  const ask = (asked: Conversation) => {
    if (model === null) return;
    keepConversation({ ...asked, modelId: model.id });
    openConversation(asked.id);
    void giveAnswer({ conversation: asked, model, credential: credential.presented, simulatedRoot });
  };
  const presented = credential.presented;
  const checkLock = useCallback(async () => {
    if (!model?.can.attest || presented === null) return;
    // Noted before the client has loaded, so that nobody asks twice.
    noteLock(model.id, { kind: 'checking' });
    const loaded = await loadCode(() => import('./private-sessions')).catch((error: Error) => noteLock(model.id, { kind: 'unanswered', error }));
    await loaded?.checkLock({ modelId: model.id, isEncryptable: model.can.encrypt, connection: gatewayOptions(presented), simulatedRoot });
  }, [model, presented, simulatedRoot]);

  return {
    settings,
    conversation,
    models,
    modelsError,
    retryModels,
    model,
    credential,
    schema,
    running,
    alarm,
    lock,
    obstacle,
    send(question) {
      if (obstacle !== null || running !== null || question.trim() === '') return;
      const begun = conversation ?? newConversation({ ...draft, modelId: model?.id ?? null }, Date.now());
      ask(withQuestion(begun, question.trim(), Date.now()).conversation);
      if (conversation === null) changeDraft({ schemaText: '' });
    },
    askAgain(turnId, question) {
      if (obstacle !== null || running !== null || conversation === null) return;
      ask(askedAgain(conversation, turnId, question?.trim() ?? null, Date.now()));
    },
    stop: stopAnswer,
    checkLock,
    change(change) {
      if (conversation === null) changeDraft(change);
      else changeConversation(conversation.id, (kept) => ({ ...kept, ...change }));
      // The next conversation goes on with the model that was chosen last.
      if (change.modelId !== undefined) changeDraft({ modelId: change.modelId });
    },
    startNew: () => openConversation(null),
  };
}

/** The chosen model while it is listed; unless one was chosen, the most private that answers. */
function chosenModel(models: readonly ChatModelInfo[] | null, modelId: string | null): ChatModelInfo | null {
  if (models === null) return null;
  if (modelId !== null) return models.find(({ id }) => id === modelId) ?? null;
  const answering = models.filter(({ isOffline }) => !isOffline);
  return answering.find(({ can }) => can.encrypt) ?? answering.find(({ can }) => can.attest) ?? answering[0] ?? models[0] ?? null;
}

interface Circumstances {
  models: readonly ChatModelInfo[] | null;
  modelsError: Error | null;
  model: ChatModelInfo | null;
  credential: Credential;
  schema: SchemaCheck;
  alarm: TamperAlarm | null;
  /** Whether genuine hardware runs what nobody has pinned, and nobody has said that this will do. */
  isUnknownRefused: boolean;
  isSandboxKnown: boolean;
}

function obstacleOf({ models, modelsError, model, credential, schema, alarm, isUnknownRefused, isSandboxKnown }: Circumstances): string | null {
  if (models === null) return modelsError === null ? 'The list of models is on its way.' : 'The list of models could not be read.';
  if (models.length === 0) return 'This gateway has no chat models. Its operator connects them with CHAT_UPSTREAM_URL or ENCLAVE_UPSTREAM_URL.';
  if (model === null) return 'The model of this conversation is not offered any more. Choose another one.';
  if (alarm !== null) return 'Stopped: read the warning before anything more is sent.';
  if (credential.kind === 'pending' || !isSandboxKnown) return 'The credential is on its way.';
  if (credential.presented === null) return credential.kind === 'signed-out' ? 'The sign-in has ended. Sign in again, or call with a key.' : 'There is no credential. Add an API key or connect a wallet at the top right.';
  if (isUnknownRefused) return 'No pin says enough of what runs in this enclave, so nothing is sent. Pin it, or take whatever runs there, under Lock.';
  if (schema.kind === 'faulty') return 'The schema has faults. Mend it, or take it out, under Setup.';
  if (schema.kind === 'strict' && !model.can.followSchema) return 'This model takes no schema. Choose another one, or take the schema out under Setup.';
  return null;
}
