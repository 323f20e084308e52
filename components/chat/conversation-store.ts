'use client';

import { createStoredValue, useBrowserStore, useStoredValue } from '@/lib/browser/storage/stored-value';
import { type Archive, archiveNow, erase, keep, noArchive, subscribeToArchive } from './conversation-archive';
import { writeJournal } from './chat-database';
import type { Conversation } from './conversation';
import {
  draftedPictures,
  draftFiles,
  draftPictures,
  draftQuestion,
  editOf,
  forgetFileDrafts,
  forgetPictureDrafts,
  forgetQuestions,
  nextQuestionOf,
} from './question-drafts';
import { everyTurn } from './turn-versions';

const currentId = createStoredValue<string | null>({
  key: 'turnpike.chat',
  initial: null,
  parse: (stored) => (typeof stored === 'string' ? stored : null),
  sessionOnly: () => true,
});

export type ChatSettings = Pick<
  Conversation,
  'modelId' | 'besideModelId' | 'systemPrompt' | 'schemaText' | 'temperature' | 'maxTokens'
>;

const NO_SETTINGS: ChatSettings = { modelId: null, systemPrompt: '', schemaText: '' };
const draft = createStoredValue<ChatSettings>({
  key: 'turnpike.chat-draft',
  initial: NO_SETTINGS,
  parse: readSettings,
});

export function useArchive(): Archive {
  return useBrowserStore(subscribeToArchive, archiveNow, noArchive);
}

export function useConversations(): readonly Conversation[] {
  return useArchive().conversations;
}

export function useCurrentId(): string | null {
  const id = useStoredValue(currentId);
  const kept = useConversations();
  return kept.some((each) => each.id === id) ? id : null;
}

export function useIsOpening(): boolean {
  const { isLoaded } = useArchive();
  return useStoredValue(currentId) !== null && !isLoaded;
}

export function keptConversation(id: string): Conversation | null {
  return archiveNow().conversations.find((each) => each.id === id) ?? null;
}

export function keepConversation(conversation: Conversation): void {
  keep(conversation, true);
}

/** Changes a stored conversation in place; has no effect on an erased conversation. */
export function changeConversation(id: string, change: (conversation: Conversation) => Conversation): void {
  const kept = keptConversation(id);
  if (kept !== null) keep(change(kept), false);
}

/** Stores a partial answer, in case the page closes before the answer is complete. */
export function checkpointConversation(
  id: string,
  runningTurnId: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const kept = keptConversation(id);
  if (kept !== null) writeJournal({ conversation: change(kept), runningTurnId });
}

/** Opens a conversation. Null opens a new conversation, which is stored once its first question is sent. */
export function openConversation(id: string | null): void {
  currentId.set(id);
}

export function useDraftSettings(): ChatSettings {
  return useStoredValue(draft);
}

export function changeDraft(change: Partial<ChatSettings>): void {
  draft.set({ ...draft.get(), ...change });
}

export function eraseConversation(id: string): void {
  const turns = everyTurn(keptConversation(id)?.turns ?? []);
  erase([id]);
  draftQuestion(nextQuestionOf(id), null);
  draftFiles(nextQuestionOf(id), []);
  const pictures = [...turns, { pictures: draftedPictures(nextQuestionOf(id)) }].flatMap((turn) => turn.pictures ?? []);
  draftPictures(nextQuestionOf(id), []);
  if (pictures.length > 0)
    import('./kept-pictures')
      .then(({ forgetPictures }) => forgetPictures(pictures.map((picture) => picture.id)))
      .catch(() => undefined);
  turns.forEach((turn) => draftQuestion(editOf(turn.id), null));
}

export function eraseConversations(): void {
  erase(archiveNow().conversations.map(({ id }) => id));
  forgetQuestions();
  forgetFileDrafts();
  forgetPictureDrafts();
  import('./kept-pictures').then(({ forgetAllPictures }) => forgetAllPictures()).catch(() => undefined);
  draft.set({ ...NO_SETTINGS, modelId: draft.get().modelId });
  openConversation(null);
}

function readSettings(stored: unknown): ChatSettings | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { modelId, besideModelId, systemPrompt, schemaText, temperature, maxTokens } = stored as Partial<
    Record<keyof ChatSettings, unknown>
  >;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  return {
    modelId: typeof modelId === 'string' ? modelId : null,
    besideModelId: typeof besideModelId === 'string' ? besideModelId : null,
    systemPrompt: text(systemPrompt),
    temperature: number(temperature),
    maxTokens: number(maxTokens),
    schemaText: text(schemaText),
  };
}
