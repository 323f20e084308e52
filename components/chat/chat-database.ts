'use client';

import type { Conversation } from './conversation';
import { isConversation } from './read-conversations';

export interface ChatDatabase {
  all(): Promise<unknown[]>;
  get(id: string): Promise<unknown>;
  /** Stores all given conversations or none. */
  put(conversations: readonly { id: string }[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

const NAME = 'turnpike';
/** Raise this number with every change of `upgrade`. */
const VERSION = 1;
const STORE = 'conversations';
const OPEN_TIMEOUT_MS = 5_000;
const TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Opens or creates the database. Rejects if the browser blocks databases (some private windows do) or takes more than 5
 * s. Rejects with `VersionError` if a newer console version has upgraded the database.
 */
export async function openChatDatabase(): Promise<ChatDatabase> {
  const database = await withinTime(opened(), OPEN_TIMEOUT_MS);
  // Lets a newer console version in another tab upgrade the database.
  database.addEventListener('versionchange', () => database.close());
  return {
    all: () => inTransaction<unknown[]>(database, 'readonly', (store) => store.getAll()),
    get: (id) => inTransaction<unknown>(database, 'readonly', (store) => store.get(id)),
    put: (conversations) =>
      inTransaction(database, 'readwrite', (store) => conversations.forEach((each) => store.put(each))),
    remove: (ids) => inTransaction(database, 'readwrite', (store) => ids.forEach((id) => store.delete(id))),
    clear: () => inTransaction(database, 'readwrite', (store) => void store.clear()),
  };
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // `open` throws if the browser blocks storage.
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => upgrade(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new TimeoutError());
    request.onblocked = () => reject(new TimeoutError());
  });
}

function upgrade(database: IDBDatabase): void {
  if (!database.objectStoreNames.contains(STORE)) database.createObjectStore(STORE, { keyPath: 'id' });
}

/** Waits for the transaction, because a full disk can abort the transaction after its request succeeded. */
function inTransaction<T = void>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T> | void,
): Promise<T> {
  const done = new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve((request ? request.result : undefined) as T);
    transaction.onabort = () => reject(transaction.error ?? new TimeoutError());
    transaction.onerror = () => reject(transaction.error ?? new TimeoutError());
  });
  return withinTime(done, TRANSACTION_TIMEOUT_MS);
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** @throws {TimeoutError} */
function withinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError('It took too long.')), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Entry of the journal, which holds the writes that the database does not have yet. Database writes are asynchronous
 * and can be lost when the page closes; journal writes are synchronous. Without a database, the journal is the only
 * store.
 */
interface JournalEntry {
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

/** Returns the entries of earlier page loads and other tabs. Skips invalid entries and leaves them in storage. */
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
