import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { EvmWallet } from './wallets/evm-wallet';

const WITHDRAWALS = '**/api/v1/x402/withdrawals';

test('a wallet gets back what it prepaid, sees what arrives before it signs, and a lost answer changes nothing', async ({
  page,
  wallets,
  topUp,
  baseURL,
}) => {
  test.slow();
  const wallet = new EvmWallet(baseURL!);
  await wallet.announce(page);
  await topUp.reviewFunded(wallets, '10');
  await topUp.sign();
  await expect(topUp.receipt).toContainText('$10.00');
  await topUp.history.getByRole('button', { name: 'Sign in' }).click();
  await expect(topUp.withdraw).toContainText('10.00 USDC can be withdrawn');

  await topUp.openWithdraw();
  await topUp.withdraw.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(topUp.withdraw).toContainText('Enter an amount.');
  await topUp.withdraw.getByRole('button', { name: 'Max' }).click();
  await expect(topUp.withdraw.getByLabel('Amount to withdraw in USDC')).toHaveValue('10.00');
  await topUp.withdraw.getByLabel('Amount to withdraw in USDC').fill('11');
  await topUp.withdraw.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(topUp.withdraw).toContainText('At most 10.00 USDC can be withdrawn now.');
  await topUp.withdraw.getByLabel('Amount to withdraw in USDC').fill('4');
  await expect(topUp.withdraw).toContainText('Arrives 3.95 USDC');
  await topUp.withdraw.getByRole('button', { name: 'Review withdrawal' }).click();
  for (const [name, value] of [
    ['From the balance', '4.00 USDC'],
    ['Network fee', '0.05 USDC'],
    ['Arrives', '3.95 USDC'],
    ['To this wallet', wallet.address],
  ] as const)
    await expect(topUp.fact(name)).toContainText(value);
  await expectAccessibleInBothThemes(page);
  wallet.mood.refuses.add('eth_signTypedData_v4');
  await topUp.withdraw.getByRole('button', { name: /^Sign withdrawal with/ }).click();
  await expect(topUp.withdraw).toContainText('You declined in the wallet.');
  wallet.mood.refuses.clear();

  let isLost = true;
  await page.route(WITHDRAWALS, async (route) => {
    if (!isLost || route.request().method() !== 'POST') return route.continue();
    // The gateway receives the withdrawal and debits it, but its answer is lost. The page may already be closed.
    await route.fetch().catch(() => undefined);
    await route.abort().catch(() => undefined);
  });
  await topUp.withdraw.getByRole('button', { name: 'Try again' }).click();
  await expect(topUp.withdraw).toContainText('sends the same withdrawal again');
  isLost = false;
  await page.reload();
  const line = topUp.withdraw.getByRole('listitem', { name: 'Withdrawal of $4.00' });
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(`Arrives: $3.95 at ${wallet.address.slice(0, 6).toLowerCase()}`);
  await expect(line.getByRole('link', { name: 'Look it up on the RPC page' })).toBeVisible();
  await expect(line.locator('[aria-current]')).toHaveCount(0);
  await expect(topUp.withdraw).toContainText('6.00 USDC can be withdrawn');
  await expect(topUp.movements('-$4.00')).toHaveCount(1);
  expect(await page.evaluate(() => localStorage.getItem('turnpike.withdrawals'))).toBe('[]');
});

test('the demo wallet withdraws on Solana, and says in words what it signs', async ({ page, wallets, topUp }) => {
  test.slow();
  await topUp.open();
  await wallets.openDialog();
  await wallets.connect('solana', 'Demo wallet');
  await wallets.fund();
  await wallets.close();
  await topUp.choose('Solana', '5');
  await topUp.review();
  await topUp.sign();
  await wallets.answer('Sign');
  await expect(topUp.receipt).toContainText('$5.00');
  await topUp.history.getByRole('button', { name: 'Sign in' }).click();
  await wallets.answer('Sign');
  await topUp.withdrawAmount('5');
  const sheet = page.getByRole('dialog', { name: 'Withdraw 5.00 USDC to this wallet' });
  await expect(sheet).toContainText('pays it to this wallet, minus the fee');
  await expect(sheet.locator('dl > div').filter({ hasText: 'Fee' })).toContainText('0.05 USDC');
  await wallets.answer('Sign');
  const line = topUp.withdraw.getByRole('listitem', { name: 'Withdrawal of $5.00' });
  await expect(line).toContainText('Submitted');
  // Finality takes about 13 seconds on Solana and on its stand-in.
  await expect(line.locator('[aria-current]')).toHaveCount(0, { timeout: 90_000 });
  await expect(line.getByRole('link', { name: 'Look it up on the RPC page' })).toHaveAttribute(
    'href',
    /method=getTransaction/,
  );
  await expect(topUp.withdraw).toContainText('Nothing can be withdrawn now.');
  await expect(topUp.movements('-$5.00')).toHaveCount(1);
});
