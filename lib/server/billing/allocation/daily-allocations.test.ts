import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChainUnavailable, type DailyCreditStake, type StakeReader } from './stake-reader';
import { ensureWalletAccount } from '../../db/wallets';
import { createLog } from '../../telemetry/log';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { DailyAllocations } from './daily-allocations';

const NOON = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 21);
const TOKEN = 10n ** 18n;
const WALLET = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Simulated chain that gives scripted answers and counts reads. */
class ScriptedStake implements StakeReader {
  reads = 0;
  answer: DailyCreditStake | 'away' | 'silent' = { staked: TOKEN, total: 4n * TOKEN, decimals: 18 };

  holdsStake(): Promise<boolean> {
    throw new Error('Not asked for here.');
  }

  async dailyCreditStake(address: string): Promise<DailyCreditStake> {
    expect(address).toBe(WALLET);
    this.reads++;
    if (this.answer === 'away') throw new ChainUnavailable('away');
    if (this.answer === 'silent') return new Promise(() => undefined);
    return this.answer;
  }
}

describeStores('the allocation of a wallet', (open) => {
  async function staker(waitMs = 2_000) {
    const books = await open();
    const stake = new ScriptedStake();
    const account = await ensureWalletAccount(books.store.db, WALLET);
    await new Promise(setImmediate);
    const service = (of: MeteredStore) =>
      new DailyAllocations({
        meter: of.meter,
        db: of.store.db,
        stake,
        dailyPoolNanoUsd: 400,
        now: () => Date.now(),
        log: createLog('silent'),
        waitMs,
      });
    return { books, stake, account, allocations: service(books), service };
  }

  describe('before a paid call', () => {
    it('is fixed from its share, and then costs nothing until midnight', async () => {
      const { books, stake, account, allocations } = await staker();
      await allocations.ensure(account);
      expect(await books.spendable(account)).toBe(100);
      stake.answer = { staked: 4n * TOKEN, total: 4n * TOKEN, decimals: 18 };
      vi.setSystemTime(MIDNIGHT - 1);
      expect(allocations.ensure(account)).toBeUndefined();
      expect(stake.reads).toBe(1);
      expect(await books.store.db.selectFrom('allocations').select(['staked', 'pool', 'amount']).execute()).toEqual([
        { staked: String(TOKEN), pool: String(4n * TOKEN), amount: 100 },
      ]);
    });

    it('is not left half done when the service ends, though its callers went on without it', async () => {
      const { books, account, allocations, stake } = await staker(1);
      let answer: (held: DailyCreditStake) => void = () => undefined;
      stake.dailyCreditStake = () => new Promise((resolve) => (answer = resolve));
      await allocations.ensure(account);
      const closed = allocations.close();
      await vi.waitFor(() => expect(answer).toHaveLength(1));
      answer({ staked: TOKEN, total: 4n * TOKEN, decimals: 18 });
      await closed;
      expect(await books.spendable(account)).toBe(100);
    });

    it('is read once for all calls that arrive together', async () => {
      const { stake, account, allocations } = await staker();
      await Promise.all(Array.from({ length: 50 }, () => allocations.ensure(account)));
      expect(stake.reads).toBe(1);
      expect(allocations.ensure(account)).toBeUndefined();
    });

    it('is back at the turn of the epoch, from the stake of that time, and no sum of two days', async () => {
      const { books, stake, account, allocations } = await staker();
      await allocations.ensure(account);
      await books.charge(books.request(account, 60));
      vi.setSystemTime(MIDNIGHT);
      stake.answer = { staked: TOKEN, total: 2n * TOKEN, decimals: 18 };
      await allocations.ensure(account);
      expect(await books.spendable(account)).toBe(200);
    });

    it('was fixed by a process that is no more: nothing is read, and the chain may be away', async () => {
      const { books, stake, account, allocations, service } = await staker();
      await allocations.ensure(account);
      stake.answer = 'away';
      const again = await books.reopen();
      const after = service(again);
      await after.ensure(account);
      expect([await again.spendable(account), stake.reads]).toEqual([100, 1]);
      expect(after.ensure(account)).toBeUndefined();
    });

    it('of an account without a wallet is never asked for', async () => {
      const { books, stake, allocations } = await staker();
      const account = await books.account({ usd: 5 });
      await allocations.ensure(account);
      expect(allocations.ensure(account)).toBeUndefined();
      expect(stake.reads).toBe(0);
    });

    it('of a Solana wallet is never asked for', async () => {
      const { books, stake, allocations } = await staker();
      const account = await ensureWalletAccount(books.store.db, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
      await new Promise(setImmediate);
      await allocations.ensure(account);
      expect(stake.reads).toBe(0);
    });
  });

  describe('a stake that is too small', () => {
    it('is read again after half a minute, so that a new stake counts soon', async () => {
      const { books, stake, account, allocations } = await staker();
      stake.answer = { staked: TOKEN / 10n - 1n, total: TOKEN, decimals: 18 };
      await allocations.ensure(account);
      stake.answer = { staked: TOKEN, total: TOKEN, decimals: 18 };
      vi.setSystemTime(NOON + 29_999);
      expect(allocations.ensure(account)).toBeUndefined();
      vi.setSystemTime(NOON + 30_000);
      await allocations.ensure(account);
      expect([await books.spendable(account), stake.reads]).toEqual([400, 2]);
    });
  });

  describe('a reader of the balance', () => {
    it('who finds no stake keeps no call from the allocation of a stake that follows', async () => {
      const { books, stake, account, allocations } = await staker();
      stake.answer = { staked: 0n, total: TOKEN, decimals: 18 };
      await allocations.ensureForReader(account);
      expect(allocations.ensureForReader(account)).toBeUndefined();
      stake.answer = { staked: TOKEN, total: TOKEN, decimals: 18 };
      await allocations.ensure(account);
      expect([await books.spendable(account), stake.reads]).toEqual([400, 2]);
      expect(allocations.ensureForReader(account)).toBeUndefined();
    });
  });

  describe('a stake that was just confirmed', () => {
    it('counts at once, though a call found none a moment ago', async () => {
      const { books, stake, account, allocations } = await staker();
      stake.answer = { staked: 0n, total: TOKEN, decimals: 18 };
      await allocations.ensure(account);
      stake.answer = { staked: TOKEN, total: TOKEN, decimals: 18 };
      expect(await allocations.readNow(account)).toBe(400);
      expect(await books.spendable(account)).toBe(400);
    });

    it('is read after a reading that was under way, which did not see it', async () => {
      const { stake, account, allocations } = await staker();
      let answer: (held: DailyCreditStake) => void = () => undefined;
      const read = stake.dailyCreditStake.bind(stake);
      stake.dailyCreditStake = () => new Promise((resolve) => (answer = resolve));
      const before = allocations.ensure(account);
      await vi.waitFor(() => expect(answer).toHaveLength(1));
      stake.dailyCreditStake = read;
      const now = allocations.readNow(account);
      answer({ staked: 0n, total: TOKEN, decimals: 18 });
      await before;
      expect(await now).toBe(100);
    });

    it('changes nothing of an allocation that is fixed, and reads nothing then', async () => {
      const { stake, account, allocations } = await staker();
      await allocations.ensure(account);
      stake.answer = { staked: 4n * TOKEN, total: 4n * TOKEN, decimals: 18 };
      expect(await allocations.readNow(account)).toBe(100);
    });

    it('is 0 where the chain does not answer', async () => {
      const { stake, account, allocations } = await staker();
      stake.answer = 'away';
      expect(await allocations.readNow(account)).toBe(0);
    });
  });

  describe('a stake that is to be looked at again', () => {
    it('is read by the next call, and not only after half a minute', async () => {
      const { books, stake, account, allocations } = await staker();
      stake.answer = { staked: 0n, total: TOKEN, decimals: 18 };
      await allocations.ensure(account);
      stake.answer = { staked: TOKEN, total: TOKEN, decimals: 18 };
      allocations.lookAgain(account);
      await allocations.ensure(account);
      expect([await books.spendable(account), stake.reads]).toEqual([400, 2]);
    });

    it('gives no second allocation where one is fixed', async () => {
      const { books, stake, account, allocations } = await staker();
      await allocations.ensure(account);
      stake.answer = { staked: 4n * TOKEN, total: 4n * TOKEN, decimals: 18 };
      allocations.lookAgain(account);
      await allocations.ensure(account);
      expect([await books.spendable(account), stake.reads]).toEqual([100, 1]);
    });
  });

  describe('a chain that does not answer', () => {
    it('takes away nothing that is fixed, and gives nothing that is not', async () => {
      const { books, stake, account, allocations } = await staker();
      await allocations.ensure(account);
      stake.answer = 'away';
      vi.setSystemTime(NOON + 60_000);
      await allocations.ensure(account);
      expect(await books.spendable(account)).toBe(100);
      vi.setSystemTime(MIDNIGHT);
      await allocations.ensure(account);
      expect(await books.spendable(account)).toBe(0);
    });

    it('is asked again after 5 seconds', async () => {
      const { books, stake, account, allocations } = await staker();
      stake.answer = 'away';
      await allocations.ensure(account);
      vi.setSystemTime(NOON + 4_999);
      expect(allocations.ensure(account)).toBeUndefined();
      stake.answer = { staked: TOKEN, total: TOKEN, decimals: 18 };
      vi.setSystemTime(NOON + 5_000);
      await allocations.ensure(account);
      expect(await books.spendable(account)).toBe(400);
    });

    it('holds a call up for a bounded time, and is asked once however many wait', async () => {
      const { books, stake, account, allocations } = await staker(10);
      stake.answer = 'silent';
      await Promise.all([allocations.ensure(account), allocations.ensure(account)]);
      await allocations.ensure(account);
      // On a busy machine, the calls may return before the chain is read.
      await expect.poll(() => stake.reads).toBeGreaterThan(0);
      expect([await books.spendable(account), stake.reads]).toEqual([0, 1]);
    });
  });

  describe('a clock that goes back by days', () => {
    it('does not leave an account without its allocation', async () => {
      const { books, account, allocations } = await staker();
      vi.setSystemTime(NOON + 30 * 86_400_000);
      await allocations.ensure(account);
      vi.setSystemTime(NOON);
      await allocations.ensure(account);
      expect(await books.spendable(account)).toBe(100);
    });
  });
});
