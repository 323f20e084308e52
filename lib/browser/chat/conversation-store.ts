'use client';

import { useBrowserStore } from '../browser-store';
import { createStoredValue, useStoredValue } from '../stored-value';
import { type Archive, archiveNow, erase, keep, noArchive, subscribeToArchive } from './conversation-archive';
import { writeJournal } from './chat-journal';
import type { Conversation } from './conversation';
import { draftFiles, forgetFileDrafts } from './file-drafts';
import { draftQuestion, editOf, forgetQuestions, nextQuestionOf } from './question-drafts';
import { everyTurn } from './turn-versions';

const currentId = createStoredValue<string | null>({
  key: 'turnpike.chat',
  initial: null,
  parse: (stored) => (typeof stored === 'string' ? stored : null),
  sessionOnly: () => true,
});

/** What a conversation is asked with. */
export type ChatSettings = Pick<Conversation, 'modelId' | 'systemPrompt' | 'schemaText'>;

const NO_SETTINGS: ChatSettings = { modelId: null, systemPrompt: '', schemaText: '' };
/** What the next new conversation starts with. */
const draft = createStoredValue<ChatSettings>({
  key: 'turnpike.chat-draft',
  initial: NO_SETTINGS,
  parse: readSettings,
});

/** All that this browser keeps of chats, and whether it is there yet. */
export function useArchive(): Archive {
  return useBrowserStore(subscribeToArchive, archiveNow, noArchive);
}

/** The conversations kept in this browser, the one changed last first. */
export function useConversations(): readonly Conversation[] {
  return useArchive().conversations;
}

/** Which of them is open; null for a new one. */
export function useCurrentId(): string | null {
  const id = useStoredValue(currentId);
  const kept = useConversations();
  return kept.some((each) => each.id === id) ? id : null;
}

/** Whether the conversation that is open has yet to come from where it is kept. */
export function useIsOpening(): boolean {
  const { isLoaded } = useArchive();
  return useStoredValue(currentId) !== null && !isLoaded;
}

/** A conversation as it is kept now; null where it was erased. */
export function keptConversation(id: string): Conversation | null {
  return archiveNow().conversations.find((each) => each.id === id) ?? null;
}

/** Keeps a conversation, and makes it the first of the list. */
export function keepConversation(conversation: Conversation): void {
  keep(conversation, true);
}

/** Changes one that is kept, in its place; one that was erased meanwhile stays erased. */
export function changeConversation(id: string, change: (conversation: Conversation) => Conversation): void {
  const kept = keptConversation(id);
  if (kept !== null) keep(change(kept), false);
}

/** Writes down how far an answer has come, for the case that this page does not live to its end. */
export function checkpointConversation(
  id: string,
  runningTurnId: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const kept = keptConversation(id);
  if (kept !== null) writeJournal({ conversation: change(kept), runningTurnId });
}

/** Opens a conversation; null opens a new one, which is kept with its first question. */
export function openConversation(id: string | null): void {
  currentId.set(id);
}

/** What the next new conversation starts with. */
export function useDraftSettings(): ChatSettings {
  return useStoredValue(draft);
}

export function draftSettings(): ChatSettings {
  return draft.get();
}

export function changeDraft(change: Partial<ChatSettings>): void {
  draft.set({ ...draft.get(), ...change });
}

/** Erases a conversation with what was begun to be written in it. */
export function eraseConversation(id: string): void {
  const turns = everyTurn(keptConversation(id)?.turns ?? []);
  erase([id]);
  draftQuestion(nextQuestionOf(id), null);
  draftFiles(nextQuestionOf(id), []);
  turns.forEach((turn) => draftQuestion(editOf(turn.id), null));
}

/** Erases all that this browser keeps of chats. */
export function eraseConversations(): void {
  erase(archiveNow().conversations.map(({ id }) => id));
  forgetQuestions();
  forgetFileDrafts();
  draft.set({ ...NO_SETTINGS, modelId: draft.get().modelId });
  openConversation(null);
}

function readSettings(stored: unknown): ChatSettings | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { modelId, systemPrompt, schemaText } = stored as Partial<Record<keyof ChatSettings, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    modelId: typeof modelId === 'string' ? modelId : null,
    systemPrompt: text(systemPrompt),
    schemaText: text(schemaText),
  };
}
