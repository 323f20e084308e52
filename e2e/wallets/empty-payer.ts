import { expect, type Page } from '@playwright/test';
import type { Wallets } from '../pages/wallets';
import { EvmWallet } from './evm-wallet';

/** Opens a page with a wallet that has test money and a sign-in, but no prepaid balance. */
export async function openWithEmptyPayer(
  page: Page,
  wallets: Wallets,
  baseUrl: string,
  path = '/rpc',
): Promise<EvmWallet> {
  const wallet = new EvmWallet(baseUrl);
  await wallet.announce(page);
  await page.goto(path);
  await wallets.openDialog();
  await wallets.connect('ethereum', 'Test Wallet');
  await wallets.fund();
  await wallets.ethereum.getByRole('button', { name: 'Sign in to pay with this wallet' }).click();
  await expect(wallets.dialog).toBeHidden();
  return wallet;
}
