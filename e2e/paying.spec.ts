import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';
import { Shell } from './pages/shell';
import { EvmWallet } from './wallets/evm-wallet';

for (const { name, viewport } of [
  { name: 'on a phone', viewport: { width: 390, height: 844 } },
  { name: 'on a desktop', viewport: { width: 1440, height: 900 } },
]) {
  test.describe(name, () => {
    test.use({ viewport });

    test('a wallet that is disconnected or changes its account never changes by itself who pays, in any tab', async ({
      page,
      wallets,
      shell,
      context,
      baseURL,
    }) => {
      const wallet = new EvmWallet(baseURL!);
      const second = new EvmWallet(baseURL!);
      await wallet.announce(page);
      await page.goto('/');
      const signIn = wallets.ethereum.getByRole('button', { name: 'Sign in to pay with this wallet' });
      await test.step('disconnecting the wallet that pays ends it: nobody pays until somebody is chosen', async () => {
        await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
        await wallets.openDialog();
        await wallets.connect('ethereum', 'Test Wallet');
        await wallets.close();
        await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
        await wallets.openDialog();
        await signIn.click();
        await expect(wallets.ethereum).toContainText('pays for calls');
        await wallets.ethereum.getByRole('button', { name: 'Disconnect' }).click();
        await wallets.close();
        await expect(shell.payer).toHaveAccessibleName('Choose a payment method');
        await page.reload();
        await expect(shell.payer).toHaveAccessibleName('Choose a payment method');
        await page
          .getByRole('region', { name: 'Balance' })
          .getByRole('button', { name: 'Choose a payment method' })
          .click();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Pay with it: the demo key' }).click();
        await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
      });
      await test.step('an account that changes is asked about, in every tab', async () => {
        await wallets.openDialog();
        await wallets.connect('ethereum', 'Test Wallet');
        await signIn.click();
        await expect(wallets.dialog).toBeHidden();
        await wallet.switchAccount(page, second);
        const question = page.getByRole('dialog', { name: 'Which account pays?' });
        await expect(question).toContainText('Your wallet has switched to');
        await expectAccessible(page);
        await question.getByRole('button', { name: /^Stay with/ }).click();
        await expect(question).toBeHidden();
        await expect(shell.payer).toHaveAccessibleName(new RegExp(`^Pays: Wallet ${wallet.address.slice(0, 6)}`));

        const third = new EvmWallet(baseURL!);
        await wallet.switchAccount(page, third);
        await question.getByRole('button', { name: /^Pay with/ }).click();
        await expect(shell.payer).toHaveAccessibleName(new RegExp(`^Pays: Wallet ${third.address.slice(0, 6)}`));
        await shell.payer.click();
        const panel = page.getByRole('dialog', { name: 'Payment method' });
        await expect(panel).toContainText('from top-ups');
        await expect(panel).not.toContainText('Bundled credits');
        const other = await context.newPage();
        await other.goto('/');
        await expect(new Shell(other).payer).toHaveAccessibleName(
          new RegExp(`^Pays: Wallet ${third.address.slice(0, 6)}`),
        );
      });
    });
  });
}

test('each question of a private conversation is paid by who pays when it is asked', async ({
  page,
  chat,
  failure,
  shell,
}) => {
  const presented: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/chat/completions'))
      presented.push(request.headers().authorization ?? 'none');
  });
  await chat.open();
  await chat.ask('What does one call cost?');
  await shell.useRefusedKey('tpk_this-key-was-never-made');
  await chat.begin('And a batch?');
  await expect(failure.card).toContainText('This gateway does not recognize the key.');
  await failure.card.getByRole('button', { name: 'Pay with another key' }).click();
  await failure.card.getByRole('button', { name: 'Pay with the demo key' }).click();
  await failure.isGone();
  await chat.settled();
  await expect(chat.turns).toHaveCount(2);
  const [first, second, third] = presented;
  expect(second).toBe('Bearer tpk_this-key-was-never-made');
  expect(third).toBe(first);
});
