'use client';

import { noteStorage, troubleOf } from '../storage-trouble';
import { claimedTurns } from './answer-claims';
import { type ChatDatabase, openChatDatabase } from './chat-database';
import { clearJournal, readJournal, writeJournal } from './chat-journal';
import type { Conversation } from './conversation';
import { earlierArchive, leaveInEarlierArchive } from './earlier-archive';
import { readConversations } from './read-conversations';

/** What this browser keeps of chats. */
export interface Archive {
  /** The one changed last first. */
  conversations: readonly Conversation[];
  /** Whether what was kept before is among them by now. */
  isLoaded: boolean;
  /** What was kept by another version of the console and cannot be shown: it stays where it is. */
  unreadable: readonly unknown[];
}

const NONE: Archive = { conversations: [], isLoaded: false, unreadable: [] };
const STORAGE_NAME = 'conversations';

let archive: Archive = NONE;
let database: Promise<ChatDatabase> | null = null;
let channel: BroadcastChannel | null = null;
/** Changed here and not in the database yet; null for erased. */
const pending = new Map<string, Conversation | null>();
/** Those of them that the journal has no room for either. */
const unwritten = new Set<string>();
let isFlushing = false;
const listeners = new Set<() => void>();

/** As it is on this page, which is ahead of what is kept by a moment. */
export function archiveNow(): Archive {
  return archive;
}

/** Before the page has come alive. */
export function noArchive(): Archive {
  return NONE;
}

/** Loads the archive with the first who listens. */
export function subscribeToArchive(listener: () => void): () => void {
  if (database === null) void load();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a conversation, in its place or as the first. It is on the disk when this returns, or the page says that it is not. */
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

/** Erases some, from the disk too. */
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
  // What was kept by an earlier version goes only once it is here.
  if ((await flush()) && earlier.conversations.length > 0) leaveInEarlierArchive(earlier.unreadable);
}

async function readAll(opening: Promise<ChatDatabase>): Promise<Pick<Archive, 'conversations' | 'unreadable'>> {
  try {
    const stored = await (await opening).all();
    const conversations = readConversations(stored) ?? [];
    const ids = new Set(conversations);
    return { conversations, unreadable: stored.filter((each) => !ids.has(each as Conversation)) };
  } catch (error) {
    // Without a database the journal keeps what it has room for; whether that is all, each writing says.
    if (troubleOf(error) === 'newer') noteStorage(STORAGE_NAME, 'newer');
    return { conversations: [], unreadable: [] };
  }
}

/** What the journal has and the database has not, apart from answers that another tab is still receiving. */
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

/** Writes what is pending until nothing is. @returns whether all of it is in the database */
async function flush(): Promise<boolean> {
  if (isFlushing || database === null) return false;
  isFlushing = true;
  try {
    const opened = await database;
    while (pending.size > 0) await writePending(opened);
    noteStorage(STORAGE_NAME, null);
    return true;
  } catch (error) {
    noteStorage(STORAGE_NAME, unwritten.size === 0 ? null : troubleOf(error));
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
    // Changed meanwhile: the next round has it.
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

/** Takes over what another tab has changed. */
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
    // The other tab has it; this one sees it when it is loaded again.
  }
}

function change(next: Partial<Archive>): void {
  archive = { ...archive, ...next };
  listeners.forEach((listener) => listener());
}
