import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { expectNoPanning } from './pages/narrow';
import { standInForRelay } from './wallets/relay';

test.describe('where the operator has a project of WalletConnect', () => {
  // This gateway has no WalletConnect project, so its policy allows no relay. The test's own relay needs the bypass.
  test.use({ bypassCSP: true, viewport: { width: 390, height: 844 } });

  test('a wallet on a phone is reached by a code to scan or a link to copy, and given up for another', async ({
    page,
    wallets,
  }) => {
    const called = await standInForRelay(page);
    await page.goto('/');
    await wallets.openDialog();
    await wallets.ethereum.getByRole('button', { name: /^A wallet on your phone/ }).click();
    const phone = wallets.ethereum.getByRole('region', { name: 'A wallet on your phone' });
    await expect(phone.getByRole('img', { name: 'Code to scan with your wallet app' })).toBeVisible();
    expect(called).toContain('irn_subscribe');
    await expectAccessibleInBothThemes(page);
    await expectNoPanning(page);
    await phone.getByRole('button', { name: 'Copy the link' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^wc:[0-9a-f]{64}@2\?/);
    await phone.getByRole('button', { name: 'Use another wallet' }).click();
    await expect(wallets.ethereum.getByRole('button', { name: /^A wallet on your phone/ })).toBeVisible();
    // The link is not stored.
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('symKey');
  });
});
