import type { Address } from 'viem';
import type { Logger } from 'pino';
import { dailyAmount } from '@/lib/protocol/allocation/daily-amount';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import { walletKey } from '@/lib/protocol/wallet-address';
import { ChainUnavailable, type StakeReader } from './stake-reader';
import type { Database } from '../../db/schema';
import { walletOfAccount } from '../../db/wallets';
import { epochAt, epochEnd } from '../rules/epoch';
import type { Meter } from '../meter';

const WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 30_000;
const CHAIN_AWAY_MS = 5_000;
/** Time after which an account without an EVM wallet is checked again. */
const NO_WALLET_MS = 600_000;
const KNOWN_MAX = 100_000;

interface DailyAllocationSettings {
  meter: Meter;
  db: Database;
  stake: StakeReader;
  dailyPoolNanoUsd: number;
  now: () => number;
  log: Logger;
  waitMs?: number;
}

/**
 * Fixes an account's daily allocation before the account spends. The first call of a UTC day reads the wallet's stake.
 * If the chain does not answer, calls spend from the other balances until a later call can read the stake.
 */
export class DailyAllocations {
  readonly #settings: Required<DailyAllocationSettings>;
  /** Unix milliseconds until which calls skip the allocation check, by account id. */
  readonly #restUntil = new Map<number, number>();
  /** Like `#restUntil`, but for requests that only show balances. Such requests must not delay a call's check. */
  readonly #readerRestUntil = new Map<number, number>();
  readonly #running = new Map<number, Promise<void>>();

  constructor(settings: DailyAllocationSettings) {
    this.#settings = { waitMs: WAIT_MS, ...settings };
  }

  /**
   * Fixes an account's daily allocation, if it is not fixed yet. Call this before the account spends.
   * @returns undefined if there is nothing to do; otherwise a promise that never rejects
   */
  ensure(accountId: number): Promise<void> | undefined {
    if (this.#rests(this.#restUntil, accountId)) return undefined;
    return within(this.#settings.waitMs, this.#running.get(accountId) ?? this.#start(accountId, this.#restUntil));
  }

  /**
   * Fixes the daily allocation before an account's balances are shown. If the stake is too small, the next paid call
   * reads the stake again.
   */
  ensureForReader(accountId: number): Promise<void> | undefined {
    if (this.#rests(this.#restUntil, accountId) || this.#rests(this.#readerRestUntil, accountId)) return undefined;
    return within(this.#settings.waitMs, this.#running.get(accountId) ?? this.#start(accountId, this.#readerRestUntil));
  }

  /**
   * Reads an account's stake now, for a wallet that has just staked. Does not change an allocation that is already
   * fixed.
   * @returns today's allocation in nano-USD; 0 if none is fixed
   */
  async readNow(accountId: number): Promise<number> {
    this.lookAgain(accountId);
    // A read that is already running may have missed the new stake.
    await this.#running.get(accountId);
    this.lookAgain(accountId);
    await this.ensure(accountId);
    const fixed = await this.#settings.meter.allocation(accountId);
    return fixed !== null && fixed.epoch >= epochAt(this.#settings.now()) ? fixed.amountNanoUsd : 0;
  }

  /** Lets the next call read an account's stake again. */
  lookAgain(accountId: number): void {
    this.#restUntil.delete(accountId);
    this.#readerRestUntil.delete(accountId);
  }

  /** Waits for running stake reads, because their results are written to the store. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #rests(rests: ReadonlyMap<number, number>, accountId: number): boolean {
    const now = this.#settings.now();
    const until = rests.get(accountId);
    // If `until` is more than a day ahead, the clock was set back.
    return until !== undefined && now < until && until - now <= DAY_MS;
  }

  /** @param unstakedRests map that receives the time of the next read if the stake is too small */
  #start(accountId: number, unstakedRests: Map<number, number>): Promise<void> {
    const running = this.#fix(accountId)
      .catch((error: unknown) => {
        const { log, now } = this.#settings;
        log.warn(
          { err: error, accountId },
          error instanceof ChainUnavailable ? "reading a wallet's stake failed" : 'computing a daily allocation failed',
        );
        return { until: now() + CHAIN_AWAY_MS, isUnstaked: false };
      })
      .then(({ until, isUnstaked }) => {
        this.#running.delete(accountId);
        rest(isUnstaked ? unstakedRests : this.#restUntil, accountId, until);
      });
    this.#running.set(accountId, running);
    return running;
  }

  async #fix(accountId: number): Promise<{ until: number; isUnstaked: boolean }> {
    const done = (until: number, isUnstaked = false) => ({ until, isUnstaked });
    const { meter, db, stake, dailyPoolNanoUsd, now } = this.#settings;
    const epoch = epochAt(now());
    const fixed = await meter.allocation(accountId);
    if (fixed && fixed.epoch >= epoch) return done(epochEnd(epoch));
    const wallet = await walletOfAccount(db, accountId);
    if (wallet === null || walletKey(wallet)?.family !== 'evm') return done(now() + NO_WALLET_MS);
    const held = await stake.dailyCreditStake(wallet as Address);
    const amountNanoUsd = dailyAmount(held, dailyPoolNanoUsd);
    if (amountNanoUsd === 0) return done(now() + LOOK_AGAIN_MS, true);
    const allocation = await meter.allocate({ accountId, amountNanoUsd, staked: held.staked, pool: held.total });
    // By the database's clock, the new day might not have begun yet.
    return done(allocation && allocation.epoch < epochAt(now()) ? now() + CHAIN_AWAY_MS : epochEnd(epochAt(now())));
  }
}

function rest(rests: Map<number, number>, accountId: number, until: number): void {
  if (rests.size >= KNOWN_MAX) forgetOldest(rests);
  rests.delete(accountId);
  rests.set(accountId, until);
}

function forgetOldest(rests: Map<number, number>): void {
  let count = KNOWN_MAX / 10;
  for (const accountId of rests.keys()) {
    if (count-- === 0) return;
    rests.delete(accountId);
  }
}

function within(waitMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
