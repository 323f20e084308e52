import { expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { eraseAccount } from './erase-account';
import { exportAccount } from './exported-account';
import { addEnclaveProof, findReceipt, forgetReceipts, insertReceipt } from './receipts';
import type { Database } from './schema';

const MANY = 1_000;

function insert(db: Database, accountId: number, requestId: string, at = 1, max = MANY): Promise<boolean> {
  const row = { account_id: accountId, at, request_id: requestId, payment_id: null, completion_id: null, facts: '{}' };
  return insertReceipt(db, row, max);
}

describeStores('stored receipts', (open) => {
  it('are found by their account alone', async () => {
    const books = await open();
    const { db } = books.store;
    const [owner, other] = [await books.account(), await books.account()];
    await insert(db, owner, 'a');
    expect(await findReceipt(db, owner, 'a')).toMatchObject({ request_id: 'a', facts: '{}', enclave: null });
    expect(await findReceipt(db, other, 'a')).toBeUndefined();
  });

  it('keep the first proof of an enclave', async () => {
    const books = await open();
    const { db } = books.store;
    const owner = await books.account();
    await insert(db, owner, 'a');
    const { id = 0 } = (await findReceipt(db, owner, 'a')) ?? {};
    await addEnclaveProof(db, id, '1');
    await addEnclaveProof(db, id, '2');
    expect((await findReceipt(db, owner, 'a'))?.enclave).toBe('1');
  });

  it('are at most so many of an account, the newest, and go with their age', async () => {
    const books = await open();
    const { db } = books.store;
    const [owner, other] = [await books.account(), await books.account()];
    await insert(db, other, 'x', 1);
    for (const at of [1, 2, 3, 4]) await insert(db, owner, `r${at}`, at, 3);
    const left = async () =>
      (await db.selectFrom('receipts').select('request_id').orderBy('id').execute()).map((row) => row.request_id);
    expect(await left()).toEqual(['x', 'r2', 'r3', 'r4']);
    await forgetReceipts(db, 3);
    expect(await left()).toEqual(['r3', 'r4']);
  });

  it('are in the export of their account, and are erased with it', async () => {
    const books = await open();
    const { db } = books.store;
    const owner = await books.account();
    await insert(db, owner, 'a');
    expect((await exportAccount(db, owner))['receipts']).toMatchObject([{ request_id: 'a' }]);
    await eraseAccount(db, owner, { forfeit: true });
    expect(await insert(db, owner, 'b')).toBe(false);
    expect(await db.selectFrom('receipts').selectAll().execute()).toEqual([]);
  });
});
