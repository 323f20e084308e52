'use client';

import { noteStorage, troubleOf } from '@/lib/browser/storage/stored-value';
import { type ChatDatabase, openChatDatabase, clearJournal, readJournal, writeJournal } from './chat-database';
import type { Conversation } from './conversation';
import { readConversations } from './read-conversations';
import { claimedTurns } from './running-answer';

export interface Archive {
  /** Most recently changed first. */
  conversations: readonly Conversation[];
  isLoaded: boolean;
  /** Entries that only another console version can read. This version leaves them in storage. */
  unreadable: readonly unknown[];
}

const NONE: Archive = { conversations: [], isLoaded: false, unreadable: [] };
const STORAGE_NAME = 'conversations';

let archive: Archive = NONE;
let database: Promise<ChatDatabase> | null = null;
let channel: BroadcastChannel | null = null;
/** Conversations whose last change the database does not have yet; null for an erased conversation. */
const pending = new Map<string, Conversation | null>();
/** Pending conversations that the journal (`chat-database.ts`) could not store. */
const unwritten = new Set<string>();
let isFlushing = false;
const listeners = new Set<() => void>();

/** Returns the archive in memory, which may be newer than the stored one. */
export function archiveNow(): Archive {
  return archive;
}

export function noArchive(): Archive {
  return NONE;
}

/** Subscribes to changes of the archive. The first subscription loads the archive. */
export function subscribeToArchive(listener: () => void): () => void {
  if (database === null) void load();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Stores a conversation. A new conversation, or with `asFirst` any conversation, moves to the top of the list. If every
 * write fails, the page warns the user.
 */
export function keep(conversation: Conversation, asFirst: boolean): void {
  const others = archive.conversations.filter(({ id }) => id !== conversation.id);
  const inPlace = archive.conversations.map((each) => (each.id === conversation.id ? conversation : each));
  change({
    conversations: asFirst || others.length === archive.conversations.length ? [conversation, ...others] : inPlace,
  });
  if (writeJournal({ conversation, runningTurnId: null })) unwritten.delete(conversation.id);
  else unwritten.add(conversation.id);
  pending.set(conversation.id, conversation);
  void flush();
}

export function erase(ids: readonly string[]): void {
  change({ conversations: archive.conversations.filter(({ id }) => !ids.includes(id)) });
  ids.forEach((id) => {
    clearJournal(id);
    unwritten.delete(id);
    pending.set(id, null);
  });
  void flush();
}

async function load(): Promise<void> {
  database = openChatDatabase();
  const kept = await readAll(database);
  const adopted = await journalled(kept);
  const earlier = earlierArchive();
  const known = new Set([...pending.keys(), ...adopted.map(({ id }) => id)]);
  const loaded = [...adopted, ...kept.conversations.filter(({ id }) => !known.has(id))];
  const migrated = earlier.conversations.filter(({ id }) => !pending.has(id) && !loaded.some((each) => each.id === id));
  const here = archive.conversations;
  const others = [...loaded, ...migrated]
    .filter(({ id }) => !pending.has(id))
    .sort((one, other) => other.updatedAtMs - one.updatedAtMs);
  change({
    conversations: [...here, ...others],
    isLoaded: true,
    unreadable: [...kept.unreadable, ...earlier.unreadable],
  });
  listenToOtherTabs();
  [...adopted, ...migrated].forEach((each) => pending.has(each.id) || pending.set(each.id, each));
  // Clears the earlier version's store only after the copy has succeeded.
  if ((await flush()) && earlier.conversations.length > 0) leaveInEarlierArchive(earlier.unreadable);
}

async function readAll(opening: Promise<ChatDatabase>): Promise<Pick<Archive, 'conversations' | 'unreadable'>> {
  try {
    const stored = await (await opening).all();
    const conversations = readConversations(stored) ?? [];
    const ids = new Set(conversations);
    return { conversations, unreadable: stored.filter((each) => !ids.has(each as Conversation)) };
  } catch (error) {
    // Warns only if a newer console has upgraded the database. After any other error, the journal stores the
    // conversations; `flush` warns if it cannot.
    if (troubleOf(error) === 'newer') noteStorage(STORAGE_NAME, 'newer');
    return { conversations: [], unreadable: [] };
  }
}

/** Returns conversation versions that the database lacks, except those whose answer another tab is receiving. */
async function journalled({ conversations }: Pick<Archive, 'conversations'>): Promise<readonly Conversation[]> {
  const entries = readJournal();
  if (entries.length === 0) return [];
  const claimed = await claimedTurns();
  return entries.flatMap(({ conversation, runningTurnId }) => {
    const kept = conversations.find(({ id }) => id === conversation.id);
    const isElsewhere = runningTurnId !== null && claimed.has(runningTurnId);
    return isElsewhere || (kept !== undefined && kept.updatedAtMs > conversation.updatedAtMs) ? [] : [conversation];
  });
}

/** Writes pending changes until none is left. @returns whether the database has all changes */
async function flush(): Promise<boolean> {
  if (isFlushing || database === null) return false;
  isFlushing = true;
  try {
    const opened = await database;
    while (pending.size > 0) await writePending(opened);
    noteStorage(STORAGE_NAME, null);
    return true;
  } catch (error) {
    const trouble = troubleOf(error);
    noteStorage(STORAGE_NAME, trouble === 'newer' || unwritten.size > 0 ? trouble : null);
    return false;
  } finally {
    isFlushing = false;
  }
}

async function writePending(opened: ChatDatabase): Promise<void> {
  const batch = [...pending];
  const erased = batch.flatMap(([id, conversation]) => (conversation === null ? [id] : []));
  if (erased.length > 0) await opened.remove(erased);
  await opened.put(batch.flatMap(([, conversation]) => conversation ?? []));
  for (const [id, conversation] of batch) {
    // A conversation that changed during the write stays pending.
    if (pending.get(id) !== conversation) continue;
    pending.delete(id);
    unwritten.delete(id);
    clearJournal(id);
  }
  channel?.postMessage(batch.map(([id]) => id));
}

function listenToOtherTabs(): void {
  channel ??= new BroadcastChannel('turnpike.chats');
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (Array.isArray(data)) void readAgain(data.filter((id) => typeof id === 'string'));
  };
}

async function readAgain(ids: readonly string[]): Promise<void> {
  try {
    const opened = await database;
    const stored = await Promise.all(ids.map((id) => opened?.get(id)));
    const fresh = readConversations(stored) ?? [];
    const others = archive.conversations.filter(({ id }) => !ids.includes(id) || pending.has(id));
    change({
      conversations: [...fresh.filter(({ id }) => !pending.has(id)), ...others].sort(
        (one, other) => other.updatedAtMs - one.updatedAtMs,
      ),
    });
  } catch {
    // The read failed. The conversation appears after a reload.
  }
}

function change(next: Partial<Archive>): void {
  archive = { ...archive, ...next };
  listeners.forEach((listener) => listener());
}

/** Storage key under which versions up to 0.2 stored all conversations as one text. */
const KEY = 'turnpike.chats';

function earlierArchive(): { conversations: readonly Conversation[]; unreadable: readonly unknown[] } {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const conversations = readConversations(stored) ?? [];
    const readable = new Set<unknown>(conversations);
    return { conversations, unreadable: Array.isArray(stored) ? stored.filter((each) => !readable.has(each)) : [] };
  } catch {
    return { conversations: [], unreadable: [] };
  }
}

function leaveInEarlierArchive(unreadable: readonly unknown[]): void {
  try {
    if (unreadable.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(unreadable));
  } catch {
    // Clearing failed, so the next page load copies the conversations again, under the same ids.
  }
}
