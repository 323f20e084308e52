import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Account } from './accounts/account';
import { type Genesis, SLOT_MS } from './slot-clock';

export interface LedgerEntry {
  signature: Uint8Array;
  slot: number;
  /** Error as JSON; null for success. */
  error: string | null;
  /** Joined memo texts of the transaction. Each text is prefixed with its length in brackets. */
  memo: string | null;
  wire: Uint8Array;
  /** JSON of getTransaction's `meta`, without status and inner instructions. */
  meta: string;
  inner: string;
}

export interface NewLedgerEntry extends LedgerEntry {
  messageHash: Uint8Array;
  /** Every account in the transaction, including accounts from lookup tables. */
  addresses: readonly Uint8Array[];
  /** New state of accounts that the transaction may have changed; null for a removed account. */
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

/** First slot of a chain. It is large enough that programs and clients can look hundreds of slots back. */
const FIRST_SLOT = 1_000;

const COLUMNS = 't.signature, t.slot, t.error, t.memo, t.wire, t.meta, t.inner';

interface HistoryRange {
  /** Signature of a transaction; lists only older transactions. */
  before?: Uint8Array | undefined;
  /** Signature of a transaction; lists only newer transactions. */
  until?: Uint8Array | undefined;
  limit: number;
}

/**
 * Accounts and transactions of one chain in a SQLite database. Each `append` syncs the write-ahead log before it
 * returns. Only one process can open the database.
 */
export class Ledger {
  readonly genesis: Genesis;
  readonly #db: DatabaseSync;
  readonly #claim: DatabaseSync;
  readonly #append: (entries: readonly NewLedgerEntry[]) => void;

  /** @throws SQLite's error: `errcode` 5 if another process has opened the file, 11 (corrupt) or 26 (not a database) */
  constructor(file: string) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.#claim = claim(`${file}.lock`);
    try {
      this.#db = new DatabaseSync(file);
      this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      this.#db.exec(SCHEMA);
      this.genesis = this.#readGenesis();
      this.#append = this.#prepareAppend();
    } catch (error) {
      release(this.#claim);
      throw error;
    }
  }

  /** Writes entries atomically. @throws if the disk refuses the write; nothing is then written */
  append(entries: readonly NewLedgerEntry[]): void {
    this.#append(entries);
  }

  *accounts(): Generator<{ address: Buffer; account: Account }> {
    const rows = this.#db
      .prepare('SELECT address, lamports, owner, executable, data FROM accounts')
      .iterate() as unknown as IterableIterator<AccountRow>;
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
    const row = this.#db.prepare(`SELECT ${COLUMNS} FROM transactions t WHERE t.signature = ?`).get(signature) as
      | EntryRow
      | undefined;
    return row && entryOf(row);
  }

  hasMessage(messageHash: Uint8Array): boolean {
    return this.#db.prepare('SELECT 1 FROM transactions WHERE message_hash = ?').get(messageHash) !== undefined;
  }

  inSlot(slot: number): LedgerEntry[] {
    return (
      this.#db.prepare(`SELECT ${COLUMNS} FROM transactions t WHERE t.slot = ? ORDER BY t.seq`).all(slot) as EntryRow[]
    ).map(entryOf);
  }

  /** Lists transactions that include an address, newest first. */
  history(address: Uint8Array, { before, until, limit }: HistoryRange): LedgerEntry[] {
    const seqBelow = before ? this.#seqOf(before) : Number.MAX_SAFE_INTEGER;
    const seqAbove = until ? this.#seqOf(until) : 0;
    const rows = this.#db
      .prepare(
        `SELECT ${COLUMNS} FROM mentions m JOIN transactions t ON t.seq = m.seq WHERE m.address = ? AND m.seq < ? AND m.seq > ? ORDER BY m.seq DESC LIMIT ?`,
      )
      .all(address, seqBelow, seqAbove, limit);
    return (rows as EntryRow[]).map(entryOf);
  }

  /** Returns the number of transactions and the newest slot; 0 for none. */
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
    const row = this.#db.prepare('SELECT seq FROM transactions WHERE signature = ?').get(signature) as
      | { seq: number }
      | undefined;
    return row?.seq ?? 0;
  }

  #readGenesis(): Genesis {
    this.#db
      .prepare('INSERT OR IGNORE INTO genesis VALUES (1, ?, ?)')
      .run(Date.now() - FIRST_SLOT * SLOT_MS, randomBytes(32));
    const row = this.#db.prepare('SELECT time_ms, seed FROM genesis').get() as { time_ms: number; seed: Uint8Array };
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
      const { lastInsertRowid: seq } = insert.run(signature, messageHash, slot, error, memo, wire, meta, inner);
      for (const address of entry.addresses) mention.run(address, seq);
      for (const { address, account } of entry.written) {
        if (account === null) remove.run(address);
        else put.run(address, account.lamports.toString(), account.owner, account.executable ? 1 : 0, account.data);
      }
    };
    return (entries) => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        entries.forEach(write);
        this.#db.exec('COMMIT');
      } catch (error) {
        // If the disk is full, SQLite may have rolled back already.
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
        throw error;
      }
    };
  }
}

function claim(file: string): DatabaseSync {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return lock;
}

function release(lock: DatabaseSync): void {
  lock.exec('ROLLBACK');
  lock.close();
}

interface AccountRow {
  address: Uint8Array;
  lamports: string;
  owner: Uint8Array;
  executable: number;
  data: Uint8Array;
}

type EntryRow = Omit<LedgerEntry, 'signature' | 'wire'> & { signature: Uint8Array; wire: Uint8Array };

function entryOf({ signature, slot, error, memo, wire, meta, inner }: EntryRow): LedgerEntry {
  return { signature: bytesOf(signature), slot, error, memo, wire: bytesOf(wire), meta, inner };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
