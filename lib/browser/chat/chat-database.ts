import { TimeoutError, withinTime } from '../within-time';

/** The conversations of this browser, one record each, by their ids. */
export interface ChatDatabase {
  all(): Promise<unknown[]>;
  get(id: string): Promise<unknown>;
  /** All of them or, where it rejects, none. */
  put(conversations: readonly { id: string }[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

const NAME = 'turnpike';
/** To be raised with whatever is changed in `upgrade`. */
const VERSION = 1;
const STORE = 'conversations';
const OPEN_TIMEOUT_MS = 5_000;
const TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Opens the database, making it where there is none. Rejects where the browser has or allows none (private windows
 * of some), where a newer version of the console has been here (`VersionError`), and after 5 s.
 */
export async function openChatDatabase(): Promise<ChatDatabase> {
  const database = await withinTime(opened(), OPEN_TIMEOUT_MS);
  // A newer version of the console, in another tab, is not kept waiting.
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
    // Throws where storage is blocked altogether, which rejects as well.
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

/** Resolves once the transaction is on the disk, not when its requests have succeeded: a full disk is told at its end. */
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
