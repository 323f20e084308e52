import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { refillSums } from '@/test/refill-sums';
import type { Database, LedgerKind } from '../db/schema';
import { dailyTotals, operatorFigures } from './operator-figures';
import { noteLedgerCheck } from './ledger-check';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 12);
const TODAY = NOW - (NOW % DAY_MS);

let requests = 0;

async function row(
  db: Database,
  accountId: number,
  kind: LedgerKind,
  amount: number,
  createdAt: number,
): Promise<void> {
  await db
    .insertInto('ledger')
    .values({
      account_id: accountId,
      pot: 'usd',
      kind,
      amount,
      balance_after: 0,
      api_key_id: null,
      resource: 'rpc/ethereum-mainnet',
      detail: '',
      units: 20,
      request_id: `figures-${requests++}`,
      created_at: createdAt,
    })
    .execute();
  await refillSums(db);
}

async function payment(
  db: Database,
  state: 'submitted' | 'credited',
  amount: number,
  createdAt: number,
): Promise<void> {
  const id = `pay_${requests++}`;
  const text = {
    network: 'eip155:8453',
    asset: '0x',
    payer: '0x',
    pay_to: '0x',
    amount_units: '1',
    content: '{}',
    transaction_id: null,
    error: null,
    waits_for: null,
    client: null,
    call: null,
    lease_owner: null,
  };
  const unset = {
    from_height: 0,
    expires_at: null,
    expires_height: null,
    searched_to: null,
    account_id: null,
    balance_after: null,
    submitted_at: null,
    tried_at: null,
    settled_at: null,
    credited_at: null,
  };
  await db
    .insertInto('payments')
    .values({ ...text, ...unset, id, identity: id, state, amount, next_look_at: 0, created_at: createdAt })
    .execute();
}

describeStores('what the books say to an operator', (open) => {
  async function books(): Promise<{ store: MeteredStore; db: Database; accounts: number[] }> {
    const store = await open();
    return { store, db: store.store.db, accounts: [await store.account(), await store.account()] };
  }

  describe('charges and income by day', () => {
    it('are sums over all accounts of charges, top-ups and withdrawals that did not fail, by day of UTC, also of days without any', async () => {
      const { db, accounts } = await books();
      const [one, other] = accounts as [number, number];
      await row(db, one, 'CHARGE', -5, TODAY);
      await row(db, other, 'CHARGE', -7, NOW);
      await row(db, one, 'CHARGE', -100, TODAY - 1);
      await row(db, other, 'TOP_UP', 1_000, TODAY - 1);
      await row(db, other, 'GRANT', 50, NOW);
      await row(db, one, 'WITHDRAWAL', -300, TODAY - 1);
      await row(db, other, 'WITHDRAWAL', -200, TODAY - 1);
      await row(db, other, 'REVERSAL', 200, NOW);
      await row(db, one, 'CHARGE', -9_999, TODAY - 2 * DAY_MS - 1);
      await row(db, one, 'CHARGE', -9_999, TODAY + DAY_MS);
      expect(await dailyTotals(db, { days: 3, now: NOW })).toEqual([
        { day: '2026-11-22', charges: 0, chargedNanoUsd: 0, paidInNanoUsd: 0, withdrawnNanoUsd: 0, traffic: null },
        {
          day: '2026-11-23',
          charges: 1,
          chargedNanoUsd: 100,
          paidInNanoUsd: 1_000,
          withdrawnNanoUsd: 500,
          traffic: null,
        },
        { day: '2026-11-24', charges: 2, chargedNanoUsd: 12, paidInNanoUsd: 0, withdrawnNanoUsd: -200, traffic: null },
      ]);
    });
  });

  it('are accounts, keys that work and that do not, open payments by state, and the last check of the books', async () => {
    const { store, db, accounts } = await books();
    const [one] = accounts as [number];
    await store.key(one);
    await store.key(one, { expiresAt: NOW + 1 });
    await store.key(one, { expiresAt: NOW });
    const revoked = await store.key(one);
    await db.updateTable('api_keys').set({ revoked_at: NOW }).where('id', '=', revoked.id).execute();
    await payment(db, 'submitted', 30, NOW - 5_000);
    await payment(db, 'submitted', 12, NOW - 9_000);
    await payment(db, 'credited', 1_000, NOW - 99_000);
    await noteLedgerCheck(db, { at: NOW, faults: 1 });
    expect(await operatorFigures(db, { days: 1, now: NOW })).toMatchObject({
      accounts: 2,
      keys: { live: 2, ended: 2 },
      openPayments: [{ state: 'submitted', payments: 2, nanoUsd: 42, oldestAt: NOW - 9_000 }],
      ledgerCheck: { at: NOW, faults: 1 },
    });
  });

  it('are empty for an empty store', async () => {
    const { store } = await open();
    expect(await operatorFigures(store.db, { days: 1, now: NOW })).toEqual({
      accounts: 0,
      keys: { live: 0, ended: 0 },
      days: [
        { day: '2026-11-24', charges: 0, chargedNanoUsd: 0, paidInNanoUsd: 0, withdrawnNanoUsd: 0, traffic: null },
      ],
      openPayments: [],
      ledgerCheck: null,
    });
  });
});
