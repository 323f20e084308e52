'use client';

import { createStoredValue, useStoredValue } from '../stored-value';
import type { Conversation } from './conversation';
import { readConversations } from './read-conversations';

/** Storage holds about 5 MB in all; the oldest go first. */
const CONVERSATIONS_MAX = 100;
const CHARACTERS_MAX = 3_000_000;

const archive = createStoredValue<readonly Conversation[]>({ key: 'turnpike.chats', initial: [], parse: readConversations });
const currentId = createStoredValue<string | null>({ key: 'turnpike.chat', initial: null, parse: (stored) => (typeof stored === 'string' ? stored : null), sessionOnly: () => true });

/** What a conversation is asked with. */
export type ChatSettings = Pick<Conversation, 'modelId' | 'systemPrompt' | 'schemaText'>;

const NO_SETTINGS: ChatSettings = { modelId: null, systemPrompt: '', schemaText: '' };
/** What the next new conversation starts with. */
const draft = createStoredValue<ChatSettings>({ key: 'turnpike.chat-draft', initial: NO_SETTINGS, parse: readSettings });

/** The conversations kept in this browser, the one changed last first. */
export function useConversations(): readonly Conversation[] {
  return useStoredValue(archive);
}

/** Which of them is open; null for a new one. */
export function useCurrentId(): string | null {
  const id = useStoredValue(currentId);
  const kept = useConversations();
  return kept.some((each) => each.id === id) ? id : null;
}

/** A conversation as it is kept now; null where it was erased. */
export function keptConversation(id: string): Conversation | null {
  return archive.get().find((each) => each.id === id) ?? null;
}

/** Keeps a conversation, and makes it the first of the list. */
export function keepConversation(conversation: Conversation): void {
  archive.set(withinBounds([conversation, ...archive.get().filter(({ id }) => id !== conversation.id)]));
}

/** Changes one that is kept, in its place; one that was erased meanwhile stays erased. */
export function changeConversation(id: string, change: (conversation: Conversation) => Conversation): void {
  archive.set(archive.get().map((each) => (each.id === id ? change(each) : each)));
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

export function eraseConversation(id: string): void {
  archive.set(archive.get().filter((each) => each.id !== id));
}

/** Erases all that this browser keeps of chats. */
export function eraseConversations(): void {
  archive.set([]);
  draft.set({ ...NO_SETTINGS, modelId: draft.get().modelId });
  openConversation(null);
}

/** Drops the oldest beyond the bounds; the first, which is in use, stays whatever its length. */
export function withinBounds(conversations: readonly Conversation[], charactersMax: number = CHARACTERS_MAX): readonly Conversation[] {
  let characters = 0;
  return conversations.slice(0, CONVERSATIONS_MAX).filter((conversation, index) => {
    characters += JSON.stringify(conversation).length;
    return index === 0 || characters <= charactersMax;
  });
}

function readSettings(stored: unknown): ChatSettings | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { modelId, systemPrompt, schemaText } = stored as Partial<Record<keyof ChatSettings, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { modelId: typeof modelId === 'string' ? modelId : null, systemPrompt: text(systemPrompt), schemaText: text(schemaText) };
}
