import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { grantWithin } from '@/lib/server/db/credits';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { ensureWalletAccount } from '@/lib/server/db/wallets';

const PREPAID_NANO_USD = 1_000_000_000_000;
const LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * Creates prepaid staff wallets in the SQLite store of a stopped gateway.
 * @returns the sign-in header of each wallet
 */
export async function createWallets(
  count: number,
  { dataDir, port }: { dataDir: string; port: number },
): Promise<string[]> {
  const accounts = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()));
  const store = await openSqlite(dataDir, { exclusive: false });
  try {
    await store.db.transaction().execute(async (db) => {
      for (const { address } of accounts) {
        const accountId = await ensureWalletAccount(db, address);
        await grantWithin(db, { accountId, pot: 'x402', amountNanoUsd: PREPAID_NANO_USD, detail: 'bench' });
        await db.updateTable('accounts').set({ tier: 'staff' }).where('id', '=', accountId).execute();
      }
    });
  } finally {
    await store.close();
  }
  return Promise.all(
    accounts.map(async (account) => {
      const unsigned = buildSignIn({
        address: account.address,
        uri: `http://localhost:${port}`,
        lifetimeMs: LIFETIME_MS,
      });
      return unsigned.header(await account.signMessage({ message: unsigned.text }));
    }),
  );
}
