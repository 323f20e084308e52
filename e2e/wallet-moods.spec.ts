import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';
import { EvmWallet } from './wallets/evm-wallet';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

test('without any wallet a live gateway says where to get one and what goes without, and never speaks of the sandbox', async ({
  page,
  wallets,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), profile: 'live' } });
  });
  await page.setViewportSize(PHONE);
  await page.goto('/keys');
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await wallets.openDialog();
    await expect(wallets.dialog).toContainText('No Ethereum or Solana wallet was found in this browser.');
    await expect(wallets.ethereum.getByRole('link', { name: /^MetaMask/ })).toHaveAttribute('rel', /noopener/);
    await expect(wallets.solana.getByRole('link', { name: /^Phantom/ })).toBeVisible();
    await expect(wallets.dialog).not.toContainText(/sandbox|demo|test money/i);
    await expect(wallets.ethereum.getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
    await wallets.close();
  }
  expect(asked.filter((path) => path.startsWith('/api/sandbox'))).toEqual([]);
});

test('a wallet that does not answer is not waited for without an end', async ({ page, wallets, baseURL }) => {
  const wallet = new EvmWallet(baseURL!);
  await wallet.announce(page);
  await page.setViewportSize(PHONE);
  await page.goto('/');
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    wallet.mood.silent.add('eth_gasPrice');
    await wallets.openDialog();
    await wallets.ethereum.getByRole('button', { name: /^Test Wallet/ }).click();
    await expect(wallets.ethereum).toContainText('The wallet has not answered yet.');
    await wallets.ethereum.getByRole('button', { name: 'Stop waiting' }).click();
    wallet.mood.silent.clear();
    await wallets.connect('ethereum', 'Test Wallet');
    await wallets.ethereum.getByRole('button', { name: 'Disconnect' }).click();
    await wallets.close();
  }
});

test('an account that changes between the review and the signature signs nothing', async ({
  page,
  wallets,
  topUp,
  baseURL,
}) => {
  const wallet = new EvmWallet(baseURL!);
  await wallet.announce(page);
  await page.setViewportSize(PHONE);
  await topUp.reviewFunded(wallets, '5');
  const sign = topUp.pay.getByRole('button', { name: /^Sign with/ });
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await expect(topUp.pay).toContainText('Pay 5.00 USDC to this gateway on Turnpike Sandbox');
    await expect(sign).toBeEnabled();
    await wallet.switchAccount(page, new EvmWallet(baseURL!));
    await expect(topUp.pay).toContainText('Your wallet is on another account than the one this was prepared for.');
    await expect(sign).toBeDisabled();
    await expectAccessible(page);
    await wallet.switchAccount(page, wallet);
  }
  expect(wallet.mood.asked).not.toContain('eth_signTypedData_v4');
});

test('the demo wallet says what is signed: a sign-in with its end', async ({ page, shell, wallets }) => {
  await page.goto('/');
  await wallets.openDialog();
  await wallets.connect('ethereum', 'Demo wallet');
  await wallets.ethereum.getByRole('button', { name: 'Sign in to pay with this wallet' }).click();
  const sheet = page.getByRole('dialog', { name: 'Sign in to this gateway' });
  await expect(sheet).toContainText('Lets calls be paid from what this wallet has prepaid here.');
  await expect(sheet).toContainText(/Until/);
  await expectAccessible(page);
  await wallets.answer('Sign');
  await expect(wallets.dialog).toBeHidden();
  await expect(shell.payer).toHaveAccessibleName(/^Pays: Wallet 0x/);
});
