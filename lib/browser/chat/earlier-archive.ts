'use client';

import type { Conversation } from './conversation';
import { readConversations } from './read-conversations';

/** Where version 0.2 and earlier kept all conversations, as one text. */
const KEY = 'turnpike.chats';

/** What an earlier version of the console kept; what cannot be read any more is given as it is. */
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

/** Leaves there only what could not be taken over; nothing where all could. */
export function leaveInEarlierArchive(unreadable: readonly unknown[]): void {
  try {
    if (unreadable.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(unreadable));
  } catch {
    // It stays, and is taken over again with the next page: the ids are the same.
  }
}
