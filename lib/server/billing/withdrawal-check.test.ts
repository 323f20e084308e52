import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { failWithdrawal, recordWithdrawal, type Withdrawal } from '../db/withdrawals';
import { creditPayment, recordPayment } from '../db/payments';

const ROUTE = { network: 'eip155:8453', asset: '0xtoken' };
const WALLET = `0x${'ab'.repeat(20)}`;

describeStores('the check of withdrawals', (open) => {
  /** Withdraws 4 of the 10 that a wallet has prepaid. @returns the store, and the withdrawal's id */
  async function withdrawn(): Promise<{ books: MeteredStore; recorded: Withdrawal }> {
    const books = await open();
    const { db } = books.store;
    const { id: payment } = await recordPayment(db, {
      ...ROUTE,
      identity: 'one',
      payer: WALLET,
      pay_to: '0x',
      amount_units: '10',
      amount: 10,
      content: '{}',
      from_height: 0,
      expires_at: null,
      expires_height: null,
      client: null,
      call: null,
    });
    await creditPayment(db, payment, { transaction_id: '0x', amount_units: '10', amount: 10 });
    const { account_id } = await db.selectFrom('wallets').select('account_id').executeTakeFirstOrThrow();
    const recorded = await recordWithdrawal(
      db,
      {
        ...ROUTE,
        identity: 'one',
        account_id,
        wallet: WALLET,
        amount: 4,
        fee: 1,
        payout_units: '3',
        statement: '{}',
        content: '{}',
        from_height: 0,
        expires_at: 0,
      },
      100,
    );
    return { books, recorded };
  }

  it('finds no fault in an open one, or in one that was credited back', async () => {
    const { books, recorded } = await withdrawn();
    expect(await books.faults()).toEqual([]);
    await failWithdrawal(books.store.db, recorded, 'expired');
    await failWithdrawal(books.store.db, recorded, 'expired');
    expect(await books.faults()).toEqual([]);
    const { x402 } = await books.store.db.selectFrom('meters').select('x402').executeTakeFirstOrThrow();
    expect(x402).toBe(10);
  });

  it.each([
    ["state = 'failed'", /failed: its amount is 4 nano-USD, but 1 ledger rows sum to -4/],
    ['amount = 5', /debited: its amount is 5 nano-USD, but 1 ledger rows sum to -4/],
    ['fee = 4', /debited: its amount is 4 nano-USD/],
    ["id = 'wd_other'", /WITHDRAWAL of the withdrawal wd_\w+, which does not exist/],
  ])('names one whose %s was changed', async (change, fault) => {
    const { books } = await withdrawn();
    await sql.raw(`update withdrawals set ${change}`).execute(books.store.db);
    expect((await books.faults()).join('\n')).toMatch(fault);
  });

  it('names one that is credited back though it was sent', async () => {
    const { books, recorded } = await withdrawn();
    await failWithdrawal(books.store.db, recorded, 'expired');
    await books.store.db.updateTable('withdrawals').set({ state: 'sent' }).execute();
    expect(await books.faults()).toEqual([
      `withdrawal ${recorded.id}, sent: its amount is 4 nano-USD, but 2 ledger rows sum to 0`,
    ]);
  });
});
