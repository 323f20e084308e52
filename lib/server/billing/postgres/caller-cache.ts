import type { Pool } from 'pg';
import type { ApiKeyType, Tier } from '../../db/schema';
import { kindOfFailure, storeUnavailable } from '../../db/postgres/failure';
import { keyScopeOf } from '@/lib/protocol/api-keys/key-scope';
import type { Awaitable, Caller, KeyRecord, Purse } from '../../auth/caller';
import type { Allocation, MeterLimits } from '../meter';
import { isCurrentEpoch } from '../rules/epoch';
import type { Headroom } from './headroom';
import { rememberNewest, touch } from './remembered';

const RESERVER_COPY_MS = 60_000;
const WALLET_COPY_MS = 60_000;
/**
 * A call that runs before admission may cost at most 1/64 of the balance. turnpike_charge_at_once has the same limit.
 */
const ROOM_PART = 64;

type Spendable = Readonly<Record<Purse, number>>;

/**
 * SQL of the spendable amount. An expired reservation counts only with its checkpoint, because only the checkpoint will
 * be charged.
 */
const SPENDABLE = `
  greatest(0, turnpike_diem(m, now.ms) - m.held_diem + expired.diem)
    + m.bundled + m.usd - m.held_bundled - m.held_usd + expired.account as spendable_account,
  m.x402 - m.held_x402 + expired.x402 as spendable_x402, a.epoch, a.amount, now.ms as now,
  (select tier from accounts where id = m.account_id) as tier
  from meters m left join allocations a on a.account_id = m.account_id and a.epoch = m.diem_epoch cross join lateral (
    select coalesce(sum(greatest(0, diem - noted_amount)) filter (where r.diem_epoch = m.diem_epoch), 0)::bigint as diem,
           coalesce(sum(least(bundled + usd, greatest(0, diem + bundled + usd - noted_amount))), 0)::bigint as account,
           coalesce(sum(greatest(0, x402 - noted_amount)) filter (where r.purse = 'x402'), 0)::bigint as x402
      from reservations r where r.account_id = m.account_id and m.lease_due_at <= now.ms and r.expires_at <= now.ms
  ) as expired`;
const IS_ROOMY = (hash: string): string => `turnpike_is_roomy(m, ${hash}, $3::jsonb, now.ms) as is_roomy`;
const NOW = '(select coalesce($2::bigint, turnpike_now()) as ms) as now';

const KEYS = `select k.hash, k.id, k.account_id, k.type, k.expires_at, k.revoked_at, k.limit_prepaid, k.allow, spendable.*
  from ${NOW}, api_keys k cross join lateral (select ${IS_ROOMY('k.hash')}, ${SPENDABLE} where m.account_id = k.account_id) as spendable
  where k.hash = any($1::text[])`;
const WALLETS = 'select address, account_id from wallets where address = any($1::text[])';
const ACCOUNTS = `select spendable.* from ${NOW}, unnest($1::bigint[]) as wanted (account_id)
  cross join lateral (select m.account_id, ${IS_ROOMY('null')}, ${SPENDABLE} where m.account_id = wanted.account_id) as spendable`;

interface SpendableRow {
  /** True if the caller's calls may run before admission (`Headroom`). */
  is_roomy: boolean;
  spendable_account: number;
  spendable_x402: number;
  tier: Tier;
  /** Epoch and amount of the last daily allocation; null before the first allocation. */
  epoch: number | null;
  amount: number | null;
  /** Time at which the row was read, in Unix milliseconds. */
  now: number;
}

interface SpendableCopy {
  spendable: Spendable;
  allocation: Allocation | null;
  readAt: number;
}

interface KeyRow extends SpendableRow {
  hash: string;
  id: number;
  account_id: number;
  type: ApiKeyType;
  expires_at: number | null;
  revoked_at: number | null;
  limit_prepaid: number | null;
  allow: string | null;
}

/**
 * Caches API keys and spendable amounts, so that callers can be identified before their body is read. If the cache has
 * no key or an empty balance, reads the database, so that the cache alone never refuses a caller. A value for a call
 * that will reserve may be older than `copyMs`, because the reservation checks the balance again.
 */
export class CallerCache {
  readonly #copyMs: number;
  readonly #headroom: Headroom;
  readonly #keys = new Map<string, { key: KeyRecord; readAt: number }>();
  readonly #spendable = new Map<number, SpendableCopy>();
  /** Account of each wallet. An entry is used for at most `WALLET_COPY_MS`, because accounts can be erased. */
  readonly #wallets = new Map<string, { accountId: number; readAt: number }>();
  #caps: string;
  readonly #findKeys: Gathered<string, KeyRow>;
  readonly #findWallets: Gathered<string, { address: string; account_id: number }>;
  readonly #findAccounts: Gathered<number, SpendableRow & { account_id: number }>;

  /**
   * @param copyMs maximum age of a cached value; 0 caches only wallets
   * @param clock returns Unix milliseconds; null to use the database's clock
   * @param headroom receives every looked-up balance; paused when the database is unreachable
   */
  constructor(pool: Pool, limits: MeterLimits, copyMs: number, clock: (() => number) | null, headroom: Headroom) {
    this.#copyMs = copyMs;
    this.#headroom = headroom;
    this.#caps = JSON.stringify(limits);
    const read =
      <Row extends object>(name: string, text: string) =>
      async (wanted: readonly unknown[]): Promise<Row[]> =>
        (await pool.query<Row>({ name, text, values: [wanted, clock?.() ?? null, this.#caps] })).rows;
    const readWallets = async (wanted: readonly string[]) =>
      (
        await pool.query<{ address: string; account_id: number }>({
          name: 'turnpike_wallets',
          text: WALLETS,
          values: [wanted],
        })
      ).rows;
    const onAway = (): void => headroom.pause(performance.now());
    this.#findWallets = new Gathered(readWallets, (row) => row.address, onAway);
    this.#findKeys = new Gathered(read<KeyRow>('turnpike_keys', KEYS), (row) => row.hash, onAway);
    this.#findAccounts = new Gathered(
      read<SpendableRow & { account_id: number }>('turnpike_accounts', ACCOUNTS),
      (row) => row.account_id,
      onAway,
    );
  }

  takeLimits(limits: MeterLimits): void {
    this.#caps = JSON.stringify(limits);
  }

  findKey(hash: string, willReserve: boolean): Awaitable<KeyRecord | null> {
    const copy = this.#keys.get(hash);
    if (!copy || !willReserve || !this.#isRecent(copy, willReserve)) return this.#lookUpKey(hash);
    touch(this.#keys, hash, copy);
    return copy.key;
  }

  findWallet(key: string): Awaitable<number | null> {
    const copy = this.#wallets.get(key);
    return copy && performance.now() - copy.readAt < WALLET_COPY_MS ? copy.accountId : this.#lookUpWallet(key);
  }

  spendable({ accountId, purse }: Caller, willReserve: boolean): Awaitable<number> {
    const copy = this.#spendable.get(accountId);
    if (copy && copy.spendable[purse] > 0 && this.#isRecent(copy, willReserve)) {
      touch(this.#spendable, accountId, copy);
      return copy.spendable[purse];
    }
    return this.#lookUpSpendable(accountId).then((now) => now[purse]);
  }

  /** Returns the current daily allocation, which every look-up of a key or balance also reads. */
  async allocation(accountId: number): Promise<Allocation | null> {
    const copy = this.#spendable.get(accountId);
    if (copy && performance.now() - copy.readAt < this.#copyMs) return copy.allocation;
    const readAt = performance.now();
    const row = await this.#findAccounts.get(accountId);
    return row ? this.#rememberSpendable(accountId, row, readAt).allocation : null;
  }

  /** Returns the spendable amount from the cache; 0 if the cache has none. */
  spendableByCopy({ accountId, purse }: Caller): number {
    return this.#spendable.get(accountId)?.spendable[purse] ?? 0;
  }

  forgetKey(hash: string): void {
    this.#keys.delete(hash);
  }

  forgetKeyById(id: number): void {
    for (const [hash, { key }] of this.#keys) if (key.id === id) this.#keys.delete(hash);
  }

  forgetSpendable(accountId: number): void {
    this.#spendable.delete(accountId);
  }

  #isRecent({ readAt }: { readAt: number }, willReserve: boolean): boolean {
    const ageMs = performance.now() - readAt;
    return ageMs < this.#copyMs || (willReserve && this.#copyMs > 0 && ageMs < RESERVER_COPY_MS);
  }

  async #lookUpKey(hash: string): Promise<KeyRecord | null> {
    const readAt = performance.now();
    const row = await this.#findKeys.get(hash);
    if (!row) return null;
    const key: KeyRecord = {
      id: row.id,
      accountId: row.account_id,
      type: row.type,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      limitPrepaid: row.limit_prepaid,
      allow: keyScopeOf(row.allow),
    };
    rememberNewest(this.#keys, hash, { key, readAt });
    this.#rememberSpendable(row.account_id, row, readAt);
    return key;
  }

  async #lookUpWallet(key: string): Promise<number | null> {
    const readAt = performance.now();
    const row = await this.#findWallets.get(key);
    if (!row) return null;
    rememberNewest(this.#wallets, key, { accountId: row.account_id, readAt });
    return row.account_id;
  }

  async #lookUpSpendable(accountId: number): Promise<Spendable> {
    const readAt = performance.now();
    const row = await this.#findAccounts.get(accountId);
    if (!row) throw new Error(`Account ${accountId} does not exist.`);
    return this.#rememberSpendable(accountId, row, readAt).spendable;
  }

  #rememberSpendable(accountId: number, row: SpendableRow, readAt: number): SpendableCopy {
    const spendable: Spendable = {
      account: row.spendable_account,
      x402: row.spendable_x402,
      all: row.spendable_account + row.spendable_x402,
    };
    const { epoch, amount, now } = row;
    const isCurrent = epoch !== null && amount !== null && isCurrentEpoch(epoch, now);
    const copy = { spendable, allocation: isCurrent ? { epoch, amountNanoUsd: amount } : null, readAt };
    rememberNewest(this.#spendable, accountId, copy);
    if (this.#copyMs === 0) return copy;
    for (const purse of ['account', 'x402'] as const)
      this.#headroom.learn({ accountId, purse }, row.is_roomy ? spendable[purse] / ROOM_PART : 0, readAt, row.tier);
    return copy;
  }
}

/** Sends look-ups in one statement: those of one event-loop turn, or those that arrived while another statement ran. */
class Gathered<K, Row> {
  #wanted = new Map<K, Promise<Row | undefined>>();
  #rows: Promise<Map<K, Row>> = Promise.resolve(new Map());

  constructor(
    private readonly read: (keys: readonly K[]) => Promise<Row[]>,
    private readonly keyOf: (row: Row) => K,
    private readonly onAway: () => void,
  ) {}

  get(key: K): Promise<Row | undefined> {
    const asked = this.#wanted.get(key);
    if (asked) return asked;
    if (this.#wanted.size === 0) this.#rows = this.#readAll(this.#rows);
    const row = this.#rows.then((rows) => rows.get(key));
    this.#wanted.set(key, row);
    return row;
  }

  async #readAll(underWay: Promise<unknown>): Promise<Map<K, Row>> {
    await Promise.all([underWay.catch(() => undefined), new Promise((resolve) => setImmediate(resolve))]);
    const keys = [...this.#wanted.keys()];
    this.#wanted = new Map();
    try {
      return new Map((await this.read(keys)).map((row) => [this.keyOf(row), row]));
    } catch (error) {
      if (kindOfFailure(error) === 'refused') throw error;
      this.onAway();
      throw storeUnavailable(error);
    }
  }
}
