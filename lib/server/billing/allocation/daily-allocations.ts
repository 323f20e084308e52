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

/** A call waits for the chain no longer than this, and then goes on with what the account has. */
const WAIT_MS = 2_000;
/** Whoever has just staked sees it after this at the latest. */
const LOOK_AGAIN_MS = 30_000;
const CHAIN_AWAY_MS = 5_000;
/** An account keeps the wallet, or none, that it was made with. */
const NO_WALLET_MS = 600_000;
const KNOWN_MAX = 100_000;

export interface DailyAllocationSettings {
  meter: Meter;
  db: Database;
  stake: StakeReader;
  dailyPoolNanoUsd: number;
  now: () => number;
  log: Logger;
  /** How long a call waits for the chain. */
  waitMs?: number;
}

/**
 * Sees to it that an account's daily allocation is fixed before it is spent: the first call of an epoch reads the stake
 * of its wallet, once however many calls arrive, and the meter fixes what follows from it. What is fixed stays, and is
 * not asked for again in its epoch; an account without an EVM wallet is not asked for at all. A chain that does not
 * answer takes nothing away: the call goes on with what there is, and the next one asks again.
 */
export class DailyAllocations {
  readonly #settings: Required<DailyAllocationSettings>;
  /** Until when there is nothing to do for an account, Unix milliseconds. */
  readonly #restUntil = new Map<number, number>();
  readonly #running = new Map<number, Promise<void>>();

  constructor(settings: DailyAllocationSettings) {
    this.#settings = { waitMs: WAIT_MS, ...settings };
  }

  /**
   * To be called before an account's pots are looked at.
   * @returns undefined where there is nothing to wait for; else what to wait for, which never rejects.
   */
  ensure(accountId: number): Promise<void> | undefined {
    const now = this.#settings.now();
    const restUntil = this.#restUntil.get(accountId);
    // No rest is longer than a day: one that seems to be was begun by a clock that has gone back since.
    if (restUntil !== undefined && now < restUntil && restUntil - now <= DAY_MS) return undefined;
    return within(this.#settings.waitMs, this.#running.get(accountId) ?? this.#start(accountId));
  }

  /**
   * Has the stake of an account read again by its next call, though it was found too small a moment ago: for whoever
   * may have staked since. What is fixed stays so.
   */
  lookAgain(accountId: number): void {
    this.#restUntil.delete(accountId);
  }

  /** Waits for what still runs, whose callers went on without it: the store must not be closed under it. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #start(accountId: number): Promise<void> {
    const running = this.#fix(accountId)
      .catch((error: unknown) => {
        const { log, now } = this.#settings;
        log.warn(
          { err: error, accountId },
          error instanceof ChainUnavailable ? 'a stake could not be read' : 'a daily allocation could not be fixed',
        );
        return now() + CHAIN_AWAY_MS;
      })
      .then((restUntil) => {
        this.#running.delete(accountId);
        this.#rest(accountId, restUntil);
      });
    this.#running.set(accountId, running);
    return running;
  }

  /** @returns until when there is nothing more to do. */
  async #fix(accountId: number): Promise<number> {
    const { meter, db, stake, dailyPoolNanoUsd, now } = this.#settings;
    const epoch = epochAt(now());
    const fixed = await meter.allocation(accountId);
    if (fixed && fixed.epoch >= epoch) return epochEnd(epoch);
    const wallet = await walletOfAccount(db, accountId);
    if (wallet === null || walletKey(wallet)?.family !== 'evm') return now() + NO_WALLET_MS;
    const held = await stake.dailyCreditStake(wallet as Address);
    const amountNanoUsd = dailyAmount(held, dailyPoolNanoUsd);
    if (amountNanoUsd === 0) return now() + LOOK_AGAIN_MS;
    const allocation = await meter.allocate({ accountId, amountNanoUsd, staked: held.staked, pool: held.total });
    // The database's day may begin a little later than this machine's.
    return allocation && allocation.epoch < epochAt(now()) ? now() + CHAIN_AWAY_MS : epochEnd(epochAt(now()));
  }

  #rest(accountId: number, until: number): void {
    if (this.#restUntil.size >= KNOWN_MAX) this.#forgetOldest();
    this.#restUntil.delete(accountId);
    this.#restUntil.set(accountId, until);
  }

  #forgetOldest(): void {
    let count = KNOWN_MAX / 10;
    for (const accountId of this.#restUntil.keys()) {
      if (count-- === 0) return;
      this.#restUntil.delete(accountId);
    }
  }
}

/** Resolves with the work, or without it when the time is over; the work goes on. */
function within(waitMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
