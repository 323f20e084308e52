import { performance } from 'node:perf_hooks';
import type Sqlite from 'libsql';
import { keyScopeOf } from '@/lib/protocol/api-keys/key-scope';
import { periodName } from '@/lib/protocol/api-keys/limit-period';
import type { RunningMinute } from '@/lib/protocol/running-minute';
import { POTS, type Tier } from '../../db/schema';
import { type CommitCounter, nextCount } from '../../db/sqlite/commit-counter';
import type { SqliteStore } from '../../db/sqlite/open';
import type { KeyRecord } from '../../auth/caller';
import { creditMinuteStart, oldestCreditMinute } from '../rules/credit-cap';
import { forgottenUntil, type KeptAnswer } from '../rules/idempotency';
import { type KeyLimits, type KeySpend, NO_SPEND } from '../rules/key-limit';
import { type Pots, withCredit } from '../rules/pots';
import { RollingCredits } from '../rules/rolling-credits';
import { NO_AMOUNTS, plus, type PotAmounts } from '../rules/spending-order';

/** A caller in memory: what the store has, and what runs. */
export interface AccountState {
  id: number;
  tier: Tier;
  /** With every settled charge taken off, committed or not. */
  pots: Pots;
  /** Balances as last seen in the store or committed to it. */
  committed: PotAmounts;
  minute: RunningMinute;
  credits: RollingCredits;
  runningKeys: Set<string>;
  /** Reservations and uncommitted charges that refer to this object: it must not be dropped while there are any. */
  uses: number;
  generation: number;
}

/** A key in memory. */
export interface KeyState extends KeyRecord, KeyLimits {
  /** Spent in `period`, and held by reservations that run. */
  period: string;
  spentUsd: number;
  spentDiem: number;
  spentPrepaid: number;
  /** The same as last seen in the store or committed to it. */
  committedUsd: number;
  committedDiem: number;
  committedPrepaid: number;
  heldUsd: number;
  heldDiem: number;
  heldPrepaid: number;
  generation: number;
}

const STATES_MAX = 100_000;

/**
 * Reads accounts and keys from the store once and keeps them. A copy is used only when proved current: where there were
 * commits since the last look, SQLite's `data_version` tells whether one was another connection's, and then every copy is
 * read again before use.
 */
export class States {
  readonly #accounts = new Map<number, AccountState>();
  readonly #keys = new Map<string, KeyState>();
  /** Whose account a wallet has, null for nobody's. It changes where an account is made, or erased. */
  readonly #wallets = new Map<string, { accountId: number | null; generation: number }>();
  readonly #commits: CommitCounter;
  readonly #statements: ReturnType<typeof prepareReads>;
  #generation = 0;
  #dataVersion = -1;
  /** How many commits there were when the copies were proved last. */
  #provedCommits = NaN;
  #provedInTurn = -1;

  constructor({ meterConnection, commits }: Pick<SqliteStore, 'meterConnection' | 'commits'>) {
    this.#commits = commits;
    this.#statements = prepareReads(meterConnection);
  }

  /** The account, current. Throws if it does not exist: keys refer to accounts that do. */
  account(id: number, now: number): AccountState {
    this.#proveOncePerTurn();
    const known = this.#accounts.get(id);
    if (!known) return this.#load(id, now);
    if (known.generation !== this.#generation) this.#refresh(known);
    return known;
  }

  /** The key with this hash, current, or null. */
  key(hash: string): KeyState | null {
    this.#proveOncePerTurn();
    const known = this.#keys.get(hash);
    if (known?.generation === this.#generation) return known;
    const stored = this.#statements.key.get(hash) as StoredKey | undefined;
    if (!stored) return null;
    const row: KeyRow = { ...stored, allow: keyScopeOf(stored.allow) };
    const key = known ?? newKeyState(row);
    Object.assign(key, row, { generation: this.#generation });
    this.#reconcileSpend(key);
    this.#keys.set(hash, key);
    evict(this.#keys, (state) => state.heldUsd === 0 && state.heldDiem === 0 && state.heldPrepaid === 0);
    return key;
  }

  /** The account of a wallet, or null. */
  wallet(address: string): number | null {
    this.#proveOncePerTurn();
    const known = this.#wallets.get(address);
    if (known?.generation === this.#generation) return known.accountId;
    const row = this.#statements.wallet.get(address) as { account_id: number } | undefined;
    const accountId = row?.account_id ?? null;
    this.#wallets.set(address, { accountId, generation: this.#generation });
    evict(this.#wallets, () => true);
    return accountId;
  }

  /** Brings a limited key's spending to the period that runs at `now`. */
  enterPeriod(key: KeyState, now: number): void {
    const period = periodName(key.limitPeriod, now);
    if (key.period === period) return;
    const { usd, diem, prepaid } = this.#spendIn(key.id, period);
    key.period = period;
    key.spentUsd = key.committedUsd = usd;
    key.spentDiem = key.committedDiem = diem;
    key.spentPrepaid = key.committedPrepaid = prepaid;
  }

  /** Takes in what was paid back to a limited key. */
  #reconcileSpend(key: KeyState): void {
    if (key.period === '') return;
    const { usd, diem, prepaid } = this.#spendIn(key.id, key.period);
    key.spentUsd += usd - key.committedUsd;
    key.spentDiem += diem - key.committedDiem;
    key.spentPrepaid += prepaid - key.committedPrepaid;
    key.committedUsd = usd;
    key.committedDiem = diem;
    key.committedPrepaid = prepaid;
  }

  #spendIn(keyId: number, period: string): KeySpend {
    return (this.#statements.spend.get(keyId, period) as KeySpend | undefined) ?? NO_SPEND;
  }

  /** What is kept under an idempotency key, and still counts. */
  kept(accountId: number, key: string, now: number): KeptAnswer | undefined {
    return this.#statements.kept.get(accountId, key, forgottenUntil(now)) as KeptAnswer | undefined;
  }

  /** Inside a write transaction that has looked with `prove`, where nobody else can commit: takes in what others changed. */
  reconcile(account: AccountState): void {
    if (account.generation !== this.#generation) this.#refresh(account);
  }

  /**
   * One look serves all requests that arrived together: none of them was sent after a commit this look missed. It counts
   * until the turn's last phase, and by the loop's own count no longer than the turn: what a look in that last phase
   * (sign-ins make some) asks of `setImmediate` comes after the requests of the next.
   */
  #proveOncePerTurn(): void {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount === this.#provedInTurn) return;
    this.prove();
    this.#provedInTurn = loopCount;
    setImmediate(() => {
      this.#provedInTurn = -1;
    });
  }

  /** Looks whether another connection has committed, upon which every copy is read again before its next use. */
  prove(): void {
    const commits = this.#commits.read();
    if (commits === this.#provedCommits) return;
    // Read before the look: what is committed in between is looked for the next time.
    this.#provedCommits = commits;
    const [version] = this.#statements.dataVersion.get() as [number];
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#generation++;
  }

  /** Call after this connection committed a transaction that called `prove` and wrote. Copies stay valid if nobody else has committed since. */
  committed(): void {
    const commits = this.#commits.read();
    if (commits === nextCount(this.#provedCommits)) this.#provedCommits = commits;
    else if (commits === this.#provedCommits) this.#commits.distrust();
  }

  #load(id: number, now: number): AccountState {
    const row = this.#statements.account.get(id) as AccountRow | undefined;
    if (!row) throw new Error(`Account ${id} does not exist.`);
    const credits = new RollingCredits();
    const minutes = this.#statements.credits.all(id, creditMinuteStart(oldestCreditMinute(now))) as {
      at: number;
      credits: number;
    }[];
    for (const { at, credits: count } of minutes) credits.add(at, count);
    const account: AccountState = {
      id,
      tier: row.tier,
      pots: {
        balances: potsOf(row),
        held: NO_AMOUNTS,
        diemEpoch: row.diem_epoch,
        diemCarried: row.diem_carried,
        heldCarried: 0,
      },
      committed: potsOf(row),
      minute: { startedAt: row.minute_started_at, requests: row.minute_requests },
      credits,
      runningKeys: new Set(),
      uses: 0,
      generation: this.#generation,
    };
    this.#accounts.set(id, account);
    evict(this.#accounts, (state) => state.uses === 0);
    return account;
  }

  #refresh(account: AccountState): void {
    const row = this.#statements.account.get(account.id) as AccountRow;
    const stored = potsOf(row);
    account.tier = row.tier;
    account.pots = withCredit(account.pots, plus(stored, account.committed, -1));
    account.committed = stored;
    account.generation = this.#generation;
  }
}

interface AccountRow extends Record<(typeof POTS)[number], number> {
  tier: Tier;
  diem_epoch: number;
  diem_carried: number;
  minute_started_at: number;
  minute_requests: number;
}

type KeyRow = Pick<
  KeyState,
  | 'id'
  | 'accountId'
  | 'type'
  | 'expiresAt'
  | 'revokedAt'
  | 'allow'
  | 'limitPeriod'
  | 'limitUsd'
  | 'limitDiem'
  | 'limitPrepaid'
>;

type StoredKey = Omit<KeyRow, 'allow'> & { allow: string | null };

function prepareReads(connection: Sqlite.Database) {
  return {
    // As a bare row, which costs less than an object: every call looks.
    dataVersion: connection.prepare('pragma data_version').raw(),
    account: connection.prepare(
      `select tier, ${POTS.join(', ')}, minute_started_at, minute_requests, diem_epoch, diem_carried from accounts join meters on account_id = id where id = ?`,
    ),
    credits: connection.prepare(
      `select min(created_at) as at, sum(units) as credits from ledger where account_id = ? and created_at >= ? and resource like 'rpc/%' group by created_at / ${creditMinuteStart(1)} order by 1`,
    ),
    key: connection.prepare(
      'select id, account_id as accountId, type, expires_at as expiresAt, revoked_at as revokedAt, limit_period as limitPeriod, limit_usd as limitUsd, limit_diem as limitDiem, limit_prepaid as limitPrepaid, allow from api_keys where hash = ?',
    ),
    wallet: connection.prepare('select account_id from wallets where address = ?'),
    spend: connection.prepare('select usd, diem, prepaid from key_spend where api_key_id = ? and period = ?'),
    kept: connection.prepare(
      'select fingerprint, body, is_kept as isKept from idempotency_records where account_id = ? and key = ? and created_at > ?',
    ),
  };
}

function potsOf(row: AccountRow): PotAmounts {
  return [row.diem, row.bundled, row.usd, row.x402];
}

/** Written out, not spread: of what is spread the engine makes an object with a shape of its own for each key, at whose members every call then looks the slow way. */
function newKeyState(row: KeyRow): KeyState {
  return {
    id: row.id,
    accountId: row.accountId,
    type: row.type,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    limitPeriod: row.limitPeriod,
    limitUsd: row.limitUsd,
    limitDiem: row.limitDiem,
    limitPrepaid: row.limitPrepaid,
    allow: row.allow,
    period: '',
    spentUsd: 0,
    spentDiem: 0,
    spentPrepaid: 0,
    committedUsd: 0,
    committedDiem: 0,
    committedPrepaid: 0,
    heldUsd: 0,
    heldDiem: 0,
    heldPrepaid: 0,
    generation: -1,
  };
}

/** Keeps a cache of callers bounded, dropping the longest known that nothing refers to. */
function evict<K, V>(states: Map<K, V>, isIdle: (state: V) => boolean): void {
  if (states.size <= STATES_MAX) return;
  let toDrop = Math.ceil(STATES_MAX / 10);
  for (const [key, state] of states) {
    if (toDrop === 0) return;
    if (isIdle(state)) {
      states.delete(key);
      toDrop--;
    }
  }
}
