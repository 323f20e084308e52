import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { creditPayment, recordPayment } from '@/lib/server/db/payments';
import type { Database } from '@/lib/server/db/schema';
import { listWithdrawals } from '@/lib/server/db/withdrawals';
import type { Payout } from '@/lib/server/payments/withdrawals/payout';
import { type AskedWithdrawal, Withdrawals } from '@/lib/server/payments/withdrawals/withdrawals';
import { createLog } from '@/lib/server/telemetry/log';
import { DyingProcess } from './dying-process';
import type { MeteredStore } from './metered-store';
import { SqliteBooks } from './sqlite-books';

export const USD = 1_000_000_000;
export const HOUR_MS = 3_600_000;
export const ORIGIN = 'https://gateway.example';
export const ORIGINS = new Set([ORIGIN]);
export const FEE_UNITS = 50_000n;
const MINUTE_MS = 60_000;
const CONFIG = { dailyUsdMax: 1_000_000, feeUsd: 0.05, minimumUsd: 1 };

export interface Owner {
  wallet: string;
  accountId: number;
  clientIp: string;
}

/** Withdrawals of a gateway over a simulated chain, with the test's clock. */
export class WithdrawalBench<Out extends Payout> {
  clock = Date.parse('2026-11-29T12:00:00Z');
  readonly now = (): number => this.clock;
  readonly payout: Out;
  /** Called when time passes, so that the chain's time can pass too. */
  onPass: (ms: number) => void = () => undefined;

  constructor(
    readonly books: MeteredStore,
    payout: (now: () => number) => Out,
  ) {
    this.payout = payout(this.now);
  }

  get db(): Database {
    return this.books.store.db;
  }

  pass(ms: number): void {
    this.clock += ms;
    this.onPass(ms);
  }

  /** Creates a process, which does nothing until a test calls it. */
  process(config: Partial<typeof CONFIG> = {}, db: Database = this.db): Withdrawals {
    return new Withdrawals(
      [this.payout],
      { ...CONFIG, ...config },
      {
        db,
        meter: this.books.meter,
        signatures: { judge: () => Promise.resolve({ verdict: 'valid', by: 'key' }) },
        log: createLog('silent'),
        exclusive: this.books instanceof SqliteBooks,
        owner: randomBytes(8).toString('hex'),
        resumeIntervalMs: HOUR_MS,
        now: this.now,
      },
    );
  }

  /** Returns a wallet that has prepaid `usd`. The deposit uses the payout's rail unless another rail is given. */
  async wallet(
    usd: number,
    route: { network?: string; asset?: string } = {},
    wallet = `0x${randomBytes(20).toString('hex')}`,
  ): Promise<Owner> {
    const owner = { wallet, accountId: 0, clientIp: '192.0.2.1' };
    await this.prepay(owner, usd, route);
    return owner;
  }

  async prepay(owner: Owner, usd: number, route: { network?: string; asset?: string } = {}): Promise<void> {
    const { network, asset } = { ...this.payout.terms, ...route };
    const { id } = await recordPayment(this.db, {
      identity: randomBytes(8).toString('hex'),
      network,
      asset,
      payer: owner.wallet,
      pay_to: '0x',
      amount_units: '0',
      amount: usd * USD,
      content: '{}',
      from_height: 0,
      expires_at: null,
      expires_height: null,
      client: null,
      call: null,
    });
    await creditPayment(this.db, id, { transaction_id: '0x', amount_units: '0', amount: usd * USD });
    const { account_id } = await this.db
      .selectFrom('wallets')
      .select('account_id')
      .where('address', '=', owner.wallet)
      .executeTakeFirstOrThrow();
    owner.accountId = account_id;
  }

  asked(usd: number, change: Partial<AskedWithdrawal['statement']> = {}): AskedWithdrawal {
    const { network, asset } = this.payout.terms;
    return {
      network,
      asset,
      signature: '0x',
      statement: {
        gateway: ORIGIN,
        amount: String(usd * 1_000_000),
        fee: FEE_UNITS.toString(),
        nonce: `0x${randomBytes(32).toString('hex')}`,
        validBefore: String(Math.floor(this.clock / 1_000) + 600),
        ...change,
      },
    };
  }

  async balance({ accountId }: Owner): Promise<number> {
    return (await this.books.balances(accountId)).x402;
  }

  /** Lets time pass until every withdrawal has ended. */
  async settle(process: Withdrawals): Promise<void> {
    for (let turn = 0; turn < 100; turn++) {
      await process.resume();
      if ((await listWithdrawals(this.db, { states: ['debited', 'submitted'], limit: 1 })).length === 0) return;
      this.pass(MINUTE_MS);
    }
    throw new Error('A withdrawal stays open.');
  }

  /**
   * Withdraws 4 of 5 USD while killing the process at random steps, 200 times on SQLite and 50 times on Postgres. Each
   * time, the wallet must get what was debited, once.
   *
   * @param lives.prepare returns a new owner for each time
   */
  async killEverywhere<Fate>(lives: {
    fates: fc.Arbitrary<Fate[]>;
    prepare: (fates: Fate[]) => Promise<Owner>;
    asked: (owner: Owner, validBefore: string) => AskedWithdrawal | Promise<AskedWithdrawal>;
    setStep: (step: () => void) => void;
    paidTo: (owner: Owner) => bigint;
  }): Promise<void> {
    const each = fc.record({ killAt: fc.nat(70), resumes: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(each, { minLength: 1, maxLength: 4 }), lives.fates, async (deaths, fates) => {
        const owner = await lives.prepare([...fates]);
        const paidBefore = lives.paidTo(owner);
        const asked = await lives.asked(owner, String(this.clock / 1_000 + 3_600));
        for (const { killAt, resumes } of deaths) {
          const dying = new DyingProcess(killAt);
          lives.setStep(dying.step);
          const process = this.process({}, dying.on(this.db));
          // The client gets no answer and sends the same request to the next process.
          await process.request(asked, owner, ORIGINS).catch(() => undefined);
          for (let turn = 0; turn < resumes; turn++) {
            this.pass(2 * MINUTE_MS);
            await process.resume();
          }
          await process.close();
          lives.setStep(() => undefined);
          this.pass(2 * MINUTE_MS);
        }
        const process = this.process();
        await process.request(asked, owner, ORIGINS);
        await this.settle(process);
        await process.close();
        const [withdrawal, ...more] = await process.list(owner.accountId);
        expect(more).toEqual([]);
        const isSent = withdrawal?.state === 'sent';
        expect(lives.paidTo(owner) - paidBefore).toBe(isSent ? 3_950_000n : 0n);
        expect(await this.balance(owner)).toBe(isSent ? USD : 5 * USD);
      }),
      { numRuns: this.books instanceof SqliteBooks ? 200 : 50 },
    );
    expect(await this.books.faults()).toEqual([]);
  }
}

/** Returns the reason for which a withdrawal was refused. */
export async function refusal(pending: Promise<unknown>): Promise<Record<string, unknown>> {
  return pending.then(
    () => ({ taken: true }),
    ({ name, field, reason, possible, lacking }: Record<string, unknown>) => ({
      name,
      field,
      reason,
      possible,
      lacking,
    }),
  );
}
