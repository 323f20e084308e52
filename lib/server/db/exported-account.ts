import type { Database } from './schema';

const PAGE = 5_000;

/**
 * Exports all of an account's data, except key hashes and what wallets signed. With a payment's signature, anyone could
 * submit the payment. For a stored answer, exports only its time, size and idempotency key. Amounts are in nano-USD,
 * times in Unix milliseconds. Fields have the names of their columns.
 */
export async function exportAccount(db: Database, accountId: number): Promise<Record<string, unknown>> {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
  const wallets = await db
    .selectFrom('wallets')
    .select(['address', 'created_at'])
    .where('account_id', '=', accountId)
    .execute();
  const meter = await db
    .selectFrom('meters')
    .select(['diem', 'bundled', 'usd', 'x402', 'diem_epoch'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const keys = (
    await db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
  ).map(({ hash: _hash, ...key }) => key);
  const keyIds = keys.map(({ id }) => id);
  const ofKeys = <Row>(read: () => Promise<Row[]>): Promise<Row[]> =>
    keyIds.length === 0 ? Promise.resolve([]) : read();
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where((row) =>
      row.or([row('account_id', '=', accountId), ...wallets.map(({ address }) => row('payer', '=', address))]),
    )
    .orderBy('created_at')
    .execute();
  return {
    account,
    wallets,
    balances: meter ?? null,
    keys,
    keySpending: await ofKeys(() => db.selectFrom('key_spend').selectAll().where('api_key_id', 'in', keyIds).execute()),
    keyAlerts: await ofKeys(() => db.selectFrom('key_alerts').selectAll().where('api_key_id', 'in', keyIds).execute()),
    chargesByDay: await db
      .selectFrom('charge_days')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('day')
      .execute(),
    allocations: await db
      .selectFrom('allocations')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('epoch')
      .execute(),
    payments: payments.map(({ content: _signature, lease_owner: _owner, lease_until: _lease, ...payment }) => payment),
    withdrawals: (
      await db.selectFrom('withdrawals').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute()
    ).map(
      ({ content: _signature, statement: _statement, lease_owner: _owner, lease_until: _lease, ...withdrawal }) =>
        withdrawal,
    ),
    videos: await db
      .selectFrom('video_requests')
      .select([
        'id',
        'model',
        'content',
        'price',
        'state',
        'media_bytes',
        'error',
        'refunded',
        'request_id',
        'created_at',
        'ended_at',
      ])
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .execute(),
    keptAnswers: await db
      .selectFrom('idempotency_records')
      .select((row) => ['key', 'is_kept', row.fn<number>('length', ['body']).as('bytes'), 'created_at'])
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .execute(),
    requests: await db.selectFrom('requests').selectAll().where('account_id', '=', accountId).orderBy('id').execute(),
    receipts: await db.selectFrom('receipts').selectAll().where('account_id', '=', accountId).orderBy('id').execute(),
    ledger: await ledgerOf(db, accountId),
  };
}

async function ledgerOf(db: Database, accountId: number): Promise<object[]> {
  const rows: { id: number }[] = [];
  for (;;) {
    const page = await db
      .selectFrom('ledger')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '>', rows.at(-1)?.id ?? 0)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of page) rows.push(row);
    if (page.length < PAGE) return rows;
  }
}
