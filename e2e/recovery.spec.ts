import { expect, test } from './console-test';
import { openWithEmptyPayer } from './wallets/empty-payer';
import { EvmWallet } from './wallets/evm-wallet';

const PHONE = { width: 390, height: 844 };
const WIDTHS = [
  { name: 'on a phone', viewport: PHONE },
  { name: 'on a desktop', viewport: { width: 1440, height: 900 } },
];

for (const { name, viewport } of WIDTHS) {
  test.describe(name, () => {
    test.use({ viewport });

    test('from an empty balance back to the question, which goes on by itself', async ({
      page,
      wallets,
      chat,
      failure,
      shell,
      baseURL,
    }) => {
      await openWithEmptyPayer(page, wallets, baseURL!);
      await page.getByRole('link', { name: 'Chat', exact: true }).first().click();
      await expect(page).toHaveURL(/\/chat$/);
      await chat.begin('What does one call cost?');
      await expect(failure.card).toContainText('The wallet’s balance is 0.00 USD, too low for this call.');
      await expect(failure.card).toContainText(/can cost up to 0\.\d{2,} USD/);
      await expect(failure.card).not.toContainText('Bearer');
      await failure.payIn('5');
      await expect(chat.turns).toHaveCount(1);
      await failure.isGone();
      await chat.settled();
      await expect(chat.answers.last()).toContainText(/\w{3,}/);
      await expect(shell.payer).toHaveAccessibleName(/\$4\.99/);
      expect(chat.sentBodies).toHaveLength(2);
    });

    test('a key that nobody knows is exchanged for another in its card, and the call goes on by itself', async ({
      page,
      rpc,
      failure,
      shell,
    }) => {
      await rpc.open('?network=sandbox-testnet&method=eth_chainId');
      await shell.useRefusedKey('tpk_this-key-was-never-made');
      await rpc.send();
      await expect(failure.card).toContainText('This gateway does not recognize the key.');
      await failure.card.getByRole('button', { name: 'Pay with another key' }).click();
      await failure.card.getByRole('button', { name: 'Pay with the demo key' }).click();
      await expect(rpc.answer).toContainText('0x7a69');
      await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    });

    test('nobody who pays becomes a wallet that does, asked for in the card; a top-up on its own page leads back to the call', async ({
      page,
      wallets,
      rpc,
      topUp,
      failure,
      shell,
      baseURL,
    }) => {
      const wallet = new EvmWallet(baseURL!);
      await wallet.announce(page);
      await rpc.open('?network=sandbox-testnet&method=eth_chainId');
      await wallets.connectFunded('ethereum', 'Test Wallet');
      await shell.useRefusedKey('tpk_this-key-was-never-made');
      await rpc.send();
      await failure.payWith('Test Wallet');
      await expect(failure.card).toContainText('The wallet’s balance is 0.00 USD');
      await page.getByRole('link', { name: 'Top up' }).first().click();
      await topUp.choose('Turnpike Sandbox', '5');
      await topUp.review();
      await topUp.sign();
      await page.getByRole('button', { name: 'Go back to your call' }).click();
      await expect(rpc.answer).toContainText('0x7a69');
      await failure.isGone();
    });
  });
}

test('the list of wallets that a card opened closes when one of them pays, and the call goes on by itself', async ({
  wallets,
  rpc,
  failure,
  shell,
  baseURL,
  page,
}) => {
  await new EvmWallet(baseURL!).announce(page);
  await rpc.open('?network=sandbox-testnet&method=eth_chainId');
  await shell.useRefusedKey('tpk_this-key-was-never-made');
  await rpc.send();
  await failure.card.getByRole('button', { name: 'Pay with a wallet' }).click();
  await wallets.connect('ethereum', 'Test Wallet');
  await wallets.ethereum.getByRole('button', { name: 'Sign in to pay with this wallet' }).click();
  await expect(wallets.dialog).toBeHidden();
  await expect(failure.card).toContainText('The wallet’s balance is 0.00 USD');
});
