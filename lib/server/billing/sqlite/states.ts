import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { keyScopeOf } from '@/lib/protocol/api-keys/key-scope';
import { periodName } from '@/lib/protocol/api-keys/terms';
import type { RunningMinute } from '@/lib/protocol/running-minute';
import { POTS, type Tier } from '../../db/schema';
import { type CommitCounter, nextCount } from '../../db/sqlite/commit-counter';
import type { SqliteStore } from '../../db/sqlite/open';
import type { KeyRecord } from '../../auth/caller';
import { forgottenUntil, type KeptAnswer } from '../rules/idempotency';
import { type KeyLimits, type KeySpend, NO_SPEND } from '../rules/key-limit';
import { type Pots, withCredit } from '../rules/pots';
import { NO_AMOUNTS, plus, type PotAmounts } from '../rules/spending-order';
import { CallerCredits, CreditReads } from './caller-credits';

export interface AccountState {
  id: number;
  tier: Tier;
  /** Balances after all settled charges, including uncommitted ones. */
  pots: Pots;
  committed: PotAmounts;
  minute: RunningMinute;
  credits: CallerCredits;
  runningKeys: Set<string>;
  /** Number of reservations and uncommitted charges that use this object. The cache drops the object only at 0. */
  uses: number;
  generation: number;
}

export interface KeyState extends KeyRecord, KeyLimits {
  /** Period of `spent` and `committed`; empty until they are first read. */
  period: string;
  spentUsd: number;
  spentDiem: number;
  spentPrepaid: number;
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
 * Caches accounts and API keys. Before each use, checks SQLite's `data_version`. If another connection has committed,
 * rereads each copy before its next use.
 */
export class States {
  readonly #accounts = new Map<number, AccountState>();
  readonly #keys = new Map<string, KeyState>();
  /** Account of each wallet; null if none. Changes only when an account is created or erased. */
  readonly #wallets = new Map<string, { accountId: number | null; generation: number }>();
  readonly #commits: CommitCounter;
  readonly #statements: ReturnType<typeof prepareReads>;
  readonly #creditReads: CreditReads;
  #generation = 0;
  #dataVersion = -1;
  #provedCommits = NaN;
  #provedInTurn = -1;

  constructor({ meterConnection, commits }: Pick<SqliteStore, 'meterConnection' | 'commits'>) {
    this.#commits = commits;
    this.#statements = prepareReads(meterConnection);
    this.#creditReads = new CreditReads(meterConnection);
  }

  /** Throws if the account does not exist, which would be a bug: keys refer only to existing accounts. */
  account(id: number, now: number): AccountState {
    this.#proveOncePerTurn();
    const known = this.#accounts.get(id);
    if (!known) return this.#load(id, now);
    if (known.generation !== this.#generation) this.#refresh(known);
    return known;
  }

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

  /** Loads how much a key with limits has spent in the period of `now`. */
  enterPeriod(key: KeyState, now: number): void {
    const period = periodName(key.limitPeriod, now);
    if (key.period === period) return;
    const { usd, diem, prepaid } = this.#spendIn(key.id, period);
    key.period = period;
    key.spentUsd = key.committedUsd = usd;
    key.spentDiem = key.committedDiem = diem;
    key.spentPrepaid = key.committedPrepaid = prepaid;
  }

  /** Adds changes that other connections made to a key's spending, such as refunds. */
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

  kept(accountId: number, key: string, now: number): KeptAnswer | undefined {
    return this.#statements.kept.get(accountId, key, forgottenUntil(now)) as KeptAnswer | undefined;
  }

  /**
   * Applies changes of other connections to an account. Call this in a write transaction after `prove`, when no other
   * connection can commit.
   */
  reconcile(account: AccountState): void {
    if (account.generation !== this.#generation) this.#refresh(account);
  }

  /**
   * Calls `prove` only once per event-loop turn, because requests of one turn arrived together. A new loop count or
   * `setImmediate` marks a new turn.
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

  /** Checks whether another connection has committed. If so, all cached copies are read again before use. */
  prove(): void {
    const commits = this.#commits.read();
    if (commits === this.#provedCommits) return;
    // Reads the commit count before `data_version`, so that the next `prove` notices a commit in between.
    this.#provedCommits = commits;
    const { data_version: version } = this.#statements.dataVersion.get() as { data_version: number };
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#generation++;
  }

  /**
   * Call this after this connection commits a write. Cached copies stay valid if no other connection has committed
   * since `prove`.
   */
  committed(): void {
    const commits = this.#commits.read();
    if (commits === nextCount(this.#provedCommits)) this.#provedCommits = commits;
    else if (commits === this.#provedCommits) this.#commits.distrust();
  }

  #load(id: number, now: number): AccountState {
    const row = this.#statements.account.get(id) as AccountRow | undefined;
    if (!row) throw new Error(`Account ${id} does not exist.`);
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
      credits: new CallerCredits(this.#creditReads, id, now),
      runningKeys: new Set(),
      uses: 0,
      generation: this.#generation,
    };
    this.#accounts.set(id, account);
    evict(this.#accounts, (state) => state.uses === 0);
    return account;
  }

  #refresh(account: AccountState): void {
    const row = this.#statements.account.get(account.id) as unknown as AccountRow;
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

function prepareReads(connection: DatabaseSync) {
  return {
    dataVersion: connection.prepare('pragma data_version'),
    account: connection.prepare(
      `select tier, ${POTS.join(', ')}, minute_started_at, minute_requests, diem_epoch, diem_carried from accounts join meters on account_id = id where id = ?`,
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

/** Lists the fields, because objects made with spread syntax have different shapes and are slower to read. */
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
