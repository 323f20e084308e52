import type Sqlite from 'libsql';
import { POTS } from '../../db/schema';
import type { WriteGuard } from '../../db/store-status';
import { isSmall, type ReplayBody } from '../keeping';
import type { Charge } from '../meter';
import type { ChargeEntry } from '../rules/charge-entries';
import type { KeySpend } from '../rules/key-limit';
import type { PotAmounts } from '../rules/spending-order';
import { type Bulk, BulkQueue } from './bulk-queue';
import type { KeptAnswers } from './kept-answers';
import { RowWriter } from './row-writer';
import type { AccountState, States } from './states';

/** A charge that waits to be committed. */
export interface PendingCharge {
  account: AccountState;
  /** What it writes into the ledger, of which pots. */
  entries: readonly ChargeEntry[];
  apiKeyId: number | null;
  bought: Pick<Charge, 'resource' | 'detail' | 'requestId'>;
  keySpend: (KeySpend & { keyId: number; period: string }) | null;
  /** What of it was taken from a daily pot whose epoch was over already. */
  carried: number;
  /** Whether there was room to keep the body is known once it is committed. */
  replay: { key: string; fingerprint: string; body: ReplayBody; isKept: boolean } | null;
  /** The request id under which the charge was noted while its call ran. */
  noted: string | null;
  /** Unix milliseconds. */
  at: number;
  committed: () => void;
  failed: (error: Error) => void;
}

/** More than this is committed at once, without waiting for the end of the turn. */
const GROUP_MAX = 64;
/** So much of answers to keep is written in one transaction, and at least one: the gateway does nothing else meanwhile, some milliseconds for a megabyte. */
const BULK_BYTES = 256 * 1024;
/** After such a transaction there is none for so many times as long: that is how little of the gateway's time all of them get. */
const BULK_PAUSE = 7;
/** And so much of them is written a millisecond at most, 8 MiB a second: the log's checkpoints, in a thread, have the disk busy for all. */
const BULK_BYTES_PER_MS = 8_388;
/** How long a group is tried again where another connection has the write lock, and how often. */
const BUSY_MAX_MS = 5_000;
const BUSY_RETRY_MS = 2;
/** Stands for an answer that is not kept. */
const NOTHING = new Uint8Array();
/** Turns of the event loop that a small group waits at most. They do not sleep: on an idle gateway they pass in microseconds. */
const TURNS_MAX = 3;

/**
 * Commits charges in groups: those that settle in one turn of the event loop share one transaction. Whoever
 * waits is told only after the commit. Rows are written many to a statement, since each call into the database
 * costs more than the row (measured: 17 against 27 microseconds a charge in groups of 32).
 *
 * Charges with large answers to keep have transactions of their own, after those of everybody else, with pauses between,
 * and their callers take turns. Where too many wait already, an answer is not kept.
 */
export class GroupCommit {
  #queue: PendingCharge[] = [];
  /** Those with answers to keep that are more than small. */
  readonly #bulky = new BulkQueue<Bulk & { charge: PendingCharge }>();
  #scheduled = false;
  #bulkScheduled = false;
  /** Groups that met another connection's write lock, and since when. */
  #delayed: { group: readonly PendingCharge[]; since: number }[] = [];
  /** When the next with a large answer may be committed, of `performance.now()`. */
  #bulkAt = 0;
  readonly #states: States;
  readonly #kept: KeptAnswers;
  readonly #running: () => number;
  readonly #guard: WriteGuard;
  readonly #connection: Sqlite.Database;
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  readonly #ledger: RowWriter;
  readonly #meters: RowWriter;
  readonly #keySpend: RowWriter;
  readonly #replays: RowWriter;
  readonly #uncarry: Sqlite.Statement;
  readonly #forgetNote: Sqlite.Statement;

  /** @param running how many calls hold a reservation now, and so will settle or be released. */
  constructor(
    connection: Sqlite.Database,
    states: States,
    kept: KeptAnswers,
    { running, guard }: { running: () => number; guard: WriteGuard },
  ) {
    this.#connection = connection;
    this.#guard = guard;
    this.#states = states;
    this.#kept = kept;
    this.#running = running;
    this.#begin = connection.prepare('begin immediate');
    this.#commit = connection.prepare('commit');
    this.#rollback = connection.prepare('rollback');
    this.#ledger = new RowWriter(
      connection,
      'insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)',
      11,
    );
    this.#meters = new RowWriter(
      connection,
      `insert into meters (account_id, ${POTS.join(', ')}, minute_started_at, minute_requests)`,
      7,
      `on conflict (account_id) do update set ${[...POTS, 'minute_started_at', 'minute_requests'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
    );
    this.#keySpend = new RowWriter(
      connection,
      'insert into key_spend (api_key_id, period, usd, diem, prepaid)',
      5,
      'on conflict (api_key_id, period) do update set usd = usd + excluded.usd, diem = diem + excluded.diem, prepaid = prepaid + excluded.prepaid',
    );
    this.#uncarry = connection.prepare('update meters set diem_carried = diem_carried - ? where account_id = ?');
    this.#forgetNote = connection.prepare('delete from running_charges where request_id = ?');
    this.#replays = new RowWriter(
      connection,
      'insert into idempotency_records (account_id, key, fingerprint, body, is_kept, created_at)',
      6,
      // Not "or replace", of which triggers hear no deletion.
      `on conflict (account_id, key) do update set ${['fingerprint', 'body', 'is_kept', 'created_at'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
    );
  }

  /** Queues a charge for the commit at the end of this turn, or of one of the next. */
  add(charge: PendingCharge): void {
    const bytes = bytesOf(charge);
    if (bytes > 0 && this.#bulky.add({ account: charge.account, bytes, charge })) {
      this.#scheduleBulk();
      return;
    }
    if (bytes > 0 && charge.replay) charge.replay.body = 'too-large';
    this.#queue.push(charge);
    if (this.#queue.length >= GROUP_MAX) this.#commitQueue();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#endTurn(1));
    }
  }

  /** Commits all that is queued. A group that cannot be committed fails as a whole: nobody in it is charged. */
  flush(): void {
    this.#commitQueue();
    while (!this.#bulky.isEmpty) this.#commitBulk();
    while (this.#delayed.length > 0) this.#retryDelayed();
  }

  /** A group that is small beside what still runs waits for company, a few turns at most: the more share a commit, the less it costs each. */
  #endTurn(turns: number): void {
    if (this.#queue.length < this.#running() && turns < TURNS_MAX) {
      setImmediate(() => this.#endTurn(turns + 1));
      return;
    }
    this.#scheduled = false;
    this.#commitQueue();
  }

  #scheduleBulk(): void {
    if (this.#bulkScheduled) return;
    this.#bulkScheduled = true;
    const end = (): void => this.#endTurnOfBulk({ isAfterQueue: false });
    const pauseMs = this.#bulkAt - performance.now();
    if (pauseMs > 0) setTimeout(end, pauseMs);
    else setImmediate(end);
  }

  #endTurnOfBulk({ isAfterQueue }: { isAfterQueue: boolean }): void {
    if (!isAfterQueue && this.#queue.length > 0) {
      this.#commitQueue();
      // Their answers go out first.
      setImmediate(() => this.#endTurnOfBulk({ isAfterQueue: true }));
      return;
    }
    this.#bulkScheduled = false;
    const startedAt = performance.now();
    const bytes = this.#commitBulk();
    const endedAt = performance.now();
    this.#bulkAt = endedAt + Math.max(BULK_PAUSE * (endedAt - startedAt), bytes / BULK_BYTES_PER_MS);
    if (!this.#bulky.isEmpty) this.#scheduleBulk();
  }

  #commitQueue(): void {
    const group = this.#queue;
    this.#queue = [];
    this.#commitGroup(group);
  }

  /** @returns how many bytes of answers it had. */
  #commitBulk(): number {
    const taken = this.#bulky.take(BULK_BYTES);
    this.#commitGroup(taken.map(({ charge }) => charge));
    return taken.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #retryDelayed(): void {
    const delayed = this.#delayed;
    this.#delayed = [];
    for (const { group, since } of delayed) this.#commitGroup(group, since);
  }

  /** @param since when it was tried first, of `performance.now()` */
  #commitGroup(group: readonly PendingCharge[], since = performance.now()): void {
    if (group.length === 0) return;
    const accounts = new Set(group.map((charge) => charge.account));
    let balances: Map<AccountState, PotAmounts>;
    try {
      this.#begin.run();
      try {
        // Another connection may have granted since the balances were read; within the transaction none can any more.
        this.#states.prove();
        this.#kept.begin();
        for (const account of accounts) this.#states.reconcile(account);
        balances = this.#write(accounts, group);
        this.#commit.run();
        this.#states.committed();
      } catch (error) {
        // A full disk has ended the transaction already, and its own error is the one to tell.
        if (this.#connection.inTransaction) this.#rollback.run();
        throw error;
      }
    } catch (error) {
      for (const writer of this.#writers()) writer.discard();
      if (isBusy(error) && performance.now() - since < BUSY_MAX_MS) {
        // A checkpoint that begins the log anew refuses whoever waits for it, whatever the time-out of the connection.
        this.#delayed.push({ group, since });
        if (this.#delayed.length === 1) setTimeout(() => this.#retryDelayed(), BUSY_RETRY_MS);
        return;
      }
      const failure = this.#guard.failed(error as Error);
      for (const charge of group) charge.failed(failure);
      return;
    }
    for (const [account, committed] of balances) account.committed = committed;
    for (const charge of group) charge.committed();
  }

  /** @returns the balances that are written. Those in memory have charges taken off that wait for a later group. */
  #write(accounts: ReadonlySet<AccountState>, group: readonly PendingCharge[]): Map<AccountState, PotAmounts> {
    // The balance after each row starts from what the store has now, not from what was believed when it settled.
    const running = new Map([...accounts].map((account) => [account, [...account.committed] as Writable<PotAmounts>]));
    for (const charge of group) {
      const { apiKeyId, bought } = charge;
      const accountId = charge.account.id;
      const balances = running.get(charge.account) as Writable<PotAmounts>;
      for (const { pot, place, amount, units } of charge.entries) {
        const balanceAfter = (balances[place] as number) - amount;
        balances[place] = balanceAfter;
        this.#ledger.add(
          accountId,
          pot,
          'CHARGE',
          -amount,
          balanceAfter,
          apiKeyId,
          bought.resource,
          bought.detail,
          units,
          bought.requestId,
          charge.at,
        );
      }
      if (charge.keySpend)
        this.#keySpend.add(
          charge.keySpend.keyId,
          charge.keySpend.period,
          charge.keySpend.usd,
          charge.keySpend.diem,
          charge.keySpend.prepaid,
        );
      if (charge.replay) this.#addReplay(accountId, charge.replay, charge.at);
    }
    for (const [account, balances] of running) {
      this.#meters.add(account.id, ...balances, account.minute.startedAt, account.minute.requests);
    }
    for (const writer of this.#writers()) writer.flush();
    for (const charge of group) {
      if (charge.carried > 0) this.#uncarry.run(charge.carried, charge.account.id);
      if (charge.noted !== null) this.#forgetNote.run(charge.noted);
    }
    return running;
  }

  #addReplay(accountId: number, replay: NonNullable<PendingCharge['replay']>, at: number): void {
    const { key, fingerprint, body } = replay;
    const keeps = this.#kept.keeps(accountId, body);
    replay.isKept = keeps;
    this.#replays.add(accountId, key, fingerprint, keeps ? body : NOTHING, Number(keeps), at);
  }

  #writers(): RowWriter[] {
    return [this.#ledger, this.#meters, this.#keySpend, this.#replays];
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What of a charge's answer is to be kept, where that is more than small. */
function bytesOf({ replay }: PendingCharge): number {
  const body = replay?.body;
  return body === undefined || body === 'too-large' || isSmall(body) ? 0 : body.byteLength;
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}
