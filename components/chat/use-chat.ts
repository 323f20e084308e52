'use client';

import { type Credential, useCredential } from '@/lib/browser/credential/credential';
import { useIsSecurePage } from '@/lib/browser/page/secure-context';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { CHAT_MODELS_KEY } from '@/lib/browser/reads/known-keys';
import { useSandbox } from '@/lib/browser/reads/settings';
import { useRead } from '@/lib/browser/reads/use-read';
import { createListeners } from '@/lib/browser/storage/stored-value';
import { type ChatModelInfo, encryptingModel, listChatModels } from '@/lib/client/chat-models';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { AttachedFile } from './attached-files';
import type { AttachedPicture } from './attached-pictures';
import { type Conversation, newConversation, type SideName, type Turn, withQuestion } from './conversation';
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
import { type RunningAnswer, useRunningAnswers } from './running-answer';
import type { checkSchema as CheckSchema, SchemaCheck } from './schema-check';
import { askedAgain, stepped } from './turn-versions';
import { type ChatSide, useChatSide } from './use-chat-side';
import { chatWords } from './words';

/** Reason why the user cannot send a question now. `cure` is the control or view that solves the problem. */
export interface Obstacle {
  sentence: string;
  cure: 'payer' | 'lock' | 'setup' | null;
}

/** The fields of `ChatSide` describe the first model; `alarm` may concern the second. */
export interface Chat extends ChatSide {
  settings: ChatSettings;
  conversation: Conversation | null;
  isOpening: boolean;
  models: readonly ChatModelInfo[] | null;
  modelsError: Error | null;
  retryModels: () => void;
  beside: (ChatSide & { model: ChatModelInfo }) | null;
  credential: Credential;
  schema: SchemaState;
  running: readonly RunningAnswer[];
  obstacle: Obstacle | null;
  send: (question: string, files?: readonly AttachedFile[], pictures?: readonly AttachedPicture[]) => void;
  /**
   * Asks the question of a turn again. With `question`, changes the question first. With `side`, asks only one of the
   * two models. The old question and all turns after it stay as an earlier version.
   */
  askAgain: (turnId: string, again?: { question?: string; side?: SideName | null }) => void;
  stepVersion: (turnId: string, step: -1 | 1) => void;
  /** Stops the given answer; without an id, stops all running answers. */
  stop: (answerId?: string) => void;
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
  const running = useRunningAnswers();
  const sandbox = useSandbox();
  const isSandboxKnown = sandbox.data !== undefined;
  const simulatedRoot = sandbox.data?.enclave?.root ?? null;

  const conversation = conversations.find(({ id }) => id === currentId) ?? null;
  const settings: ChatSettings = conversation ?? draft;
  const isSecure = useIsSecurePage();
  const model = chosenModel(models, settings.modelId, isSecure);
  const besideModel =
    settings.besideModelId == null || settings.besideModelId === model?.id
      ? null
      : (models?.find(({ id }) => id === settings.besideModelId) ?? null);
  const schema = useSchemaCheck(settings.schemaText);
  const main = useChatSide(model, credential);
  const second = useChatSide(besideModel, credential);
  const beside = besideModel === null ? null : { ...second, model: besideModel };
  const page = { models, modelsError, credential, schema, isOpening, isSandboxKnown };
  const own = obstacleNamed(obstacleOf({ ...page, ...main }));
  const obstacle = own ?? (beside === null ? null : obstacleNamed(obstacleOf({ ...page, ...beside }), beside.model.id));

  const ask = (asked: Conversation, sides: readonly SideName[]) => {
    if (model === null) return;
    const kept = { ...asked, modelId: model.id };
    keepConversation(kept);
    openConversation(kept.id);
    for (const side of sides) {
      const sideModel = side === 'main' ? model : besideModel;
      if (sideModel === null) continue;
      void giveAnswer({
        conversation: kept,
        side,
        model: sideModel,
        credential: credential.presented,
        simulatedRoot,
        schema: schema.kind === 'strict' ? schema.schema : null,
      });
    }
  };
  const everySide: readonly SideName[] = besideModel === null ? ['main'] : ['main', 'beside'];

  return {
    settings,
    conversation,
    isOpening,
    models,
    modelsError,
    retryModels,
    ...main,
    alarm: main.alarm ?? beside?.alarm ?? null,
    beside,
    credential,
    schema,
    running,
    obstacle,
    send(question, files = [], pictures = []) {
      if (obstacle !== null || running.length > 0) return;
      if (question.trim() === '' && files.length === 0 && pictures.length === 0) return;
      const begun = conversation ?? newConversation({ ...draft, modelId: model?.id ?? null }, Date.now());
      const besideId = besideModel?.id ?? null;
      ask(withQuestion(begun, question.trim(), Date.now(), files, besideId, pictures).conversation, everySide);
      if (conversation === null) changeDraft({ schemaText: '' });
    },
    askAgain(turnId, { question, side = null } = {}) {
      const turn = conversation?.turns.find(({ id }) => id === turnId);
      if (obstacle !== null || conversation === null || turn === undefined) return;
      if (!canAskAgain(running, turn, side) || (side === 'beside' && besideModel === null)) return;
      const again = { question: question?.trim() ?? null, side, besideModelId: besideModel?.id ?? null };
      ask(askedAgain(conversation, turnId, again, Date.now()), side === null ? everySide : [side]);
    },
    stepVersion(turnId, step) {
      if (conversation !== null) changeConversation(conversation.id, (kept) => stepped(kept, turnId, step));
    },
    stop: stopAnswer,
    change(change) {
      if (conversation === null) changeDraft(change);
      else changeConversation(conversation.id, (kept) => ({ ...kept, ...change }));
      // Makes the next conversation start with this model.
      if (change.modelId !== undefined) changeDraft({ modelId: change.modelId });
    },
    startNew: () => openConversation(null),
  };
}

/** Returns whether a turn can be asked again now. One model can be asked again while the other model still answers. */
export function canAskAgain(running: readonly RunningAnswer[], turn: Turn, side: SideName | null): boolean {
  const other = side === 'main' ? turn.beside?.id : side === 'beside' ? turn.id : null;
  return running.every(({ turnId }) => turnId === other);
}

/** Returns the chosen model; without a choice, the most private model that works on this page. */
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

type Circumstances = Omit<ChatSide, 'privacy' | 'checkPrivacy'> &
  Pick<Chat, 'models' | 'modelsError' | 'credential' | 'schema' | 'isOpening'> & { isSandboxKnown: boolean };

type ObstacleName = keyof typeof chatWords.obstacle;

const CURES: Partial<Record<ObstacleName, Obstacle['cure']>> = {
  signedOut: 'payer',
  nobodyPays: 'payer',
  unknownWorkload: 'lock',
  schemaFaulty: 'setup',
  noSchema: 'setup',
};

function obstacleNamed(name: ObstacleName | null, of?: string): Obstacle | null {
  if (name === null) return null;
  const sentence = chatWords.obstacle[name];
  return { sentence: of === undefined ? sentence : `${of}: ${sentence}`, cure: CURES[name] ?? null };
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

const STALE_AFTER_MS = 60_000;

function useChatModels(): { models: readonly ChatModelInfo[] | null; error: Error | null; retry: () => void } {
  const { data, error, refetch } = useRead({
    key: CHAT_MODELS_KEY,
    read: (signal) => listChatModels(gatewayOptions(), { signal }),
    staleMs: STALE_AFTER_MS,
    everyMs: STALE_AFTER_MS,
  });
  return { models: data ?? null, error, retry: () => void refetch() };
}

type SchemaState = SchemaCheck | { kind: 'pending' };

let check: typeof CheckSchema | null = null;
const listeners = createListeners();

function useSchemaCheck(text: string): SchemaState {
  const known = useSyncExternalStore(
    listeners.subscribe,
    () => check,
    () => null,
  );
  const isNone = text.trim() === '';
  // If the schema check fails to load, the next edit of the schema retries the load.
  useEffect(() => {
    if (!isNone) load();
  }, [isNone, text]);
  return useMemo(() => (isNone ? { kind: 'none' } : (known?.(text) ?? { kind: 'pending' })), [isNone, known, text]);
}

function load(): void {
  if (check !== null) return;
  import('./schema-check').then(
    (module) => {
      check = module.checkSchema;
      listeners.tell();
    },
    () => undefined,
  );
}
