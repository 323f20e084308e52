import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { EvmWallet } from './wallets/evm-wallet';

/** Tests what happens if the user leaves a payment before signing, while the wallet asks, or afterwards. */

test('a payment that was left while the wallet was asked is never sent, however late the wallet signs it', async ({
  page,
  wallets,
  topUp,
  baseURL,
}) => {
  test.slow();
  const wallet = new EvmWallet(baseURL!);
  await wallet.announce(page);
  await topUp.reviewFunded(wallets, '10');
  let sign = () => {};
  wallet.mood.until = new Promise((resolve) => (sign = resolve));
  await topUp.sign();
  await topUp.pay.getByRole('button', { name: 'Stop waiting' }).click();
  await topUp.choose('Turnpike Sandbox', '5');
  sign();
  await expect.poll(() => wallet.mood.asked).toContain('eth_signTypedData_v4');
  await topUp.review();
  await topUp.sign();
  await expect(topUp.receipt).toContainText('$5.00');
  await expect(topUp.fact('New balance')).toHaveText('$5.00');
  await expect(topUp.payment).toHaveCount(1);
});

for (const [name, size, colorScheme] of [
  ['a phone, dark', { width: 390, height: 844 }, 'dark'],
  ['a desk, light', { width: 1440, height: 900 }, 'light'],
] as const) {
  test.describe(name, () => {
    test.use({ viewport: size, colorScheme });

    test('Back leads from the review to the form with what was typed, and out of the page from there', async ({
      page,
      wallets,
      topUp,
    }) => {
      await page.goto('/usage');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.getByRole('link', { name: 'Top up', exact: true }).filter({ visible: true }).click();
      await expect(topUp.pay).toBeVisible();
      await wallets.connectFunded('ethereum', 'Demo wallet');
      await topUp.choose('Turnpike Sandbox', '7');
      await topUp.review();
      await page.goBack();
      await expect(topUp.pay.getByLabel('Another amount')).toHaveValue('7');
      // Leaving through the page's own link also abandons the payment.
      await topUp.review();
      await topUp.pay.getByRole('button', { name: 'Change' }).click();
      await expect(topUp.pay.getByLabel('Another amount')).toHaveValue('7');
      await topUp.review();
      await topUp.sign();
      await wallets.answer('Sign');
      await expect(topUp.receipt).toContainText('$7.00');
      await page.goBack();
      await expect(page).toHaveURL(/\/usage$/);
    });

    test('a payment that ends while another page is shown, or while its page is left, is said there, once', async ({
      page,
      wallets,
      topUp,
    }) => {
      const rpcPage = page.getByRole('link', { name: 'RPC', exact: true }).filter({ visible: true });
      const said = page.getByRole('region', { name: 'Your payment' });
      await topUp.open();
      await wallets.connectFunded('ethereum', 'Demo wallet');
      await test.step('while another page is shown', async () => {
        await topUp.choose('Turnpike Sandbox', '7');
        await topUp.review();
        const settle = await topUp.keepPending('Waiting.');
        await topUp.sign();
        await wallets.answer('Sign');
        await expect(topUp.payment).toContainText('There is nothing for you to do.');
        await rpcPage.click();
        settle();
        await expect(said).toContainText('7.00 USDC credited');
        await expect(said).toContainText('is $7.00.');
        await expectAccessibleInBothThemes(page);
        await said.getByRole('link', { name: 'See the receipt' }).click();
        await expect(topUp.receipt).toContainText('$7.00');
        await expect(said).toBeHidden();
        await rpcPage.click();
        await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
        await expect(said).toBeHidden();
      });
      await test.step('in the moment in which its page is left', async () => {
        await page.emulateMedia({ colorScheme });
        await page.getByRole('link', { name: 'Top up', exact: true }).filter({ visible: true }).click();
        await topUp.choose('Turnpike Sandbox', '8');
        await topUp.review();
        await topUp.sign();
        const leaving = page.evaluate(
          () =>
            new Promise<void>((resolve) => {
              const observer = new MutationObserver(() => {
                const link = [...document.querySelectorAll<HTMLAnchorElement>('nav a[href="/rpc"]')].find((each) =>
                  each.checkVisibility(),
                );
                if (document.querySelector('[role=status][aria-label=Receipt]') === null || link === undefined) return;
                observer.disconnect();
                link.click();
                resolve();
              });
              observer.observe(document.body, { childList: true, subtree: true });
            }),
        );
        await wallets.answer('Sign');
        await leaving;
        await expect(said).toContainText('8.00 USDC credited');
      });
    });
  });
}
