import { walletKey } from '@/lib/protocol/wallet-address';
import { createAccount } from './accounts';
import type { Database } from './schema';

/** Returns a wallet's account; null if none. Accepts every form of address that `walletKey` accepts. */
export async function findWalletAccount(db: Database, address: string): Promise<number | null> {
  const row = await db
    .selectFrom('wallets')
    .select('account_id')
    .where('address', '=', keyOf(address))
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** Returns an account's wallet; null if it has none. */
export async function walletOfAccount(db: Database, accountId: number): Promise<string | null> {
  const row = await db.selectFrom('wallets').select('address').where('account_id', '=', accountId).executeTakeFirst();
  return row?.address ?? null;
}

/**
 * Returns a wallet's account, and creates it if the wallet has none. Concurrent calls get the same account. Runs in the
 * caller's transaction, if there is one.
 * @throws RangeError for an address that is neither an EVM nor a Solana address
 */
export function ensureWalletAccount(db: Database, address: string, now = Date.now()): Promise<number> {
  const key = keyOf(address);
  return db.isTransaction
    ? ensureWithin(db, key, now)
    : db.transaction().execute((transaction) => ensureWithin(transaction, key, now));
}

async function ensureWithin(db: Database, key: string, now: number): Promise<number> {
  const known = await findWalletAccount(db, key);
  if (known !== null) return known;
  const accountId = await createAccount(db, { label: key, tier: 'standard' }, now);
  const wallet = await db
    .insertInto('wallets')
    .values({ address: key, account_id: accountId, created_at: now })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (wallet) return accountId;
  // A concurrent transaction created the wallet's account first, so the account made here is deleted.
  await db.deleteFrom('meters').where('account_id', '=', accountId).execute();
  await db.deleteFrom('accounts').where('id', '=', accountId).execute();
  return (await findWalletAccount(db, key)) as number;
}

function keyOf(address: string): string {
  const wallet = walletKey(address);
  if (!wallet) throw new RangeError('This is not an EVM or Solana wallet address.');
  return wallet.key;
}
