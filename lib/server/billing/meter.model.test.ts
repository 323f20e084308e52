import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { grant } from '../db/grants';
import type { Reservation } from './meter';
import { describeStores } from '@/test/describe-stores';

const POTS_OF_KEYS = ['diem', 'bundled', 'usd'] as const;
type Purse = Record<(typeof POTS_OF_KEYS)[number], number>;
/** What a call holds, and in which epoch it began. */
type Part = Purse & { epoch: number };

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;

/** What the meter should do, said as simply as possible: pots, and what each running call holds of them. */
class Model {
  readonly held: Purse = { diem: 0, bundled: 0, usd: 0 };
  /** Parts of earlier epochs that still run, and what the books have of the daily pot altogether. */
  readonly old = new Set<Part>();
  readonly running = new Set<Part>();
  total: number;
  epoch = 0;
  /** Whether midnight has passed since the allocation was fixed. */
  isOver = false;

  constructor(readonly pots: Purse) {
    this.total = pots.diem;
  }

  get spendable(): number {
    return POTS_OF_KEYS.reduce((sum, pot) => sum + this.free(pot), 0);
  }

  /** Fixes a new allocation: what is not held is gone, and what is held is nobody else's. */
  allocate(amount: number): void {
    if (!this.isOver) return;
    for (const part of this.running) this.old.add(part);
    this.total = amount + [...this.old].reduce((sum, part) => sum + part.diem, 0);
    this.pots.diem = amount;
    this.held.diem = 0;
    this.epoch++;
    this.isOver = false;
  }

  reserve(amount: number): Part {
    const part = { ...this.spread(amount, (pot) => this.free(pot)), epoch: this.epoch };
    for (const pot of POTS_OF_KEYS) this.held[pot] += part[pot];
    this.running.add(part);
    return part;
  }

  release(part: Part): void {
    this.running.delete(part);
    this.old.delete(part);
    for (const pot of POTS_OF_KEYS) if (pot !== 'diem' || part.epoch === this.epoch) this.held[pot] -= part[pot];
  }

  settle(part: Part, amount: number): void {
    this.release(part);
    const taken = this.spread(amount, (pot) => part[pot]);
    for (const pot of POTS_OF_KEYS) if (pot !== 'diem' || part.epoch === this.epoch) this.pots[pot] -= taken[pot];
    this.total -= taken.diem;
  }

  private free(pot: keyof Purse): number {
    return pot === 'diem' && this.isOver ? 0 : this.pots[pot] - this.held[pot];
  }

  private spread(amount: number, available: (pot: keyof Purse) => number): Purse {
    const part: Purse = { diem: 0, bundled: 0, usd: 0 };
    let rest = amount;
    for (const pot of POTS_OF_KEYS) {
      part[pot] = Math.min(rest, available(pot));
      rest -= part[pot];
    }
    return part;
  }
}

interface Running {
  account: number;
  model: Model;
  part: Part;
  reservation: Reservation;
  max: number;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

describeStores('the meter against a model', (open) => {
  describe('random interleavings of calls, commits, days and grants of another process', () => {
    it.each([1, 2, 3, 4, 5, 6])('agree with a simple model, and no balance is ever negative (seed %i)', async (seed) => {
      const random = new SeededRandom(seed);
      const books = await open();
      const admin = await books.connect();
      // A commit that fails for one call in twenty.
      await books.breakCharges('bad');
      const models = new Map<number, Model>();
      for (let i = 0; i < 3; i++) {
        const pots = { diem: random.integer(1, 40), bundled: random.integer(0, 200), usd: random.integer(0, 400) };
        models.set(await books.account(pots), new Model(pots));
      }
      const running: Running[] = [];
      let settling: Promise<unknown>[] = [];

      for (let step = 0; step < 400; step++) {
        // Three midnights; charges that wait are of the day before.
        if (step % 100 === 99 && step < 399) {
          vi.setSystemTime(Date.now() + DAY);
          for (const model of models.values()) model.isOver = true;
        }
        const account = random.pick([...models.keys()]);
        const model = models.get(account) as Model;
        const choice = random.next();
        if (choice < 0.45) {
          const max = random.integer(1, 60);
          const admission = await books.meter.reserve(books.request(account, max));
          expect(admission.outcome, `step ${step}`).toBe(max <= model.spendable ? 'admitted' : 'refused');
          if (admission.outcome === 'admitted') running.push({ account, model, part: model.reserve(max), reservation: admission.reservation, max });
        } else if (choice < 0.8 && running.length > 0) {
          const [call] = running.splice(random.integer(0, running.length - 1), 1) as [Running];
          const amount = random.integer(0, call.max);
          call.model.settle(call.part, amount);
          settling.push(books.settle(call.reservation, amount));
        } else if (choice < 0.84 && running.length > 0) {
          // Alone in its group, since a failure is the whole group's.
          await Promise.all(settling);
          const [call] = running.splice(random.integer(0, running.length - 1), 1) as [Running];
          call.model.release(call.part);
          const failing = books.settle(call.reservation, call.max, { requestId: `bad${step}` });
          await expect(failing).rejects.toThrow('disk full');
        } else if (choice < 0.88 && running.length > 0) {
          const [call] = running.splice(random.integer(0, running.length - 1), 1) as [Running];
          call.model.release(call.part);
          await books.meter.release(call.reservation);
        } else if (choice < 0.9) {
          await Promise.all(settling);
          const amount = random.integer(1, 40);
          await books.allocate(account, amount);
          model.allocate(amount);
        } else if (choice < 0.95) {
          const pot = random.pick(['bundled', 'usd'] as const);
          const amountNanoUsd = random.integer(1, 50);
          await grant(admin, { accountId: account, pot, amountNanoUsd, detail: '' });
          // The charges that wait are committed first, or the grant is seen first: either way round.
          if (random.chance(0.5)) await Promise.all(settling);
          await turn();
          model.pots[pot] += amountNanoUsd;
        } else {
          await Promise.all(settling);
          settling = [];
        }
        if (!books.countsUncommitted) await Promise.all(settling);
        expect(await books.spendable(account)).toBe((models.get(account) as Model).spendable);
      }

      await Promise.all(settling);
      for (const { reservation, model, part } of running) {
        await books.meter.release(reservation);
        model.release(part);
      }
      for (const [account, model] of models) {
        expect(await books.spendable(account)).toBe(model.spendable);
        expect(await books.balances(account)).toMatchObject({ ...model.pots, diem: model.total });
      }
      expect(await books.faults()).toEqual([]);
    });
  });
});
