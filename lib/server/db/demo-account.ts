import { createHmac } from 'node:crypto';
import { createAccount } from './accounts';
import { hashApiKey, insertApiKey } from './api-keys';
import { grantWithin } from './grants';
import type { Database } from './schema';

/** By both of these the account is known again, whatever secret its key was made from. */
export const DEMO_LABEL = 'Sandbox demo';
export const DEMO_CREDIT_DETAIL = 'sandbox demo credit';
const DEMO_CREDIT_NANO_USD = 1_000_000_000_000;

/**
 * The demo account of a sandbox: made once, with 1,000 USD of bundled credits, and a key that is derived from the
 * installation's secret, so that it can be shown again although only its hash is stored.
 * @param previous the secret before it: the account of its key gets another key, and keeps the one that it has.
 * @returns the key.
 */
export async function provideDemoAccount(db: Database, secret: string, previous?: string): Promise<string> {
  const key = demoKeyOf(secret);
  if ((await holderOf(db, key)) !== null) return key;
  try {
    await db.transaction().execute(async (transaction) => {
      const accountId =
        (previous === undefined ? null : await holderOf(transaction, demoKeyOf(previous))) ??
        (await createDemoAccount(transaction));
      const unlimited = { expiresAt: null, limitPeriod: 'LIFETIME', limitUsdNano: null, limitDiemNano: null } as const;
      await insertApiKey(transaction, key, {
        accountId,
        type: 'INFERENCE',
        description: 'Sandbox demo key',
        ...unlimited,
      });
    });
  } catch (error) {
    // Another gateway on this database, started at the same time, was quicker: the key's hash is unique.
    if ((await holderOf(db, key)) === null) throw error;
  }
  return key;
}

function demoKeyOf(secret: string): string {
  return `tpk_demo_${createHmac('sha256', secret).update('turnpike demo key').digest('base64url')}`;
}

async function holderOf(db: Database, key: string): Promise<number | null> {
  return (
    (await db.selectFrom('api_keys').select('account_id').where('hash', '=', hashApiKey(key)).executeTakeFirst())
      ?.account_id ?? null
  );
}

async function createDemoAccount(db: Database): Promise<number> {
  const accountId = await createAccount(db, { label: DEMO_LABEL, tier: 'paid' });
  await grantWithin(db, { accountId, pot: 'bundled', amountNanoUsd: DEMO_CREDIT_NANO_USD, detail: DEMO_CREDIT_DETAIL });
  return accountId;
}
