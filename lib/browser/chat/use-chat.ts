'use client';

import { type ChatModelInfo, encryptingModel } from '@/lib/client/chat-models';
import { useCallback } from 'react';
import { type Credential, useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { loadCode } from '../load-code';
import { inOwnTask } from '../own-task';
import { useSandbox } from '../sandbox';
import { useIsSecurePage } from '../secure-context';
import { chatWords } from '../words/chat';
import type { AttachedFile } from './attached-files';
import { type Conversation, newConversation, withQuestion } from './conversation';
import {
  changeConversation,
  changeDraft,
  type ChatSettings,
  keepConversation,
  openConversation,
  useConversations,
  useCurrentId,
  useDraftSettings,
  useIsOpening,
} from './conversation-store';
import { giveAnswer, stopAnswer } from './give-answer';
import { type PrivacyState, notePrivacy, usePrivacy } from './privacy-store';
import { type RunningAnswer, useRunningAnswer } from './running-answer';
import { type TamperAlarm, useTamperAlarm } from './tamper-alarms';
import { askedAgain, stepped } from './turn-versions';
import { useChatModels } from './use-chat-models';
import { type SchemaState, useSchemaCheck } from './use-schema-check';
import { useTakesUnknownWorkload } from './workload-pins';

/** Reason why the user cannot send a question now. `cure` is the control or view that solves the problem. */
export interface Obstacle {
  sentence: string;
  cure: 'payer' | 'lock' | 'setup' | null;
}

export interface Chat {
  settings: ChatSettings;
  conversation: Conversation | null;
  isOpening: boolean;
  models: readonly ChatModelInfo[] | null;
  modelsError: Error | null;
  retryModels: () => void;
  /** Model for the next question; null until the model list has arrived, or if the model is not listed. */
  model: ChatModelInfo | null;
  credential: Credential;
  schema: SchemaState;
  /** Current answer, in any conversation. */
  running: RunningAnswer | null;
  alarm: TamperAlarm | null;
  privacy: PrivacyState;
  /** True if the model attests but the page came over plain HTTP, where an intermediary can change the code. */
  isOnPlainHttp: boolean;
  obstacle: Obstacle | null;
  send: (question: string, files?: readonly AttachedFile[]) => void;
  /** Asks a question again, optionally changed. The old question and all turns after it stay as an earlier version. */
  askAgain: (turnId: string, question?: string) => void;
  stepVersion: (turnId: string, step: -1 | 1) => void;
  stop: () => void;
  /** Attests the model again. */
  checkPrivacy: () => Promise<void>;
  change: (change: Partial<ChatSettings>) => void;
  startNew: () => void;
}

export function useChat(): Chat {
  const { models, error: modelsError, retry: retryModels } = useChatModels();
  const conversations = useConversations();
  const currentId = useCurrentId();
  const isOpening = useIsOpening();
  const draft = useDraftSettings();
  const credential = useCredential();
  const running = useRunningAnswer();
  const sandbox = useSandbox();
  const isSandboxKnown = sandbox.data !== undefined;
  const simulatedRoot = sandbox.data?.enclave?.root ?? null;

  const conversation = conversations.find(({ id }) => id === currentId) ?? null;
  const settings: ChatSettings = conversation ?? draft;
  const isSecure = useIsSecurePage();
  const model = chosenModel(models, settings.modelId, isSecure);
  const isOnPlainHttp = !isSecure && model?.can.attest === true;
  const schema = useSchemaCheck(settings.schemaText);
  const alarm = useTamperAlarm(model?.id ?? null);
  const privacy = usePrivacy(model?.can.attest ? model.id : null);
  const takesUnknown = useTakesUnknownWorkload(model?.id ?? null);
  const isUnknownRefused =
    privacy.kind === 'judged' && privacy.attestation.verdict.conclusion === 'unknown-workload' && !takesUnknown;
  const obstacle = obstacleNamed(
    obstacleOf({
      models,
      modelsError,
      model,
      credential,
      schema,
      alarm,
      isOnPlainHttp,
      isOpening,
      isUnknownRefused,
      isSandboxKnown,
    }),
  );

  const ask = (asked: Conversation) => {
    if (model === null) return;
    keepConversation({ ...asked, modelId: model.id });
    openConversation(asked.id);
    void giveAnswer({
      conversation: asked,
      model,
      credential: credential.presented,
      simulatedRoot,
      schema: schema.kind === 'strict' ? schema.schema : null,
    });
  };
  const presented = credential.presented;
  const checkPrivacy = useCallback(async () => {
    // Waits for the gateway's profile, because a sandbox's simulated enclave would otherwise look forged.
    if (!model?.can.attest || presented === null || isOnPlainHttp || !isSandboxKnown) return;
    // Set before the client loads, so that only one attestation starts.
    notePrivacy(model.id, { kind: 'checking' });
    await new Promise<void>(inOwnTask);
    const loaded = await loadCode(() => import('./check-privacy')).catch((error: Error) =>
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
    settings,
    conversation,
    isOpening,
    models,
    modelsError,
    retryModels,
    model,
    credential,
    schema,
    running,
    alarm,
    privacy,
    isOnPlainHttp,
    obstacle,
    send(question, files = []) {
      if (obstacle !== null || running !== null || (question.trim() === '' && files.length === 0)) return;
      const begun = conversation ?? newConversation({ ...draft, modelId: model?.id ?? null }, Date.now());
      ask(withQuestion(begun, question.trim(), Date.now(), files).conversation);
      if (conversation === null) changeDraft({ schemaText: '' });
    },
    askAgain(turnId, question) {
      if (obstacle !== null || running !== null || conversation === null) return;
      ask(askedAgain(conversation, turnId, question?.trim() ?? null, Date.now()));
    },
    stepVersion(turnId, step) {
      if (conversation !== null) changeConversation(conversation.id, (kept) => stepped(kept, turnId, step));
    },
    stop: stopAnswer,
    checkPrivacy,
    change(change) {
      if (conversation === null) changeDraft(change);
      else changeConversation(conversation.id, (kept) => ({ ...kept, ...change }));
      // The next conversation starts with the last chosen model.
      if (change.modelId !== undefined) changeDraft({ modelId: change.modelId });
    },
    startNew: () => openConversation(null),
  };
}

/** Returns the chosen model if listed. Without a choice, returns the most private model that works on this page. */
function chosenModel(
  models: readonly ChatModelInfo[] | null,
  modelId: string | null,
  isSecure: boolean,
): ChatModelInfo | null {
  if (models === null) return null;
  if (modelId !== null) return models.find(({ id }) => id === modelId) ?? null;
  const answering = models.filter(({ isOffline }) => !isOffline);
  if (!isSecure) return answering.find(({ can }) => !can.attest) ?? answering[0] ?? models[0] ?? null;
  return encryptingModel(answering) ?? answering.find(({ can }) => can.attest) ?? answering[0] ?? models[0] ?? null;
}

interface Circumstances {
  models: readonly ChatModelInfo[] | null;
  modelsError: Error | null;
  model: ChatModelInfo | null;
  credential: Credential;
  schema: SchemaState;
  alarm: TamperAlarm | null;
  isOnPlainHttp: boolean;
  isOpening: boolean;
  /** True if genuine hardware runs an unpinned workload that the user has not accepted. */
  isUnknownRefused: boolean;
  isSandboxKnown: boolean;
}

type ObstacleName = keyof typeof chatWords.obstacle;

const CURES: Partial<Record<ObstacleName, Obstacle['cure']>> = {
  signedOut: 'payer',
  nobodyPays: 'payer',
  unknownWorkload: 'lock',
  schemaFaulty: 'setup',
  noSchema: 'setup',
};

function obstacleNamed(name: ObstacleName | null): Obstacle | null {
  return name === null ? null : { sentence: chatWords.obstacle[name], cure: CURES[name] ?? null };
}

function obstacleOf({
  models,
  modelsError,
  model,
  credential,
  schema,
  alarm,
  isOnPlainHttp,
  isOpening,
  isUnknownRefused,
  isSandboxKnown,
}: Circumstances): ObstacleName | null {
  if (isOpening) return 'opening';
  if (models === null) return modelsError === null ? 'modelsComing' : 'noList';
  if (models.length === 0) return 'noModels';
  if (model === null) return 'modelGone';
  if (isOnPlainHttp) return 'plainHttp';
  if (alarm !== null) return 'alarm';
  if (credential.kind === 'pending' || !isSandboxKnown) return 'credentialComing';
  if (credential.presented === null) return credential.kind === 'signed-out' ? 'signedOut' : 'nobodyPays';
  if (isUnknownRefused) return 'unknownWorkload';
  if (schema.kind === 'pending') return 'schemaPending';
  if (schema.kind === 'faulty') return 'schemaFaulty';
  if (schema.kind === 'strict' && !model.can.followSchema) return 'noSchema';
  return null;
}
