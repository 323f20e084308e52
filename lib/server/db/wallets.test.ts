import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { ensureWalletAccount, findWalletAccount, walletOfAccount } from './wallets';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

describeStores('the account of a wallet', (open) => {
  describe('is made on first need', () => {
    it('and is one for every case of an address, with empty pots', async () => {
      const { db } = (await open()).store;
      expect(await findWalletAccount(db, EVM)).toBeNull();
      const account = await ensureWalletAccount(db, EVM);
      for (const form of [EVM, EVM.toLowerCase()]) expect(await ensureWalletAccount(db, form)).toBe(account);
      expect(await findWalletAccount(db, EVM)).toBe(account);
      expect(await walletOfAccount(db, account)).toBe(EVM.toLowerCase());
      expect(await db.selectFrom('meters').select(['diem', 'usd', 'x402']).execute()).toEqual([
        { diem: 0, usd: 0, x402: 0 },
      ]);
    });

    it('and Solana wallets keep theirs as it is', async () => {
      const { db } = (await open()).store;
      const account = await ensureWalletAccount(db, SOLANA);
      expect(await walletOfAccount(db, account)).toBe(SOLANA);
      expect(await ensureWalletAccount(db, EVM)).not.toBe(account);
    });

    it('by many at once, on Postgres over several connections, is one account, and leaves nothing of the others', async () => {
      const books = await open();
      const { db } = books.store;
      // On SQLite, two connections of one process would block each other, so all calls use the same one.
      const others = books.countsUncommitted ? [db, db, db] : [db, await books.connect(), await books.connect()];
      const accounts = await Promise.all(
        Array.from({ length: 12 }, (_none, index) => ensureWalletAccount(others[index % 3] as typeof db, EVM)),
      );
      expect(new Set(accounts).size).toBe(1);
      expect(await db.selectFrom('accounts').select('id').execute()).toEqual([{ id: accounts[0] }]);
      expect(await db.selectFrom('meters').select('account_id').execute()).toHaveLength(1);
    });

    it('within a transaction is undone with it', async () => {
      const { db } = (await open()).store;
      const failing = db.transaction().execute(async (transaction) => {
        await ensureWalletAccount(transaction, EVM);
        throw new Error('undone');
      });
      await expect(failing).rejects.toThrow('undone');
      expect(await findWalletAccount(db, EVM)).toBeNull();
      expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([]);
    });

    it.each(['', 'nobody', '0x12', `${EVM}00`])('never for %j', async (address) => {
      const { db } = (await open()).store;
      expect(() => ensureWalletAccount(db, address)).toThrow(RangeError);
      await expect(findWalletAccount(db, address)).rejects.toThrow(RangeError);
    });
  });

  describe('is found by the meter', () => {
    it('with the next turn after it was made, by another process too, and not before', async () => {
      const books = await open();
      const other = await books.connect();
      const key = EVM.toLowerCase();
      expect(await books.meter.findWallet(key)).toBeNull();
      const account = await ensureWalletAccount(other, EVM);
      await new Promise(setImmediate);
      expect(await books.meter.findWallet(key)).toBe(account);
      expect(await books.meter.findWallet(key, { willReserve: true })).toBe(account);
    });
  });
});
