import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { DyingProcess } from '@/test/dying-process';
import type { MeteredStore } from '@/test/metered-store';
import { type Fate, FATES, ScriptedPayout } from '@/test/scripted-payout';
import { SqliteBooks } from '@/test/sqlite-books';
import { eraseAccount } from '../../db/erase-account';
import { grantWithin } from '../../db/grants';
import { creditPayment, recordPayment } from '../../db/payments';
import type { Database } from '../../db/schema';
import { listWithdrawals, withdrawable } from '../../db/withdrawals';
import { createLog } from '../../telemetry/log';
import { type AskedWithdrawal, Withdrawals } from './withdrawals';

const USD = 1_000_000_000;
const ORIGIN = 'https://gateway.example';
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CONFIG = { dailyUsdMax: 1_000_000, feeUsd: 0.05, minimumUsd: 1 };
const FEE_UNITS = 50_000n;

/** Gateway with a simulated chain and clock. */
class Bench {
  clock = Date.parse('2026-11-29T12:00:00Z');
  readonly now = (): number => this.clock;
  readonly payout = new ScriptedPayout(this.now);

  constructor(readonly books: MeteredStore) {}

  get db(): Database {
    return this.books.store.db;
  }

  /** Starts a process, which does nothing by itself. */
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

  /** Returns a new wallet that has prepaid `usd`, by the payout's rail unless another is given. */
  async wallet(usd: number, route: { network?: string; asset?: string } = {}): Promise<Owner> {
    const owner = { wallet: `0x${randomBytes(20).toString('hex')}`, accountId: 0, clientIp: '192.0.2.1' };
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

  /** Lets time pass until no withdrawal is open. */
  async settle(process: Withdrawals): Promise<void> {
    for (let turn = 0; turn < 100; turn++) {
      await process.resume();
      if ((await listWithdrawals(this.db, { states: ['debited', 'submitted'], limit: 1 })).length === 0) return;
      this.clock += MINUTE_MS;
    }
    throw new Error('A withdrawal stays open.');
  }
}

interface Owner {
  wallet: string;
  accountId: number;
  clientIp: string;
}

const ORIGINS = new Set([ORIGIN]);

async function refusal(pending: Promise<unknown>): Promise<Record<string, unknown>> {
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

describeStores('a withdrawal', (open) => {
  const bench = async (): Promise<Bench> => new Bench(await open());

  it('debits its amount once, and sends the amount without the fee to the wallet', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const process = b.process();
    const asked = b.asked(4);
    const recorded = await process.request(asked, owner, ORIGINS);
    expect(recorded).toMatchObject({ state: 'debited', amount: 4 * USD, fee: 0.05 * USD, balance_after: 6 * USD });
    await b.settle(process);
    expect(await process.find(owner.accountId, recorded.id)).toMatchObject({ state: 'sent', payout_units: '3950000' });
    expect(await process.request(asked, owner, ORIGINS)).toMatchObject({ id: recorded.id, state: 'sent' });
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('is credited back once if the transfer expires', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    b.payout.fates = Array.from({ length: 200 }, (): Fate => 'lost');
    const process = b.process();
    const { id } = await process.request(b.asked(4), owner, ORIGINS);
    await b.settle(process);
    await Promise.all([process.resume(), b.process().resume()]);
    expect(await process.find(owner.accountId, id)).toMatchObject({ state: 'failed' });
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([0n, 10 * USD]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('pays out neither grants, nor what was spent, nor what came by another rail', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const { accountId } = owner;
    await b.db
      .transaction()
      .execute((within) =>
        grantWithin(within, { accountId, pot: 'x402', amountNanoUsd: 5 * USD, detail: 'promotion' }),
      );
    await b.prepay(owner, 20, { network: 'eip155:1' });
    const possible = () => withdrawable(b.db, { ...b.payout.terms, account_id: accountId, wallet: owner.wallet });
    expect(await possible()).toBe(10 * USD);
    await b.books.charge(
      b.books.request(accountId, 24 * USD, { caller: { accountId, apiKeyId: null, purse: 'x402' } }),
    );
    expect([await b.balance(owner), await possible()]).toEqual([11 * USD, 6 * USD]);
    const process = b.process();
    expect(await refusal(process.request(b.asked(7), owner, ORIGINS))).toMatchObject({
      name: 'WithdrawalRefused',
      reason: 'balance',
      possible: 6 * USD,
    });
    await process.request(b.asked(6), owner, ORIGINS);
    await b.settle(process);
    expect([await b.balance(owner), await possible()]).toEqual([5 * USD, 0]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('pays out what came after grants that were spent', async () => {
    const b = await bench();
    const owner = await b.wallet(1);
    const { accountId } = owner;
    const spend = (usd: number) =>
      b.books.charge(b.books.request(accountId, usd * USD, { caller: { accountId, apiKeyId: null, purse: 'x402' } }));
    const possible = () => withdrawable(b.db, { ...b.payout.terms, account_id: accountId, wallet: owner.wallet });
    await b.db
      .transaction()
      .execute((within) =>
        grantWithin(within, { accountId, pot: 'x402', amountNanoUsd: 10 * USD, detail: 'promotion' }),
      );
    await spend(11);
    expect([await b.balance(owner), await possible()]).toEqual([0, 0]);
    await b.prepay(owner, 5);
    expect(await possible()).toBe(5 * USD);
    await spend(2);
    expect(await possible()).toBe(3 * USD);
  });

  it('leaves what running calls have reserved', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const { accountId } = owner;
    const request = b.books.request(accountId, 7 * USD, { caller: { accountId, apiKeyId: null, purse: 'x402' } });
    const call = await b.books.admit(request);
    const process = b.process();
    expect(await refusal(process.request(b.asked(4), owner, ORIGINS))).toMatchObject({ reason: 'balance' });
    await process.request(b.asked(3), owner, ORIGINS);
    await b.books.settle(call, 7 * USD);
    expect(await b.balance(owner)).toBe(0);
    expect(await b.books.faults()).toEqual([]);
  });

  it('is debited once for one statement, however many processes get it at once', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const asked = b.asked(4);
    const processes = [b.process(), b.process()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (processes[index % 2] as Withdrawals).request(asked, owner, ORIGINS)),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    for (const process of processes) await b.settle(process);
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
  });

  it('together with others is never more than the balance or the bound of the day', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const others = await b.wallet(10);
    const processes = [b.process({ dailyUsdMax: 12 }), b.process({ dailyUsdMax: 12 })] as const;
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        (processes[index % 2] as Withdrawals).request(b.asked(3), index < 6 ? owner : others, ORIGINS),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await b.settle(processes[0]);
    expect(b.payout.paidTo(owner.wallet) + b.payout.paidTo(others.wallet)).toBe(4n * 2_950_000n);
    expect(await refusal(processes[0].request(b.asked(1), others, ORIGINS))).toMatchObject({
      name: 'WithdrawalRefused',
      reason: 'daily-bound',
      possible: 0,
    });
    b.clock += 24 * HOUR_MS;
    expect(await refusal(processes[0].request(b.asked(1), others, ORIGINS))).toEqual({ taken: true });
    expect(await b.books.faults()).toEqual([]);
  });

  it('that is open keeps its account from being erased, and an erased account keeps no wallet in it', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const process = b.process();
    b.payout.fates = ['lost'];
    await process.request(b.asked(10), owner, ORIGINS);
    await process.resume();
    await expect(eraseAccount(b.db, owner.accountId, { forfeit: true })).rejects.toThrow(/1 pending withdrawals/);
    await b.settle(process);
    await eraseAccount(b.db, owner.accountId, { forfeit: true });
    const [erased] = await listWithdrawals(b.db, { accountId: owner.accountId, limit: 1 });
    expect(JSON.stringify(erased)).not.toContain(owner.wallet.slice(2));
    expect(await b.books.faults()).toEqual([]);
  });

  it('whose process is killed anywhere, any number of times, leaves as much as is debited, and never twice', async () => {
    const b = await bench();
    const start = b.clock;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ killAt: fc.nat(70), resumes: fc.nat(3) }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...FATES), { maxLength: 6 }),
        async (lives, fates) => {
          b.clock = start;
          b.payout.fates = [...fates];
          const owner = await b.wallet(5);
          const asked = b.asked(4, { validBefore: String(start / 1_000 + 3_600) });
          for (const { killAt, resumes } of lives) {
            const dying = new DyingProcess(killAt);
            b.payout.step = dying.step;
            const process = b.process({}, dying.on(b.db));
            // The client does not get an answer, and sends the same request again to the next process.
            await process.request(asked, owner, ORIGINS).catch(() => undefined);
            for (let turn = 0; turn < resumes; turn++) {
              b.clock += 2 * MINUTE_MS;
              await process.resume();
            }
            await process.close();
            b.payout.step = () => undefined;
            b.clock += 2 * MINUTE_MS;
          }
          const process = b.process();
          await process.request(asked, owner, ORIGINS);
          await b.settle(process);
          await process.close();
          const [withdrawal, ...more] = await process.list(owner.accountId);
          expect(more).toEqual([]);
          const isSent = withdrawal?.state === 'sent';
          expect(b.payout.paidTo(owner.wallet)).toBe(isSent ? 3_950_000n : 0n);
          expect(await b.balance(owner)).toBe(isSent ? USD : 5 * USD);
        },
      ),
      { numRuns: 200 },
    );
    expect(await b.books.faults()).toEqual([]);
  }, 120_000);
});

describe('a withdrawal is refused, and nothing is debited,', () => {
  const cases: [string, (b: Bench) => AskedWithdrawal, Record<string, unknown>][] = [
    ['on Solana', (b) => ({ ...b.asked(4), network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }), { field: 'network' }],
    ['in another token', (b) => ({ ...b.asked(4), asset: `0x${'11'.repeat(20)}` }), { field: 'network' }],
    ['for another gateway', (b) => b.asked(4, { gateway: 'https://other.example' }), { field: 'gateway' }],
    ['with another fee', (b) => b.asked(4, { fee: '0' }), { field: 'fee' }],
    ['below the minimum', (b) => b.asked(0.5), { field: 'amount' }],
    ['beyond all money', (b) => b.asked(4, { amount: '9'.repeat(30) }), { field: 'amount' }],
    ['after it expired', (b) => b.asked(4, { validBefore: '1795000000' }), { field: 'validBefore' }],
    ['if it is valid for a day', (b) => b.asked(4, { validBefore: '9795000000' }), { field: 'validBefore' }],
    ['beyond the balance', (b) => b.asked(11), { reason: 'balance', possible: 10 * USD }],
  ];

  it.each(cases)('%s', async (_name, ask, expected) => {
    const b = new Bench(await SqliteBooks.open());
    const owner = await b.wallet(10);
    expect(await refusal(b.process().request(ask(b), owner, ORIGINS))).toMatchObject(expected);
    expect([await b.balance(owner), await listWithdrawals(b.db, { limit: 1 })]).toEqual([10 * USD, []]);
  });

  it('if the nonce was used for another withdrawal', async () => {
    const b = new Bench(await SqliteBooks.open());
    const owner = await b.wallet(10);
    const process = b.process();
    const asked = b.asked(4);
    await process.request(asked, owner, ORIGINS);
    const other = { ...asked, statement: { ...asked.statement, amount: '5000000' } };
    expect(await refusal(process.request(other, owner, ORIGINS))).toMatchObject({ field: 'nonce' });
    expect(await b.balance(owner)).toBe(6 * USD);
  });

  it('if the paying wallet has too little beyond the open withdrawals, or the chain does not answer', async () => {
    const b = new Bench(await SqliteBooks.open());
    const owner = await b.wallet(10);
    const process = b.process();
    b.payout.units = 7_000_000n;
    b.payout.fates = ['lost'];
    await process.request(b.asked(4), owner, ORIGINS);
    expect(await refusal(process.request(b.asked(4), owner, ORIGINS))).toMatchObject({ lacking: 'funds' });
    b.payout.isSilent = true;
    expect(await refusal(process.request(b.asked(2), owner, ORIGINS))).toMatchObject({ name: 'ChainUnreachable' });
    expect(await b.balance(owner)).toBe(6 * USD);
  });

  it('by a wallet of Solana, or without the wallet’s signature', async () => {
    const b = new Bench(await SqliteBooks.open());
    const owner = await b.wallet(10);
    const solana = { ...owner, wallet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp5eykt4UsFv8P' };
    expect(await refusal(b.process().request(b.asked(4), solana, ORIGINS))).toMatchObject({ field: 'network' });
    for (const [verdict, expected] of [
      ['invalid', { field: 'signature' }],
      ['unavailable', { lacking: 'signature' }],
    ] as const) {
      const process = b.process();
      Object.assign(process, { options: { ...process['options'], signatures: { judge: () => ({ verdict }) } } });
      expect(await refusal(process.request(b.asked(4), owner, ORIGINS))).toMatchObject(expected);
    }
    expect(await b.balance(owner)).toBe(10 * USD);
  });
});
