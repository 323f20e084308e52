import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'libsql';
import type { Account } from './accounts/account';
import { type Genesis, SLOT_MS } from './slot-clock';

/** A transaction that the chain has executed, as it is kept. */
export interface LedgerEntry {
  signature: Uint8Array;
  slot: number;
  /** JSON of the error, null where it succeeded. */
  error: string | null;
  /** Joined texts of its memos, each with its length in front, as nodes list them. */
  memo: string | null;
  wire: Uint8Array;
  /** JSON of what getTransaction tells beside status and inner instructions. */
  meta: string;
  /** JSON of the inner instructions. */
  inner: string;
}

/** An entry on its way in. */
export interface NewLedgerEntry extends LedgerEntry {
  messageHash: Uint8Array;
  /** Every account that it names, loaded ones included. */
  addresses: readonly Uint8Array[];
  /** The accounts that it may have changed, as they are now; null for one that is gone. */
  written: readonly { address: Uint8Array; account: Account | null }[];
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS genesis (one INTEGER PRIMARY KEY CHECK (one = 1), time_ms INTEGER NOT NULL, seed BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS accounts (
  address BLOB PRIMARY KEY, lamports TEXT NOT NULL, owner BLOB NOT NULL, executable INTEGER NOT NULL, data BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS transactions (
  seq INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, message_hash BLOB NOT NULL UNIQUE, slot INTEGER NOT NULL,
  error TEXT, memo TEXT, wire BLOB NOT NULL, meta TEXT NOT NULL, inner TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS transactions_by_slot ON transactions (slot);
CREATE TABLE IF NOT EXISTS mentions (address BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (address, seq)) WITHOUT ROWID;
`;

/** The slot in which a chain is first seen: clients and programs look some hundred slots back. */
const FIRST_SLOT = 1_000;

const COLUMNS = 't.signature, t.slot, t.error, t.memo, t.wire, t.meta, t.inner';

/** What can be asked of the history of an address. */
export interface HistoryRange {
  /** Only what came before this one. */
  before?: Uint8Array | undefined;
  /** Only what came after this one. */
  until?: Uint8Array | undefined;
  limit: number;
}

/**
 * One chain's accounts and transactions in a SQLite database. What `append` was given is on disk when
 * it returns: the write-ahead log is synced with each call, and whatever of it a kill leaves
 * half-written is cut when the database is opened again. One process at a time can have it open.
 */
export class Ledger {
  readonly genesis: Genesis;
  readonly #db: Sqlite.Database;
  readonly #claim: Sqlite.Database;
  readonly #append: (entries: readonly NewLedgerEntry[]) => void;

  /** @throws what SQLite says, with code SQLITE_BUSY where another process has it open, SQLITE_NOTADB or SQLITE_CORRUPT where it cannot be read */
  constructor(file: string) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.#claim = claim(`${file}.lock`);
    try {
      this.#db = new Sqlite(file);
      for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) this.#db.pragma(pragma);
      this.#db.exec(SCHEMA);
      this.genesis = this.#readGenesis();
      this.#append = this.#prepareAppend();
    } catch (error) {
      release(this.#claim);
      throw error;
    }
  }

  /** Writes entries in one piece. @throws where the disk does not take it; nothing of it is kept then */
  append(entries: readonly NewLedgerEntry[]): void {
    this.#append(entries);
  }

  *accounts(): Generator<{ address: Buffer; account: Account }> {
    const rows = this.#db
      .prepare('SELECT address, lamports, owner, executable, data FROM accounts')
      .iterate() as IterableIterator<AccountRow>;
    for (const { address, lamports, owner, executable, data } of rows) {
      yield {
        address: bytesOf(address),
        account: {
          lamports: BigInt(lamports),
          owner: bytesOf(owner),
          executable: executable === 1,
          data: bytesOf(data),
        },
      };
    }
  }

  find(signature: Uint8Array): LedgerEntry | undefined {
    const row = this.#db
      .prepare(`SELECT ${COLUMNS} FROM transactions t WHERE t.signature = ?`)
      .get([Buffer.from(signature)]) as EntryRow | undefined;
    return row && entryOf(row);
  }

  // A single blob is bound in an array: libsql takes an object by itself for named values.
  hasMessage(messageHash: Uint8Array): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM transactions WHERE message_hash = ?').get([Buffer.from(messageHash)]) !==
      undefined
    );
  }

  inSlot(slot: number): LedgerEntry[] {
    return (
      this.#db.prepare(`SELECT ${COLUMNS} FROM transactions t WHERE t.slot = ? ORDER BY t.seq`).all(slot) as EntryRow[]
    ).map(entryOf);
  }

  /** What named an address, newest first. */
  history(address: Uint8Array, { before, until, limit }: HistoryRange): LedgerEntry[] {
    const seqBelow = before ? this.#seqOf(before) : Number.MAX_SAFE_INTEGER;
    const seqAbove = until ? this.#seqOf(until) : 0;
    const rows = this.#db
      .prepare(
        `SELECT ${COLUMNS} FROM mentions m JOIN transactions t ON t.seq = m.seq WHERE m.address = ? AND m.seq < ? AND m.seq > ? ORDER BY m.seq DESC LIMIT ?`,
      )
      .all(Buffer.from(address), seqBelow, seqAbove, limit);
    return (rows as EntryRow[]).map(entryOf);
  }

  /** How many transactions there are, and the slot of the newest, 0 if none. */
  totals(): { transactions: number; newestSlot: number } {
    const row = this.#db
      .prepare('SELECT COALESCE(MAX(seq), 0) AS transactions, COALESCE(MAX(slot), 0) AS newestSlot FROM transactions')
      .get();
    const { transactions, newestSlot } = row as { transactions: number; newestSlot: number };
    return { transactions, newestSlot };
  }

  close(): void {
    this.#db.close();
    release(this.#claim);
  }

  #seqOf(signature: Uint8Array): number {
    const row = this.#db.prepare('SELECT seq FROM transactions WHERE signature = ?').get([Buffer.from(signature)]) as
      | { seq: number }
      | undefined;
    return row?.seq ?? 0;
  }

  #readGenesis(): Genesis {
    this.#db
      .prepare('INSERT OR IGNORE INTO genesis VALUES (1, ?, ?)')
      .run(Date.now() - FIRST_SLOT * SLOT_MS, randomBytes(32));
    const row = this.#db.prepare('SELECT time_ms, seed FROM genesis').get() as { time_ms: number; seed: Blob };
    return { timeMs: row.time_ms, seed: bytesOf(row.seed) };
  }

  #prepareAppend(): (entries: readonly NewLedgerEntry[]) => void {
    const insert = this.#db.prepare(
      'INSERT INTO transactions (signature, message_hash, slot, error, memo, wire, meta, inner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const mention = this.#db.prepare('INSERT OR IGNORE INTO mentions VALUES (?, ?)');
    const put = this.#db.prepare('INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?, ?)');
    const remove = this.#db.prepare('DELETE FROM accounts WHERE address = ?');
    const write = (entry: NewLedgerEntry): void => {
      const { signature, messageHash, slot, error, memo, wire, meta, inner } = entry;
      const { lastInsertRowid: seq } = insert.run(
        Buffer.from(signature),
        Buffer.from(messageHash),
        slot,
        error,
        memo,
        Buffer.from(wire),
        meta,
        inner,
      );
      for (const address of entry.addresses) mention.run(Buffer.from(address), seq);
      for (const { address, account } of entry.written) {
        if (account === null) remove.run([Buffer.from(address)]);
        else
          put.run(
            Buffer.from(address),
            account.lamports.toString(),
            Buffer.from(account.owner),
            account.executable ? 1 : 0,
            Buffer.from(account.data),
          );
      }
    };
    return this.#db.transaction((entries: readonly NewLedgerEntry[]) => entries.forEach(write));
  }
}

/** Holds a lock that the system lets go of when this process ends, however it does. */
function claim(file: string): Sqlite.Database {
  const lock = new Sqlite(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return lock;
}

function release(lock: Sqlite.Database): void {
  lock.exec('ROLLBACK');
  lock.close();
}

/** A blob as libsql hands it out: a Buffer from `get`, an ArrayBuffer from `iterate` and `all`. */
type Blob = Buffer | ArrayBuffer;

interface AccountRow {
  address: Blob;
  lamports: string;
  owner: Blob;
  executable: number;
  data: Blob;
}

type EntryRow = Omit<LedgerEntry, 'signature' | 'wire'> & { signature: Blob; wire: Blob };

function entryOf({ signature, slot, error, memo, wire, meta, inner }: EntryRow): LedgerEntry {
  return { signature: bytesOf(signature), slot, error, memo, wire: bytesOf(wire), meta, inner };
}

function bytesOf(blob: Blob): Buffer {
  return blob instanceof ArrayBuffer ? Buffer.from(blob) : blob;
}
