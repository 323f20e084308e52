'use client';

import type { Conversation } from './conversation';
import { isConversation } from './read-conversations';

/**
 * What was written before the database had it. Writing to the database takes a moment that a page which is left, or
 * dies, does not have; the journal is written at once, and emptied when the database has what stands in it. Where
 * there is no database, it is the store itself.
 */
export interface JournalEntry {
  conversation: Conversation;
  /** The turn whose answer was still coming, with what had come of it; null where none was. */
  runningTurnId: string | null;
}

const PREFIX = 'turnpike.chat-journal.';

/** @returns whether it is written */
export function writeJournal({ conversation, runningTurnId }: JournalEntry): boolean {
  try {
    localStorage.setItem(PREFIX + conversation.id, JSON.stringify({ conversation, runningTurnId }));
    return true;
  } catch {
    return false;
  }
}

/** The entries, of earlier pages and of other tabs; what is no whole conversation is left where it is. */
export function readJournal(): readonly JournalEntry[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .flatMap((key) => readEntry(localStorage.getItem(key)));
  } catch {
    return [];
  }
}

export function clearJournal(conversationId: string): void {
  try {
    localStorage.removeItem(PREFIX + conversationId);
  } catch {
    // Blocked storage holds nothing to remove.
  }
}

function readEntry(text: string | null): readonly JournalEntry[] {
  try {
    const { conversation, runningTurnId } = JSON.parse(text ?? '') as Partial<Record<keyof JournalEntry, unknown>>;
    return isConversation(conversation)
      ? [{ conversation, runningTurnId: typeof runningTurnId === 'string' ? runningTurnId : null }]
      : [];
  } catch {
    return [];
  }
}
