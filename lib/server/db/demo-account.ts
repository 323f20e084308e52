import { createHmac } from 'node:crypto';
import { createAccount } from './accounts';
import { hashApiKey, insertApiKey } from './api-keys';
import { grantWithin } from './credits';
import type { Database } from './schema';

export const DEMO_LABEL = 'Sandbox demo';
export const DEMO_CREDIT_DETAIL = 'sandbox demo credit';
const DEMO_CREDIT_NANO_USD = 1_000_000_000_000;

/**
 * Creates the sandbox's demo account once, with 1,000 USD of bundled credits. Its API key derives from the
 * installation's secret, so the gateway can show it again although it stores only a hash.
 * @param previous the previous secret. If the demo key derived from it exists, the new key is added to that key's
 * account
 * @returns key
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
    // If the key exists now, another gateway that is starting has inserted it.
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
