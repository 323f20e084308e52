import { expect, it, onTestFinished } from 'vitest';
import { forgetExpired } from '../billing/forget-expired';
import { forgottenUntil } from '../billing/rules/idempotency';
import { findPaymentByIdentifier } from '../db/payment-identifiers';
import type { Database } from '../db/schema';
import { createLog } from '../telemetry/log';
import { describeStores } from '@/test/describe-stores';
import { ScriptedRail } from '@/test/scripted-rail';
import { Payments } from './payments';
import { RailList } from './rail-list';

const ID = 'order-0000000000001';
const DAY_MS = 86_400_000;
const CALL = { purpose: { call: 'hash of a call', minimumNanoUsd: 0 } };

const creditedIn = async (db: Database): Promise<number> => {
  const rows = await db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
};

describeStores('a payment identifier', (open) => {
  const till = async () => {
    const { db } = (await open()).store;
    const rail = new ScriptedRail();
    const clock = { now: Date.now() };
    const payments = new Payments(new RailList([rail], 5, 10), {
      db,
      log: createLog('silent'),
      exclusive: true,
      now: () => clock.now,
      resumeIntervalMs: 3_600_000,
      answerWithinMs: 2_000,
      closeWithinMs: 20,
    });
    onTestFinished(() => payments.close());
    return { db, rail, clock, payments };
  };

  it('is of one payment: another one with the same terms gets the outcome of the first, and is not taken', async () => {
    const { db, rail, payments } = await till();
    const first = await payments.receive(rail.header({ nonce: 'a', id: ID }));
    const second = await payments.receive(rail.header({ nonce: 'b', id: ID }));
    expect([second.id, second.state]).toEqual([first.id, 'credited']);
    expect([rail.executions, await creditedIn(db)]).toEqual([1, 5_000_000_000]);
  });

  it('is of one payment also while several come at once', async () => {
    const { db, rail, payments } = await till();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => payments.receive(rail.header({ nonce: `n${index}`, id: ID }))),
    );
    expect(new Set(answers.map(({ id, state }) => `${id} ${state}`)).size).toBe(1);
    expect([rail.executions, await creditedIn(db)]).toEqual([1, 5_000_000_000]);
  });

  it('is of one payment also for a wallet whose signature only a node can check, which is asked first', async () => {
    const { rail, payments } = await till();
    rail.isProven = () => false;
    let verified = 0;
    rail.beforeVerify = () => verified++;
    const first = await payments.receive(rail.header({ nonce: 'a', id: ID }));
    const second = await payments.receive(rail.header({ nonce: 'b', id: ID }));
    expect([second.id, verified, rail.executions]).toEqual([first.id, 2, 1]);
  });

  it('with another amount or another purpose is refused, and the second payment is not taken', async () => {
    const { rail, payments } = await till();
    await payments.receive(rail.header({ nonce: 'a', id: ID }), CALL);
    const others = [
      payments.receive(rail.header({ nonce: 'b', units: 6_000_000n, id: ID }), CALL),
      payments.receive(rail.header({ nonce: 'c', id: ID }), { purpose: { call: 'another', minimumNanoUsd: 0 } }),
      payments.receive(rail.header({ nonce: 'd', id: ID })),
    ];
    await Promise.all(others.map((other) => expect(other).rejects.toMatchObject({ name: 'IdentifierReused' })));
    expect(rail.executions).toBe(1);
  });

  it('is of the same terms after the operator has written the addresses in other case', async () => {
    const { rail, payments } = await till();
    const first = await payments.receive(rail.header({ nonce: 'a', id: ID }), CALL);
    const { asset, payTo } = rail.terms;
    Object.assign(rail.terms, { asset: asset.replace('token', 'TOKEN'), payTo: payTo.replace('receiver', 'RECEIVER') });
    const second = await payments.receive(rail.header({ nonce: 'b', id: ID }), CALL);
    expect([second.id, rail.executions]).toEqual([first.id, 1]);
  });

  it('is the payer’s own: another payer uses the same one', async () => {
    const { rail, payments } = await till();
    await payments.receive(rail.header({ nonce: 'a', id: ID }));
    const other = '0x00000000000000000000000000000000000000bb';
    expect(await payments.receive(rail.header({ nonce: 'b', payer: other, id: ID }))).toMatchObject({
      state: 'credited',
      payer: other,
    });
    expect(rail.executions).toBe(2);
  });

  it('of a payment that failed can be given to another one, with any terms', async () => {
    const { rail, payments } = await till();
    rail.settling = async () => 'no';
    rail.isOver = true;
    expect(await payments.receive(rail.header({ nonce: 'a', id: ID }))).toMatchObject({ state: 'failed' });
    rail.settling = null;
    rail.isOver = false;
    expect(await payments.receive(rail.header({ nonce: 'b', units: 7_000_000n, id: ID }))).toMatchObject({
      state: 'credited',
      amount: 7_000_000_000,
      identifier: ID,
    });
  });

  it('is kept for 24 hours, as answers are, and forgotten afterwards', async () => {
    const { db, rail, clock, payments } = await till();
    const start = clock.now;
    const first = await payments.receive(rail.header({ nonce: 'a', id: ID }));
    clock.now = start + DAY_MS - 1;
    expect((await payments.receive(rail.header({ nonce: 'b', id: ID }))).id).toBe(first.id);
    clock.now = start + DAY_MS;
    expect((await payments.receive(rail.header({ nonce: 'c', id: ID }))).id).not.toBe(first.id);
    clock.now = start + 2 * DAY_MS;
    await forgetExpired(db, clock.now);
    const sought = { payer: rail.payer, identifier: ID };
    expect(await findPaymentByIdentifier(db, sought, 0)).toBeUndefined();
    expect(forgottenUntil(clock.now)).toBe(start + DAY_MS);
    expect(rail.executions).toBe(2);
  });
});
