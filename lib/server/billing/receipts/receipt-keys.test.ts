import { expect, it } from 'vitest';
import { receiptKeysSchema } from '@/lib/protocol/receipts/receipt';
import { isSignedBy, readCompactJws } from '@/lib/protocol/receipts/compact-jws';
import { Secret } from '@/lib/server/config/secret';
import { describeStores } from '@/test/describe-stores';
import { ReceiptKeys } from './receipt-keys';

const [OLD, NEW] = [new Secret('o'.repeat(32)), new Secret('n'.repeat(32))];

describeStores('keys of receipts', (open) => {
  it('are the same for all gateways with one secret, and sign what the listed key verifies', async () => {
    const { db } = (await open()).store;
    const [one, two] = [await ReceiptKeys.open(db, OLD), await ReceiptKeys.open(db, OLD)];
    expect(two.keys).toEqual(one.keys);
    const text = one.sign({ b: 1, a: '€' });
    expect(two.sign({ a: '€', b: 1 })).toBe(text);
    const jws = readCompactJws(text);
    if (typeof jws === 'string') throw new Error(jws);
    expect(jws).toMatchObject({ kid: one.current.kid, payload: { a: '€', b: 1 } });
    expect(isSignedBy(jws, one.current)).toBe(true);
  });

  it('of an earlier secret stay listed after the current one', async () => {
    const { db } = (await open()).store;
    const before = await ReceiptKeys.open(db, OLD);
    const after = await ReceiptKeys.open(db, NEW);
    expect(after.keys).toEqual([after.current, before.current]);
    expect(after.current.kid).not.toBe(before.current.kid);
  });

  it('are at most as many as readers accept, the current one first', async () => {
    const { db } = (await open()).store;
    const [old] = (await ReceiptKeys.open(db, OLD)).keys;
    const rows = Array.from({ length: 100 }, (_none, at) => {
      const kid = `${at}`.padStart(43, '0');
      return { name: `receipt-key:${kid}`, value: JSON.stringify({ ...old, kid }) };
    });
    await db.insertInto('installation').values(rows).execute();
    const { current, keys } = await ReceiptKeys.open(db, NEW);
    expect(receiptKeysSchema.parse({ keys }).keys[0]).toEqual(current);
  });

  it('never store a private key', async () => {
    const { db } = (await open()).store;
    await ReceiptKeys.open(db, OLD);
    const facts = await db.selectFrom('installation').select('value').where('name', 'like', 'receipt-key:%').execute();
    expect(facts.map(({ value }) => Object.keys(JSON.parse(value) as object).sort())).toEqual([
      ['crv', 'kid', 'kty', 'x'],
    ]);
  });
});
