import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { loadConfig } from '../config/load';
import { creditPayment, failPayment, findPayment, recordPayment } from '../db/payments';
import { openStore } from '../db/open';
import { openSqlite } from '../db/sqlite/open';
import type { Database } from '../db/schema';
import { checkLedger } from '../billing/ledger-check';
import { describeOperators, type Operator, operatorOf } from '@/test/operator';
import { refillSums } from '@/test/refill-sums';

const WALLET = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const SPELT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const PROMPT = 'a-lighthouse-in-fog';
const USD = 1_000_000_000;
const IDENTITY = `eip155:8453/0x70ce/${WALLET}/0x01`;

const payment = (identity: string) => ({
  identity,
  network: 'eip155:8453',
  asset: '0x70ce',
  payer: WALLET,
  pay_to: '0x5e1f',
  amount_units: '5000000',
  amount: 5 * USD,
  content: JSON.stringify({ authorization: { from: WALLET }, signature: '0x516' }),
  from_height: 1,
  expires_at: null,
  expires_height: null,
  client: '203.0.113.7',
  call: null,
});

async function withStore<T>({ env, folder }: Operator, work: (db: Database) => Promise<T>): Promise<T> {
  const store = await openStore(loadConfig(env, folder));
  try {
    return await work(store.db);
  } finally {
    await store.close();
  }
}

/** Creates a wallet's account that has a payment, a named key, a stored answer and a video. */
async function customer(operator: Operator, { spent = true } = {}): Promise<number> {
  return withStore(operator, async (db) => {
    const { id } = await recordPayment(db, payment(IDENTITY));
    await creditPayment(db, id, {
      transaction_id: `0xfeed${WALLET.slice(2)}`,
      amount_units: '5000000',
      amount: 5 * USD,
    });
    const { account_id: accountId } = await db
      .selectFrom('wallets')
      .select('account_id')
      .where('address', '=', WALLET)
      .executeTakeFirstOrThrow();
    await operator.json(`keys create --account ${accountId} --description ${WALLET}`);
    await db
      .updateTable('api_keys')
      .set({ webhook_url: `https://example.org/${WALLET}`, alert_at: USD })
      .where('account_id', '=', accountId)
      .execute();
    await db
      .insertInto('idempotency_records')
      .values({
        account_id: accountId,
        key: `of-${WALLET}`,
        fingerprint: 'f',
        body: Buffer.from(`answer to ${WALLET}`),
        created_at: Date.now(),
      })
      .execute();
    const video = {
      id: 'video_1',
      account_id: accountId,
      model: 'm',
      upstream: 'u',
      content: JSON.stringify({ prompt: PROMPT, by: WALLET }),
      price: 0,
      request_id: 'req_1',
      state: 'COMPLETED' as const,
      media_key: 'media_1',
      media_bytes: 5,
      next_look_at: 0,
      created_at: Date.now(),
      ended_at: Date.now(),
    };
    await db.insertInto('video_requests').values(video).execute();
    if (spent) {
      await db
        .insertInto('ledger')
        .values({
          account_id: accountId,
          pot: 'x402',
          kind: 'CHARGE',
          amount: -5 * USD,
          balance_after: 0,
          api_key_id: null,
          resource: 'rpc/base-mainnet',
          detail: 'eth_call',
          units: 20,
          request_id: 'req_2',
          created_at: Date.now(),
        })
        .execute();
      await refillSums(db);
      await db.updateTable('meters').set({ x402: 0 }).where('account_id', '=', accountId).execute();
    }
    return accountId;
  });
}

async function allOf(db: Database): Promise<string> {
  const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView).map(({ name }) => name);
  const rows = await Promise.all(
    tables.map(async (name) => (await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)).rows),
  );
  return JSON.stringify(rows, (_name, value: unknown) =>
    value instanceof Uint8Array
      ? Buffer.from(value).toString('latin1')
      : value && typeof value === 'object' && (value as { type?: string }).type === 'Buffer'
        ? Buffer.from((value as { data: number[] }).data).toString('latin1')
        : value,
  );
}

describeOperators('an account whose owner asks', (open) => {
  it('is given with all that is kept of it, under any spelling of its wallet, without secrets', async () => {
    const operator = await open();
    const id = await customer(operator);
    const given = (await operator.json(`account export ${SPELT}`)) as Record<string, unknown[]>;
    expect(given).toMatchObject({
      account: { id, label: WALLET },
      wallets: [{ address: WALLET }],
      keys: [{ description: WALLET, webhook_url: `https://example.org/${WALLET}` }],
      payments: [{ payer: WALLET, state: 'credited', amount: 5 * USD }],
      videos: [{ id: 'video_1', content: expect.stringContaining(PROMPT) }],
      keptAnswers: [{ key: `of-${WALLET}`, bytes: `answer to ${WALLET}`.length }],
      ledger: [
        { kind: 'TOP_UP', amount: 5 * USD },
        { kind: 'CHARGE', detail: 'eth_call' },
      ],
    });
    const text = JSON.stringify(given);
    expect(text).not.toMatch(/"hash"|0x516|signature/);
    expect(await operator.json(`account export ${id}`)).toMatchObject({ account: { id } });
    const { code } = await operator.run(`account export ${id} --file ${join(operator.folder, 'given.json')}`);
    expect([code, statSync(join(operator.folder, 'given.json')).mode & 0o777]).toEqual([0, 0o600]);
    expect(JSON.parse(readFileSync(join(operator.folder, 'given.json'), 'utf8'))).toMatchObject({ account: { id } });
  });

  it('is erased: nothing of its wallet, its words or its key is in the database, and the books agree', async () => {
    const operator = await open();
    const id = await customer(operator);
    const { apiKey } = (await operator.json(`keys create --account ${id}`)) as { apiKey: string };
    expect(await withStore(operator, allOf)).toContain(WALLET);
    expect(await operator.json(`account erase ${SPELT} --yes`)).toEqual({
      id,
      erased: true,
      forfeitedUsd: '0.000000000',
      forfeitedPayments: 0,
    });
    await withStore(operator, async (db) => {
      const all = await allOf(db);
      for (const word of [WALLET, SPELT, WALLET.slice(2), PROMPT, '203.0.113.7', apiKey.slice(-6)])
        expect(all.toLowerCase()).not.toContain(word.toLowerCase());
      expect((await checkLedger(db)).faults).toEqual([]);
      expect(await db.selectFrom('ledger').select(['account_id', 'kind', 'amount']).orderBy('id').execute()).toEqual([
        { account_id: id, kind: 'TOP_UP', amount: 5 * USD },
        { account_id: id, kind: 'CHARGE', amount: -5 * USD },
      ]);
      expect(await db.selectFrom('video_requests').select(['state', 'media_key']).execute()).toEqual([
        { state: 'DELETED', media_key: 'media_1' },
      ]);
    });
    if (!operator.env.DATABASE_URL) {
      const bytes = readdirSync(operator.dataDir)
        .filter((name) => name.startsWith('turnpike.db'))
        .map((name) => readFileSync(join(operator.dataDir, name), 'latin1'))
        .join('');
      for (const word of [WALLET, PROMPT]) expect(bytes).not.toContain(word);
    }
    expect((await operator.run(`account erase ${SPELT} --yes`)).code).toBe(2);
  });

  it('is known again by its payments, which are credited to nobody a second time', async () => {
    const operator = await open();
    await customer(operator);
    await operator.json(`account erase ${WALLET} --yes`);
    await withStore(operator, async (db) => {
      expect(await findPayment(db, IDENTITY)).toMatchObject({ state: 'credited', payer: 'erased', content: '{}' });
      const again = await recordPayment(db, payment(IDENTITY));
      expect(again.state).toBe('credited');
      await creditPayment(db, again.id, { transaction_id: '0x1', amount_units: '5000000', amount: 5 * USD });
      expect(await db.selectFrom('ledger').select('id').where('kind', '=', 'TOP_UP').execute()).toHaveLength(1);
      expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(1);
    });
  });

  it('is not erased while it has money, or a payment that is not decided, unless both are given up: then the books say so', async () => {
    const operator = await open();
    const id = await customer(operator, { spent: false });
    const refused = await operator.run(`account erase ${id} --yes`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/still has money: 5000000000 nano-USD.*--forfeit/),
    ]);
    await withStore(operator, (db) => recordPayment(db, payment(IDENTITY.replace('0x01', '0x02'))));
    expect(await operator.json(`account erase ${id} --yes --forfeit`)).toEqual({
      id,
      erased: true,
      forfeitedUsd: '5.000000000',
      forfeitedPayments: 1,
    });
    await withStore(operator, async (db) => {
      expect((await checkLedger(db)).faults).toEqual([]);
      expect(
        await db
          .selectFrom('ledger')
          .select(['kind', 'amount', 'balance_after', 'resource'])
          .orderBy('id', 'desc')
          .limit(1)
          .execute(),
      ).toEqual([{ kind: 'EXPIRY', amount: -5 * USD, balance_after: 0, resource: 'forfeit' }]);
      expect(await db.selectFrom('payments').select('state').orderBy('state').execute()).toEqual([
        { state: 'credited' },
        { state: 'failed' },
      ]);
      expect(await allOf(db)).not.toContain(WALLET);
    });
  });

  it('with a payment that is not decided alone is not erased either, and one that failed is no reason', async () => {
    const operator = await open();
    const id = await customer(operator);
    const open_ = await withStore(operator, (db) => recordPayment(db, payment(IDENTITY.replace('0x01', '0x02'))));
    expect((await operator.run(`account erase ${id} --yes`)).stderr).toMatch(/has 1 pending payments/);
    await withStore(operator, (db) => failPayment(db, open_.id, 'expired'));
    expect((await operator.run(`account erase ${id} --yes`)).code).toBe(0);
  });

  it('is not erased without a yes, and a mistaken one is refused', async () => {
    const operator = await open();
    const id = await customer(operator);
    for (const [line, sentence] of [
      [`account erase ${id}`, /confirm with --yes/],
      ['account erase 999 --yes', /There is no such account/],
      ['account erase 0x12 --yes', /must be a number, or an address/],
      ['account erase --yes', /Name the account by its number/],
      ['account export 999', /There is no such account/],
    ] as const) {
      const { code, stderr } = await operator.run(line);
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toMatch(sentence);
    }
    expect(await withStore(operator, allOf)).toContain(WALLET);
  });
});

it('on SQLite, money of an account is given up with the gateway stopped: what it holds for calls is in its memory', async () => {
  const operator = operatorOf({});
  const id = await customer(operator, { spent: false });
  const gateway = await openSqlite(operator.dataDir, { exclusive: true });
  const refused = await operator.run(`account erase ${id} --yes --forfeit`);
  await gateway.close();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is running on the data folder/)]);
});
