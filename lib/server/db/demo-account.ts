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
 * @returns the key.
 */
export async function provideDemoAccount(db: Database, secret: string): Promise<string> {
  const key = `tpk_demo_${createHmac('sha256', secret).update('turnpike demo key').digest('base64url')}`;
  const isKnown = async () => (await db.selectFrom('api_keys').select('id').where('hash', '=', hashApiKey(key)).executeTakeFirst()) !== undefined;
  if (await isKnown()) return key;
  try {
    await createDemoAccount(db, key);
  } catch (error) {
    // Another gateway on this database, started at the same time, was quicker: the key's hash is unique.
    if (!(await isKnown())) throw error;
  }
  return key;
}

async function createDemoAccount(db: Database, key: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const accountId = await createAccount(transaction, { label: DEMO_LABEL, tier: 'paid' });
    await grantWithin(transaction, { accountId, pot: 'bundled', amountNanoUsd: DEMO_CREDIT_NANO_USD, detail: DEMO_CREDIT_DETAIL });
    const unlimited = { expiresAt: null, limitPeriod: 'LIFETIME', limitUsdNano: null, limitDiemNano: null } as const;
    await insertApiKey(transaction, key, { accountId, type: 'INFERENCE', description: 'Sandbox demo key', ...unlimited });
  });
}
