import { expect, it } from 'vitest';
import { describeOperators, type Operator } from '@/test/operator';
import { loadConfig } from '../config/load';
import { openStore } from '../db/open';
import { creditPayment, recordPayment } from '../db/payments';
import { failWithdrawal, recordWithdrawal } from '../db/withdrawals';

const USD = 1_000_000_000;
const WALLET = `0x${'ab'.repeat(20)}`;
const ROUTE = { network: 'eip155:8453', asset: '0x70ce' };

/** Records two withdrawals of a wallet, of 2 and 3 USD. The first one failed. */
async function withdrawn({ env, folder }: Operator): Promise<void> {
  const { db, close } = await openStore(loadConfig(env, folder));
  const { id } = await recordPayment(db, {
    ...ROUTE,
    identity: 'one',
    payer: WALLET,
    pay_to: '0x',
    amount_units: '9',
    amount: 9 * USD,
    content: '{}',
    from_height: 0,
    expires_at: null,
    expires_height: null,
    client: null,
    call: null,
  });
  await creditPayment(db, id, { transaction_id: '0x', amount_units: '9', amount: 9 * USD });
  const { account_id } = await db.selectFrom('wallets').select('account_id').executeTakeFirstOrThrow();
  const recorded = [2, 3].map((usd) => ({
    ...ROUTE,
    identity: `of ${usd}`,
    account_id,
    wallet: WALLET,
    amount: usd * USD,
    fee: USD / 20,
    payout_units: '1',
    statement: '{"signature":"0x516"}',
    content: '{"signature":"0x516"}',
    from_height: 0,
    expires_at: 0,
  }));
  for (const [index, row] of recorded.entries()) {
    const made = await recordWithdrawal(db, row, 100 * USD, Date.now() + index);
    if (index === 0) await failWithdrawal(db, made, 'expired');
  }
  await close();
}

describeOperators('withdrawals', (open) => {
  it('are listed with amount, fee and state, by state and wallet, without signatures', async () => {
    const operator = await open();
    await withdrawn(operator);
    const all = await operator.json('withdrawals list');
    expect(all).toMatchObject([
      { state: 'debited', wallet: WALLET, amountUsd: '3.000000000', feeUsd: '0.050000000', error: null },
      { state: 'failed', wallet: WALLET, amountUsd: '2.000000000', error: 'expired' },
    ]);
    expect(JSON.stringify(all)).not.toContain('0x516');
    expect(await operator.json('withdrawals list --state open')).toMatchObject([{ state: 'debited' }]);
    expect(await operator.json(`withdrawals list --wallet ${WALLET} --limit 1`)).toHaveLength(1);
    expect(await operator.json(`withdrawals list --wallet 0x${'cd'.repeat(20)}`)).toEqual([]);
    expect((await operator.run('withdrawals list')).stdout).toMatch(/debited +3\.000000 +0\.050000/);
    expect(await operator.json('ledger check')).toMatchObject({ faults: [] });
    expect(await operator.json('status --days 1')).toMatchObject({
      books: { days: [{ paidInNanoUsd: 9 * USD, withdrawnNanoUsd: 3 * USD }] },
    });
    expect((await operator.run('status')).stdout).toMatch(/ 9\.000000 +3\.000000\n/);
    for (const wrong of ['--state gone', '--wallet 0x1'])
      expect((await operator.run(`withdrawals list ${wrong}`)).code).toBe(2);
  });
});
