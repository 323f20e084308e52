import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import type { Logger } from 'pino';
import { ContractChecks } from '../auth/contract-checks';
import { checkLedger } from '../billing/ledger-check';
import { findPayment, type Payment } from '../db/payments';
import type { Database } from '../db/schema';
import { createLog } from '../telemetry/log';
import { describeStores } from '@/test/describe-stores';
import { ScriptedRail } from '@/test/scripted-rail';
import type { OpenPaymentsMax } from './open-payments';
import { Payments } from './payments';
import { ChainUnreachable } from './rail';
import { RailList } from './rail-list';

const FIVE_USD = 5_000_000_000;
const LOG = createLog('silent');

interface TillOptions {
  exclusive?: boolean;
  answerWithinMs?: number;
  openMax?: OpenPaymentsMax;
  now?: () => number;
  log?: Logger;
  rails?: readonly ScriptedRail[];
  /** Wallets that have an account, among those whose signature only a node can check. */
  customers?: readonly string[];
}

interface Till {
  rail: ScriptedRail;
  payments: Payments;
  /** Starts another process on the same store, as after a crash. It shares only the store and the chain. */
  restarted(): Promise<Payments>;
}

function openTill(
  db: Database,
  rail = new ScriptedRail(),
  {
    exclusive = true,
    answerWithinMs = 2_000,
    openMax,
    now = Date.now,
    log = LOG,
    rails = [rail],
    customers = [],
  }: TillOptions = {},
): Till {
  const contractChecks = new ContractChecks({
    perMinute: 30,
    hasAccount: (wallet) => Promise.resolve(customers.includes(wallet)),
    now,
  });
  const make = (): Payments => {
    const payments = new Payments(new RailList(rails, 5, 10), {
      db,
      log,
      exclusive,
      now,
      contractChecks,
      resumeIntervalMs: 3_600_000,
      answerWithinMs,
      closeWithinMs: 20,
      ...(openMax ? { openMax } : {}),
    });
    onTestFinished(() => payments.close());
    return payments;
  };
  return {
    rail,
    payments: make(),
    restarted: async () => {
      const payments = make();
      await payments.start();
      for (let round = 0; round < 5; round++) await payments.resume();
      return payments;
    },
  };
}

const balanceOf = async (db: Database, payer: string): Promise<number> => {
  const row = await db
    .selectFrom('wallets')
    .innerJoin('meters', 'meters.account_id', 'wallets.account_id')
    .select('x402')
    .where('address', '=', payer)
    .executeTakeFirst();
  return row?.x402 ?? 0;
};

const creditedIn = async (db: Database): Promise<number> => {
  const rows = await db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
};

/** Presents a payment until it has this state. A busy machine may need several presentations. */
async function until(payments: Payments, header: string, state: Payment['state']): Promise<Payment> {
  let payment = await payments.receive(header);
  for (let round = 0; round < 50 && payment.state !== state; round++) payment = await payments.receive(header);
  return payment;
}

describeStores('Payments', (open) => {
  const till = async (rail?: ScriptedRail, options?: TillOptions) => {
    const { db } = (await open()).store;
    return { db, ...openTill(db, rail, options) };
  };

  describe('a payment that is executed', () => {
    it('is credited to its payer, to the unit, in the pot of prepaid money', async () => {
      const { db, rail, payments } = await till();
      const payment = await payments.receive(rail.header({ nonce: 'a', units: 12_500_001n }));
      expect(payment).toMatchObject({
        state: 'credited',
        amount: 12_500_001_000,
        balance_after: 12_500_001_000,
        payer: rail.payer,
      });
      expect(await balanceOf(db, rail.payer)).toBe(12_500_001_000);
      expect((await checkLedger(db)).faults).toEqual([]);
    });

    it('that is credited otherwise than by its one row of the ledger is a fault of the books', async () => {
      const { db, rail, payments } = await till();
      const { id } = await payments.receive(rail.header({ nonce: 'a' }));
      await db
        .updateTable('payments')
        .set({ amount: FIVE_USD + 1 })
        .where('id', '=', id)
        .execute();
      expect((await checkLedger(db)).faults).toEqual([expect.stringContaining(id)]);
      await db.updateTable('payments').set({ state: 'failed' }).where('id', '=', id).execute();
      expect((await checkLedger(db)).faults).toEqual([expect.stringContaining('is not credited')]);
    });

    it('presented again, one after the other or at once, gets the same answer and is credited once', async () => {
      const { db, rail, payments } = await till();
      const header = rail.header({ nonce: 'a' });
      const at = await Promise.all(Array.from({ length: 8 }, () => payments.receive(header)));
      const later = await payments.receive(header);
      expect(
        new Set([...at, later].map(({ id, state, balance_after }) => `${id} ${state} ${balance_after}`)).size,
      ).toBe(1);
      expect(await creditedIn(db)).toBe(FIVE_USD);
      expect(rail.executions).toBe(1);
    });

    it('presented to several processes at once is credited once', async () => {
      const rail = new ScriptedRail();
      const { db, payments } = await till(rail, { exclusive: false });
      const others = Array.from({ length: 3 }, () => openTill(db, rail, { exclusive: false }).payments);
      const header = rail.header({ nonce: 'a' });
      const answers = await Promise.all([payments, ...others].map((each) => each.receive(header)));
      expect(answers.map(({ state }) => state)).toEqual(Array(4).fill('credited'));
      expect(await creditedIn(db)).toBe(FIVE_USD);
    });

    it('of one wallet in parallel add up', async () => {
      const { db, rail, payments } = await till();
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => payments.receive(rail.header({ nonce: `n${index}` }))),
      );
      expect(await balanceOf(db, rail.payer)).toBe(20 * FIVE_USD);
      expect((await checkLedger(db)).faults).toEqual([]);
    });

    it('is credited with what came in, should the chain say another amount than the payment', async () => {
      const { db, rail, payments } = await till();
      rail.paysInstead = 7_000_000n;
      await payments.receive(rail.header({ nonce: 'a' }));
      expect(await creditedIn(db)).toBe(7_000_000_000);
    });
  });

  describe('a payment that does not verify', () => {
    it('leaves nothing behind', async () => {
      const { db, rail, payments } = await till();
      rail.verdict = new InvalidPayment('signature', 'no');
      await expect(payments.receive(rail.header({ nonce: 'a' }))).rejects.toThrow(InvalidPayment);
      expect(await db.selectFrom('payments').selectAll().execute()).toEqual([]);
      expect(rail.executions).toBe(0);
    });

    it('under the minimum, or beyond what an account can hold, is refused', async () => {
      const { rail, payments } = await till();
      await expect(payments.receive(rail.header({ nonce: 'a', units: 4_999_999n }))).rejects.toMatchObject({
        reason: 'amount_too_small',
      });
      await expect(payments.receive(rail.header({ nonce: 'b', units: 10n ** 20n }))).rejects.toMatchObject({
        reason: 'amount_too_large',
      });
    });

    it('because a third party executed it before is credited all the same', async () => {
      const { db, rail, payments } = await till();
      rail.execute('a', 5_000_000n);
      rail.verdict = new InvalidPayment('nonce_already_used', 'used');
      expect(await payments.receive(rail.header({ nonce: 'a' }))).toMatchObject({ state: 'credited' });
      expect(await creditedIn(db)).toBe(FIVE_USD);
      expect(rail.settles).toBe(0);
    });

    it('because the chain is silent is not recorded, and said to be neither good nor bad', async () => {
      const { db, rail, payments } = await till();
      rail.verdict = new ChainUnreachable('silent');
      await expect(payments.receive(rail.header({ nonce: 'a' }))).rejects.toThrow(ChainUnreachable);
      expect(await db.selectFrom('payments').selectAll().execute()).toEqual([]);
    });
  });

  describe('a payment that was presented before', () => {
    it.each([
      ['another amount', { units: 90_000_000n }],
      ['another signature', { signature: 'other' }],
    ])('with %s is refused, whatever became of the first', async (_, other) => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 200 });
      await payments.receive(rail.header({ nonce: 'a' }));
      await expect(payments.receive(rail.header({ nonce: 'a', ...other }))).rejects.toMatchObject({
        reason: 'authorization_already_used',
      });
      rail.settling = async () => 'no';
      await payments.receive(rail.header({ nonce: 'b' }));
      await expect(payments.receive(rail.header({ nonce: 'b', ...other }))).rejects.toMatchObject({
        reason: 'authorization_already_used',
      });
      expect(await creditedIn(db)).toBe(FIVE_USD);
    });

    it('in two forms at the same moment: one is recorded, the other refused', async () => {
      const { db, rail, payments } = await till();
      const answers = await Promise.allSettled(
        [rail.header({ nonce: 'a' }), rail.header({ nonce: 'a', units: 90_000_000n })].map((header) =>
          payments.receive(header),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await creditedIn(db)).toBe(Number(rail.received) * 1_000);
    });

    it('many times at once is verified once', async () => {
      const { rail, payments } = await till();
      let verified = 0;
      rail.beforeVerify = () => verified++;
      await Promise.all(Array.from({ length: 20 }, () => payments.receive(rail.header({ nonce: 'a' }))));
      expect(verified).toBe(1);
    });

    it('is looked for at a pace, however often it comes', async () => {
      const { rail, payments } = await till(undefined, { answerWithinMs: 100 });
      rail.settling = async () => 'no';
      await payments.receive(rail.header({ nonce: 'a' }));
      const startedMs = performance.now();
      for (let round = 0; round < 10; round++)
        await Promise.all(Array.from({ length: 10 }, () => payments.receive(rail.header({ nonce: 'a' }))));
      // One lookup a second for all presentations, two for a submission, and the payment's own pace.
      expect(rail.looks).toBeLessThanOrEqual(6 + Math.ceil((performance.now() - startedMs) / 500));
    });
  });

  describe('a refused payment', () => {
    it('is not looked for where no execution explains the refusal', async () => {
      const { db, rail, payments } = await till();
      rail.execute('a', 5_000_000n);
      rail.searches = false;
      rail.verdict = new InvalidPayment('signature', 'no');
      await expect(payments.receive(rail.header({ nonce: 'a' }))).rejects.toMatchObject({ reason: 'signature' });
      expect(rail.looks).toBe(0);
      expect(await creditedIn(db)).toBe(0);
    });

    it('over another amount than what came in is not credited', async () => {
      const { db, rail, payments } = await till();
      rail.execute('a', 5_000_000n);
      rail.verdict = new InvalidPayment('nonce_already_used', 'used');
      await expect(payments.receive(rail.header({ nonce: 'a', units: 90_000_000n }))).rejects.toMatchObject({
        reason: 'nonce_already_used',
      });
      expect(await creditedIn(db)).toBe(0);
    });

    it('whose search did not reach its end stays open, is not submitted, and is credited when it is found', async () => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 100 });
      rail.verdict = new InvalidPayment('nonce_already_used', 'used');
      rail.saying = { note: 'Searching.', isSubmittable: false, searchedTo: 1_000 };
      const header = rail.header({ nonce: 'a' });
      expect(await payments.receive(header)).toMatchObject({
        state: 'verified',
        waits_for: 'Searching.',
        searched_to: 1_000,
      });
      rail.execute('a', 5_000_000n);
      expect(await until(payments, header, 'credited')).toMatchObject({ state: 'credited', waits_for: null });
      expect(rail.settles).toBe(0);
      expect(await creditedIn(db)).toBe(FIVE_USD);
    });

    it('while the chain is silent about it is not declared over', async () => {
      const { rail, payments } = await till();
      rail.verdict = new InvalidPayment('nonce_already_used', 'used');
      rail.isSilent = true;
      await expect(payments.receive(rail.header({ nonce: 'a' }))).rejects.toThrow(ChainUnreachable);
    });
  });

  describe('what may be open', () => {
    const crowd = async (openMax: OpenPaymentsMax) => {
      const made = await till(undefined, { answerWithinMs: 50, openMax });
      made.rail.settling = async () => 'busy';
      return made;
    };

    it('of one payer is bounded, also while they come in at once, and there is room again once they ended', async () => {
      const { rail, payments } = await crowd({ perAddress: 100, perPayer: 3, total: 100 });
      const answers = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          payments.receive(rail.header({ nonce: `n${index}` }), { client: `address ${index}` }),
        ),
      );
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      await expect(payments.receive(rail.header({ nonce: 'more' }))).rejects.toMatchObject({
        name: 'TooManyPayments',
        scope: 'payer',
      });
      expect(await payments.receive(rail.header({ nonce: 'other', payer: 'somebody else' }))).toMatchObject({
        state: 'submitted',
      });
      rail.settling = null;
      const again = async (): Promise<string> => {
        await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            payments.receive(rail.header({ nonce: `n${index}` })).catch(() => null),
          ),
        );
        return payments.receive(rail.header({ nonce: 'more' })).then(
          ({ state }) => state,
          () => 'refused',
        );
      };
      await expect.poll(again, { timeout: 20_000 }).toBe('credited');
    });

    it('of one client address is limited, for all payers together', async () => {
      const { rail, payments } = await crowd({ perAddress: 2, perPayer: 100, total: 100 });
      for (const payer of ['a', 'b'])
        await payments.receive(rail.header({ nonce: payer, payer }), { client: '192.0.2.1' });
      await expect(
        payments.receive(rail.header({ nonce: 'c', payer: 'c' }), { client: '192.0.2.1' }),
      ).rejects.toMatchObject({ scope: 'address' });
      expect(await payments.receive(rail.header({ nonce: 'c', payer: 'c' }), { client: '192.0.2.2' })).toMatchObject({
        state: 'submitted',
      });
      // A payment that was presented before is answered, however many are open.
      expect(await payments.receive(rail.header({ nonce: 'a', payer: 'a' }), { client: '192.0.2.1' })).toMatchObject({
        state: 'submitted',
      });
    });

    it('in all is bounded, over a restart too', async () => {
      const { rail, payments, db } = await crowd({ perAddress: 100, perPayer: 100, total: 2 });
      for (const nonce of ['a', 'b']) await payments.receive(rail.header({ nonce }));
      const { payments: later } = openTill(db, rail, {
        answerWithinMs: 50,
        openMax: { perAddress: 100, perPayer: 100, total: 2 },
      });
      await expect(later.receive(rail.header({ nonce: 'c' }))).rejects.toMatchObject({ scope: 'all' });
    });

    it('payments that nobody is known to have signed cannot keep the others out', async () => {
      const { rail, payments } = await crowd({ perAddress: 1_000, perPayer: 2, total: 1_000 });
      rail.beforeVerify = async ({ isProven }) => {
        if (isProven) return;
        await new Promise((resolve) => setTimeout(resolve, 500));
        throw new InvalidPayment('signature', 'no');
      };
      rail.searches = false;
      rail.isProven = (nonce) => nonce === 'honest';
      const forged = Array.from({ length: 200 }, (_, index) =>
        payments.receive(rail.header({ nonce: `forged ${index}` })).catch((error: { name: string }) => error.name),
      );
      expect(await payments.receive(rail.header({ nonce: 'honest' }))).toMatchObject({ state: 'submitted' });
      const answers = await Promise.all(forged);
      expect(answers.filter((name) => name === 'TooManyPayments').length).toBeGreaterThan(150);
    });
  });

  describe('payments whose signature only a node can judge', () => {
    it('leave room for those of another address', async () => {
      const { rail, payments } = await till(undefined, { answerWithinMs: 50 });
      rail.searches = false;
      rail.isProven = () => false;
      rail.settling = async () => 'busy';
      rail.beforeVerify = async ({ content }) => {
        if (content.nonce === 'honest') return;
        await new Promise((resolve) => setTimeout(resolve, 500));
        throw new InvalidPayment('signature', 'no');
      };
      const forged = Array.from({ length: 20 }, (_, index) =>
        payments
          .receive(rail.header({ nonce: `forged ${index}` }), { client: '192.0.2.1' })
          .catch((error: { scope?: string; reason?: string }) => error.scope ?? error.reason),
      );
      expect(await payments.receive(rail.header({ nonce: 'honest' }), { client: '192.0.2.2' })).toMatchObject({
        state: 'submitted',
      });
      const answers = await Promise.all(forged);
      expect(answers.filter((answer) => answer === 'signature')).toHaveLength(4);
      expect(answers.filter((answer) => answer === 'address')).toHaveLength(16);
    });

    it('leave room for a wallet that has an account, however many addresses forgers have', async () => {
      const { rail, payments } = await till(undefined, { answerWithinMs: 50, customers: ['smart wallet'] });
      rail.searches = false;
      rail.isProven = () => false;
      rail.settling = async () => 'busy';
      let judge = (): void => undefined;
      const judged = new Promise<void>((resolve) => (judge = resolve));
      rail.beforeVerify = async ({ content }) => {
        if (content.nonce === 'honest') return;
        await judged;
        throw new InvalidPayment('signature', 'no');
      };
      let refused = 0;
      const forged = Array.from({ length: 60 }, (_, index) =>
        payments
          .receive(rail.header({ nonce: `forged ${index}`, payer: `nobody ${index}` }), {
            client: `198.51.100.${index}`,
          })
          .catch((error: { scope?: string; reason?: string }) => {
            refused += 1;
            return error.scope ?? error.reason;
          }),
      );
      await vi.waitFor(() => expect(refused).toBe(44), 10_000);
      expect(
        await payments.receive(rail.header({ nonce: 'honest', payer: 'smart wallet' }), { client: '192.0.2.2' }),
      ).toMatchObject({ state: 'submitted' });
      judge();
      const answers = await Promise.all(forged);
      expect(answers.filter((answer) => answer === 'signature')).toHaveLength(16);
      expect(answers.filter((answer) => answer === 'all')).toHaveLength(44);
    });
  });

  describe('a payment that cannot be moved by submitting it', () => {
    it('is not submitted again, and is credited when it is executed', async () => {
      const { rail, payments } = await till(undefined, { answerWithinMs: 100 });
      rail.settling = async () => {
        rail.saying = { note: 'The chain reverted it.', isSubmittable: false };
        return 'reverted';
      };
      const header = rail.header({ nonce: 'a' });
      for (let round = 0; round < 20; round++) await payments.receive(header);
      expect(rail.settles).toBe(1);
      rail.execute('a', 5_000_000n);
      expect(await until(payments, header, 'credited')).toMatchObject({ state: 'credited' });
    });
  });

  describe('a facilitator', () => {
    it.each([
      ['that says success without a transaction', async () => null],
      ['that answers an error', async () => 'HTTP 500'],
      ['that never answers in time', () => Promise.reject(new Error('it took too long'))],
    ])('%s: no credit, and the payment stays open', async (_, settle) => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 300 });
      rail.settling = settle;
      expect(await until(payments, rail.header({ nonce: 'a' }), 'submitted')).toMatchObject({ state: 'submitted' });
      expect(await creditedIn(db)).toBe(0);
    });

    it('that says failure although the money moved: it is credited', async () => {
      const { db, rail, payments } = await till();
      rail.settling = async (payment) => {
        rail.executeOf(payment);
        return 'transaction_failed';
      };
      expect(await payments.receive(rail.header({ nonce: 'a' }))).toMatchObject({ state: 'credited' });
      expect(await creditedIn(db)).toBe(FIVE_USD);
    });

    it('that failed at first is asked again, until the payment is executed', async () => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 100 });
      rail.settling = async () => 'busy';
      const header = rail.header({ nonce: 'a' });
      expect(await until(payments, header, 'submitted')).toMatchObject({ state: 'submitted' });
      rail.settling = null;
      expect(await until(payments, header, 'credited')).toMatchObject({ state: 'credited' });
      expect(await creditedIn(db)).toBe(FIVE_USD);
    });
  });

  describe('an outage of the submitting service', () => {
    it('of a minute does not use up the attempts of a payment, however often it is presented meanwhile', async () => {
      const clock = { now: 1_700_000_000_000 };
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 1, now: () => clock.now });
      rail.settling = () => Promise.reject(new Error('connection refused'));
      const header = rail.header({ nonce: 'a' });
      const pass = async (ms: number): Promise<void> => {
        clock.now += ms;
        await db.updateTable('payments').set({ next_look_at: 0 }).execute();
        await payments.resume();
      };
      await payments.receive(header);
      for (let second = 0; second < 60; second++) await pass(1_000);
      expect(rail.settles).toBeLessThanOrEqual(8);
      for (let minute = 0; minute < 20; minute++) await pass(60_000);
      expect(rail.settles).toBeLessThanOrEqual(21);
      rail.settling = null;
      for (let minute = 0; minute < 31; minute++) await pass(60_000);
      expect(await payments.receive(header)).toMatchObject({ state: 'credited' });
    });

    it('does not make lookups rarer when the payment is presented often', async () => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 50 });
      rail.settling = async () => 'busy';
      const { id } = await payments.receive(rail.header({ nonce: 'a' }));
      await db.updateTable('payments').set({ looks: 60 }).execute();
      await payments.advance(id);
      const { next_look_at: nextLookAt } = await db
        .selectFrom('payments')
        .select('next_look_at')
        .executeTakeFirstOrThrow();
      expect(nextLookAt - Date.now()).toBeLessThanOrEqual(8_000);
    });
  });

  describe('open payments of a rail that is configured no more', () => {
    it('are told at the start, take no room, say so to who presents them, and are credited once it is back', async () => {
      const rail = new ScriptedRail();
      const { db, payments } = await till(rail, { answerWithinMs: 50 });
      rail.settling = async () => 'busy';
      const { id } = await payments.receive(rail.header({ nonce: 'a' }));
      const other = new ScriptedRail();
      Object.assign(other.terms, { asset: '0xother' });
      const warned: [object, string][] = [];
      const log = {
        ...LOG,
        warn: (fields: object, text: string) => void warned.push([fields, text]),
        info: () => undefined,
      } as unknown as Logger;
      const { payments: later } = openTill(db, other, {
        answerWithinMs: 50,
        log,
        openMax: { perAddress: 1, perPayer: 1, total: 1 },
      });
      await later.start();
      expect(warned).toEqual([
        [
          { network: 'eip155:1', asset: '0xtoken', payments: 1, amountUsd: '5.000000' },
          expect.stringMatching(/^pending payments were skipped because their rail is no longer configured/),
        ],
      ]);
      other.settling = async () => 'busy';
      other.identity = (nonce) => `eip155:1/0xother/${nonce}`;
      expect(await later.receive(other.header({ nonce: 'b' }))).toMatchObject({ state: 'submitted' });
      await later.advance(id);
      expect(await findPayment(db, rail.identity('a'))).toMatchObject({
        state: 'submitted',
        waits_for: expect.stringContaining('no longer accepts 0xtoken'),
      });
      rail.execute('a', 5_000_000n);
      const { payments: back } = openTill(db, rail, { answerWithinMs: 50 });
      await back.advance(id);
      expect(await findPayment(db, rail.identity('a'))).toMatchObject({ state: 'credited', waits_for: null });
    });
  });

  describe('a payment whose end is sure', () => {
    it('fails when it can no longer be executed, and stays failed', async () => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 100 });
      rail.settling = async () => 'no';
      const header = rail.header({ nonce: 'a' });
      await until(payments, header, 'submitted');
      rail.isOver = true;
      expect(await until(payments, header, 'failed')).toMatchObject({ state: 'failed', error: 'over' });
      rail.settling = null;
      rail.isOver = false;
      expect(await payments.receive(header)).toMatchObject({ state: 'failed' });
      expect(await creditedIn(db)).toBe(0);
    });

    it('is not given up while the chain is silent', async () => {
      const { rail, payments } = await till(undefined, { answerWithinMs: 100 });
      rail.settling = async () => {
        rail.isSilent = true;
        return 'no';
      };
      rail.isOver = true;
      rail.overAfterSettle = true;
      expect(await until(payments, rail.header({ nonce: 'a' }), 'submitted')).toMatchObject({ state: 'submitted' });
    });

    it('that cannot be credited for the balance being full is kept as settled, and credited when there is room', async () => {
      const { db, rail, payments } = await till(undefined, { answerWithinMs: 200 });
      await payments.receive(rail.header({ nonce: 'first' }));
      await db
        .updateTable('meters')
        .set({ x402: Number.MAX_SAFE_INTEGER - 10 })
        .execute();
      const header = rail.header({ nonce: 'second' });
      expect(await until(payments, header, 'settled')).toMatchObject({
        state: 'settled',
        transaction_id: expect.any(String),
      });
      await db.updateTable('meters').set({ x402: FIVE_USD }).execute();
      expect(await until(payments, header, 'credited')).toMatchObject({ state: 'credited' });
      expect(await creditedIn(db)).toBe(2 * FIVE_USD);
    });
  });

  describe('a process that dies', () => {
    const deaths = [
      'before settling',
      'while settling, before the chain',
      'while settling, after the chain',
      'after settling',
    ] as const;

    it.each(deaths)('%s: the next one credits the payment once', async (when) => {
      const rail = new ScriptedRail();
      const { db, payments, restarted } = await till(rail, { answerWithinMs: 300 });
      const forever = new Promise<never>(() => undefined);
      let dead = true;
      const die = <Result>(result: Result): Result | Promise<never> => (dead ? forever : result);
      if (when === 'before settling') rail.beforeLook = () => die(undefined);
      if (when === 'while settling, before the chain')
        rail.settling = () => die(Promise.resolve('died')) as Promise<string | null>;
      if (when === 'while settling, after the chain') {
        rail.settling = (payment) => {
          rail.executeOf(payment);
          return die(Promise.resolve(null)) as Promise<string | null>;
        };
      }
      if (when === 'after settling') rail.beforeLook = () => (rail.settles > 0 ? die(undefined) : undefined);
      const dying = await payments.receive(rail.header({ nonce: 'a' }));
      expect(dying.state).toMatch(/^(verified|submitted)$/);
      dead = false;
      rail.beforeLook = null;
      rail.settling = null;
      await restarted();
      const identity = rail.identity('a');
      let payment: Payment | undefined;
      for (let round = 0; round < 40 && payment?.state !== 'credited'; round++) {
        const again = await restarted();
        await sleep(50);
        payment = await findPayment(db, identity);
        if (payment) await again.advance(payment.id);
        payment = await findPayment(db, identity);
      }
      expect(payment).toMatchObject({ state: 'credited' });
      expect(await creditedIn(db)).toBe(FIVE_USD);
      expect(rail.received).toBe(5_000_000n);
      expect((await checkLedger(db)).faults).toEqual([]);
    });
  });
});
