'use client';

import type { Conversation } from './conversation';
import { readConversations } from './read-conversations';

/** Storage key of versions up to 0.2, which kept all conversations as one text. */
const KEY = 'turnpike.chats';

/** Returns the conversations that an earlier console version stored. Returns unreadable entries unchanged. */
export function earlierArchive(): { conversations: readonly Conversation[]; unreadable: readonly unknown[] } {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const conversations = readConversations(stored) ?? [];
    const readable = new Set<unknown>(conversations);
    return { conversations, unreadable: Array.isArray(stored) ? stored.filter((each) => !readable.has(each)) : [] };
  } catch {
    return { conversations: [], unreadable: [] };
  }
}

/** Keeps only the unreadable entries in the earlier store. Removes the store if there are none. */
export function leaveInEarlierArchive(unreadable: readonly unknown[]): void {
  try {
    if (unreadable.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(unreadable));
  } catch {
    // If the write fails, the earlier store stays, and the next page copies its conversations again under the same ids.
  }
}
