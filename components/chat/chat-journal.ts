'use client';

import type { Conversation } from './conversation';
import { isConversation } from './read-conversations';

/**
 * Entry of the journal. The journal holds the writes that the database does not have yet. Database writes are
 * asynchronous and can be lost when the page closes; journal writes are synchronous. Without a database, the journal is
 * the only store.
 */
export interface JournalEntry {
  conversation: Conversation;
  /** Turn whose answer was arriving when the entry was written; null if none. */
  runningTurnId: string | null;
}

const PREFIX = 'turnpike.chat-journal.';

export function writeJournal({ conversation, runningTurnId }: JournalEntry): boolean {
  try {
    localStorage.setItem(PREFIX + conversation.id, JSON.stringify({ conversation, runningTurnId }));
    return true;
  } catch {
    return false;
  }
}

/** Returns the entries of earlier pages and other tabs. Skips invalid entries and leaves them in storage. */
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
    // Storage is blocked, so there is nothing to remove.
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
