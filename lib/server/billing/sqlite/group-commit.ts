import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { POTS } from '../../db/schema';
import { RESULT_CODE, resultCodeOf } from '../../db/sqlite/store-full';
import type { WriteGuard } from '../../db/store-status';
import { isSmall, type ReplayBody } from '../stored-answers';
import type { Charge } from '../meter';
import { storedRequestId } from '../rules/ledger-names';
import type { ChargeEntry, PotAmounts } from '../rules/spending-order';
import type { KeySpend } from '../rules/key-limit';
import { type Bulk, BulkQueue } from './bulk-queue';
import { ChargeSums } from './charge-sums';
import type { KeptAnswers } from './kept-answers';
import { LedgerNames } from './ledger-names';
import { RowWriter } from './row-writer';
import type { AccountState, States } from './states';

interface PendingCharge {
  account: AccountState;
  entries: readonly ChargeEntry[];
  apiKeyId: number | null;
  bought: Pick<Charge, 'resource' | 'detail' | 'requestId'>;
  keySpend: (KeySpend & { keyId: number; period: string }) | null;
  /** Part of the charge that was paid from an earlier epoch's daily balance. */
  carried: number;
  /** `isKept` is true if the answer was stored. Its value is final only after the commit. */
  replay: { key: string; fingerprint: string; body: ReplayBody; isKept: boolean } | null;
  noted: string | null;
  at: number;
  committed: () => void;
  failed: (error: Error) => void;
}

const GROUP_MAX = 64;
/** Maximum bytes of answers per transaction. A transaction blocks the gateway for some milliseconds per megabyte. */
const BULK_BYTES = 256 * 1024;
/**
 * Pause after a transaction with large answers, as a multiple of the transaction's duration. Limits the share of time
 * in which the gateway is blocked.
 */
const BULK_PAUSE = 7;
/**
 * Maximum rate at which large answers are written, 8 MiB/s. Faster writes would cause more checkpoints of the WAL,
 * which slow down all use of the disk.
 */
const BULK_BYTES_PER_MS = 8_388;
/** Maximum time that a group is retried while another connection has the write lock. */
const BUSY_MAX_MS = 5_000;
const BUSY_RETRY_MS = 2;
/** `kind_number` of charges. */
const CHARGE = 0;
/** Stands for an answer that is not stored. */
const NOTHING = new Uint8Array();
/**
 * Number of event-loop turns for which a small group waits for more charges. On an idle gateway, these turns take
 * microseconds.
 */
const TURNS_MAX = 3;

/**
 * Commits charges in groups. Charges of one event-loop turn share a transaction and resolve after its commit. Their
 * rows share statements. Charges with large answers come last, in their own transactions with pauses in between.
 * Callers take turns. When too many large answers wait, no more are stored.
 */
export class GroupCommit {
  #queue: PendingCharge[] = [];
  /** Charges with answers above SMALL_ANSWER_BYTES. */
  readonly #bulky = new BulkQueue<Bulk & { charge: PendingCharge }>();
  #scheduled = false;
  #bulkScheduled = false;
  /** Groups that wait until another connection releases the write lock, each with the time of its first attempt. */
  #delayed: { group: readonly PendingCharge[]; since: number }[] = [];
  #bulkAt = 0;
  readonly #states: States;
  readonly #kept: KeptAnswers;
  readonly #running: () => number;
  readonly #guard: WriteGuard;
  readonly #connection: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #ledger: RowWriter;
  readonly #names: LedgerNames;
  readonly #sums: ChargeSums;
  readonly #meters: RowWriter;
  readonly #keySpend: RowWriter;
  readonly #replays: RowWriter;
  readonly #uncarry: StatementSync;
  readonly #forgetNote: StatementSync;

  constructor(
    connection: DatabaseSync,
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
      'insert into ledger_rows (account_id, pot_number, kind_number, amount, balance_after, api_key_id, name_id, resource, detail, units, request, created_at, calls)',
      13,
    );
    this.#names = new LedgerNames(connection);
    this.#sums = new ChargeSums(connection);
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
      // `insert or replace` would delete a row without running its triggers.
      `on conflict (account_id, key) do update set ${['fingerprint', 'body', 'is_kept', 'created_at'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
    );
  }

  /** Queues a charge for the commit of this turn or a later one. */
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

  /** Commits all queued charges. A group that fails charges nothing. */
  flush(): void {
    this.#commitQueue();
    while (!this.#bulky.isEmpty) this.#commitBulk();
    while (this.#delayed.length > 0) this.#retryDelayed();
  }

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
      // Waits one turn, so that the answers of committed charges are sent before this commit blocks the thread.
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

  /** @returns bytes of answers written */
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

  /** @param since time of the first attempt, by `performance.now()` */
  #commitGroup(group: readonly PendingCharge[], since = performance.now()): void {
    if (group.length === 0) return;
    const accounts = new Set(group.map((charge) => charge.account));
    let balances: Map<AccountState, PotAmounts>;
    try {
      this.#begin.run();
      try {
        // Another connection may have changed balances that were read earlier, but cannot change any during this
        // transaction.
        this.#states.prove();
        this.#kept.begin();
        for (const account of accounts) this.#states.reconcile(account);
        balances = this.#write(accounts, group);
        this.#commit.run();
        this.#states.committed();
        this.#names.committed();
      } catch (error) {
        // If the disk is full, SQLite has already rolled back. A second rollback would throw another error.
        if (this.#connection.isTransaction) this.#rollback.run();
        throw error;
      }
    } catch (error) {
      for (const writer of this.#writers()) writer.discard();
      if (resultCodeOf(error) === RESULT_CODE.busy && performance.now() - since < BUSY_MAX_MS) {
        // Retries, because a wait for the write lock fails before its timeout while a checkpoint restarts the WAL.
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

  /** @returns balances as written; those in memory already include charges of later groups */
  #write(accounts: ReadonlySet<AccountState>, group: readonly PendingCharge[]): Map<AccountState, PotAmounts> {
    const running = new Map([...accounts].map((account) => [account, [...account.committed] as Writable<PotAmounts>]));
    for (const charge of group) {
      const { apiKeyId, bought } = charge;
      const accountId = charge.account.id;
      const balances = running.get(charge.account) as Writable<PotAmounts>;
      let calls = 1;
      const request = storedRequestId(bought.requestId);
      const name = charge.entries.length === 0 ? null : this.#names.idOf(bought.resource, bought.detail);
      for (const { place, amount, units } of charge.entries) {
        const balanceAfter = (balances[place] as number) - amount;
        balances[place] = balanceAfter;
        this.#ledger.add(
          accountId,
          place,
          CHARGE,
          -amount,
          balanceAfter,
          apiKeyId,
          name,
          name === null ? bought.resource : null,
          name === null ? bought.detail : null,
          units,
          request,
          charge.at,
          calls,
        );
        calls = 0;
      }
      this.#sums.add(charge);
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

  #writers(): (RowWriter | ChargeSums | LedgerNames)[] {
    return [this.#ledger, this.#names, this.#sums, this.#meters, this.#keySpend, this.#replays];
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function bytesOf({ replay }: PendingCharge): number {
  const body = replay?.body;
  return body === undefined || body === 'too-large' || isSmall(body) ? 0 : body.byteLength;
}
