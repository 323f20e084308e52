import type { Page } from '@playwright/test';
import { formatBalance } from '../lib/browser/text/amounts';
import { expect, test } from './console-test';
import { expectAccessible, expectAccessibleInBothThemes } from './pages/accessibility';
import { focusedName, tabTo } from './pages/focus';
import { EvmWallet } from './wallets/evm-wallet';
import { SolanaWallet } from './wallets/solana-wallet';

const TOP_UP = '**/api/v1/x402/top-up';
const EXPIRED = {
  error: 'X402_INVALID_PAYMENT',
  code: 'X402_INVALID_PAYMENT',
  message: 'The authorisation has expired, or is about to. Sign a new one.',
  details: { reason: 'invalid_exact_evm_payload_authorization_valid_before' },
};

/** Calls once with the current credential. The answer and the top bar show the remaining balance. */
async function spendOnce(page: Page, send: () => Promise<void>, left: string): Promise<void> {
  const answered = page.waitForResponse('**/api/v1/crypto/rpc/**');
  await send();
  expect((await answered).headers()['x-balance-remaining']).toBe(left);
  await expect(page.getByRole('banner').getByRole('button', { name: /^Pays:/ })).toHaveAccessibleName(
    new RegExp(`\\$${formatBalance(Number(left)).slice(1).replace('.', '\\.')}$`),
  );
}

test.describe('with an Ethereum wallet', () => {
  test('what is signed is shown first, the amount is credited, and the RPC page spends it', async ({
    page,
    wallets,
    topUp,
    rpc,
    baseURL,
  }) => {
    test.slow();
    const wallet = new EvmWallet(baseURL!);
    await wallet.announce(page);
    await topUp.open();
    await wallets.openDialog();
    await wallets.connect('ethereum', 'Test Wallet');
    await wallets.close();
    await topUp.choose('Turnpike Sandbox', '12.50');
    await expect(topUp.pay).toContainText('The wallet has no USDC on Turnpike Sandbox.');
    await topUp.pay.getByRole('button', { name: /^Fund/ }).click();
    await expect(topUp.pay.getByRole('button', { name: 'Review 12.50 USDC' })).toBeEnabled();
    await expect(topUp.pay).toContainText(/Leaves [\d,]+\.50 USDC in your wallet\./);

    await topUp.review();
    expect(wallet.mood.asked).not.toContain('eth_signTypedData_v4');
    await expect(topUp.fact('From')).toContainText(wallet.address);
    await expect(topUp.fact('Receiver')).toContainText(/^0x[0-9a-fA-F]{40}/);
    await expect(topUp.fact('Signing domain')).toHaveText('USD Coin, version 2, chain 31337');
    await expect(topUp.fact('Nonce')).toHaveText(/^0x[0-9a-f]{64}$/);
    await topUp.sign();
    await expect(topUp.receipt).toContainText('$12.50');
    expect(
      wallet.mood.asked.filter((method) => method.startsWith('eth_sign') || method.startsWith('eth_send')),
    ).toEqual(['eth_signTypedData_v4']);
    await expect(topUp.receipt.getByRole('link', { name: 'Look it up on the RPC page' })).toHaveAttribute(
      'href',
      /method=eth_getTransactionReceipt/,
    );

    await expect(topUp.payment.getByRole('link', { name: 'Printable receipt' })).toHaveAttribute(
      'href',
      /^\/top-up\?receipt=pay_/,
    );
    await page.getByRole('button', { name: 'Pay with this wallet and go to the RPC page' }).click();
    await expect(page).toHaveURL(/\/rpc/);
    await rpc.chooseNetwork('sandbox-testnet', 'sandbox-testnet');
    await rpc.chooseMethod('eth_chainId');
    await spendOnce(page, () => rpc.send(), '12.499986');

    await page.getByRole('link', { name: 'Top up', exact: true }).filter({ visible: true }).click();
    await expect(topUp.movements('+$12.50')).toHaveCount(1);
    await expect(topUp.movements('-$0.000014')).toHaveCount(1);
    const download = page.waitForEvent('download');
    await topUp.history.getByRole('button', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^turnpike-0x.*\.csv$/);

    // The gateway provides the same receipt if this browser stored nothing of the payment.
    await topUp.movements('+$12.50').getByRole('link', { name: 'Receipt' }).click();
    await expect(topUp.sheet).toContainText(wallet.address);
    const kept = await topUp.sheet.innerText();
    await page.evaluate(() => localStorage.removeItem('turnpike.receipts'));
    await page.reload();
    await expect(topUp.sheet).toContainText('12.50 USDC');
    expect((await topUp.sheet.innerText()).replace(/\d\d:\d\d:\d\d/, '')).toBe(kept.replace(/\d\d:\d\d:\d\d/, ''));
    await expectAccessibleInBothThemes(page);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
    await expect(topUp.sheet).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Back to Top up' }).click();
    await topUp.movements('-$0.000014').getByRole('link', { name: 'Charge' }).click();
    await expect(page.getByRole('region', { name: 'Charges', exact: true })).toContainText('eth_chainId');
  });

  test('a payment whose answer was lost is taken up after a reload, and credited once', async ({
    page,
    wallets,
    topUp,
    baseURL,
  }) => {
    test.slow();
    const wallet = new EvmWallet(baseURL!);
    await wallet.announce(page);
    await topUp.reviewFunded(wallets, '5');
    let sent = 0;
    await page.route(TOP_UP, async (route) => {
      sent += 1;
      // The gateway receives the payment and settles it, but its answer is lost.
      if (sent === 1) await route.fetch();
      await route.abort();
    });
    await topUp.sign();
    await expect(topUp.payment).toContainText('does not answer');
    await expect(topUp.payment).toContainText('credited once, however often it is sent');
    await expect(topUp.pay).toHaveCount(0);
    await page.reload();
    await expect(topUp.payment).toContainText('taken up again');
    await page.unroute(TOP_UP);
    await page.reload();
    await expect(topUp.receipt).toContainText('$5.00');
    await expect(topUp.fact('New balance')).toHaveText('$5.00');
    expect(wallet.mood.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    expect(await page.evaluate(() => localStorage.getItem('turnpike.payments'))).toBe('[]');
    await topUp.history.getByRole('button', { name: 'Sign in' }).click();
    await expect(topUp.movements('+$5.00')).toHaveCount(1);
  });

  test('another chain, a refusal, too little, and what the gateway does not accept each have a sentence and an action; waiting has none', async ({
    page,
    wallets,
    topUp,
    baseURL,
  }) => {
    test.slow();
    const wallet = new EvmWallet(baseURL!);
    wallet.mood.chainId = 1;
    await wallet.announce(page);
    await topUp.open();
    await test.step('a wallet on another chain is told so, and brought over', async () => {
      await wallets.openDialog();
      await wallets.connect('ethereum', 'Test Wallet');
      await wallets.close();
      await topUp.choose('Turnpike Sandbox', '5');
      await topUp.pay.getByRole('button', { name: 'Switch to Turnpike Sandbox' }).click();
      await expect(topUp.pay.getByText('Your wallet is on another chain')).toHaveCount(0);
      await topUp.choose(/^Base/, '5');
      await expect(topUp.pay).toContainText('would sign for the real Base');
    });
    await test.step('refusing, too little, and what the gateway does not accept', async () => {
      await wallets.openDialog();
      await wallets.fund();
      await wallets.close();
      await topUp.choose('Turnpike Sandbox', '4.99');
      await topUp.pay.getByRole('button', { name: 'Review' }).click();
      await expect(topUp.pay).toContainText('The minimum is 5.00 USDC.');
      await topUp.choose('Turnpike Sandbox', '5');
      wallet.mood.refuses.add('eth_signTypedData_v4');
      await topUp.review();
      await topUp.sign();
      await expect(topUp.pay).toContainText('You declined in the wallet.');
      await expect(topUp.payment).toHaveCount(0);
      wallet.mood.refuses.clear();
      await page.route(TOP_UP, (route) => route.fulfill({ status: 400, json: EXPIRED }));
      await topUp.sign();
      await expect(topUp.payment).toContainText('The authorisation has expired');
      await expect(topUp.payment).toContainText('before it expires');
      await page.unroute(TOP_UP);
      await topUp.payment.getByRole('button', { name: 'Pay again' }).click();
      await expect(topUp.payment).toHaveCount(0);
      await expect(topUp.pay).toBeVisible();
    });
    await test.step('a payment that waits for its chain says so once, and that there is nothing to do', async () => {
      const waitingFor =
        'The payment is executed in block 12345678. Waiting until Base has finalized that block, which can take 15 minutes.';
      await topUp.choose('Turnpike Sandbox', '5');
      await topUp.review();
      const settle = await topUp.keepPending(waitingFor);
      await topUp.sign();
      await expect(topUp.payment.getByText(waitingFor)).toHaveCount(1);
      await expect(topUp.payment).toContainText('There is nothing for you to do.');
      await expect(topUp.payment).not.toContainText('It can be executed for another');
      settle();
      await expect(topUp.receipt).toContainText('$5.00');
    });
  });

  test('live, a wallet is brought to whichever chain is paid on', async ({ page, wallets, topUp, baseURL }) => {
    await page.route('**/api/settings', async (route) => {
      const response = await route.fetch();
      const settings = (await response.json()) as { rails: { network: string }[]; staking: object };
      const base = settings.rails.find(({ network }) => network === 'eip155:8453');
      const arbitrum = {
        ...base,
        network: 'eip155:42161',
        name: 'arbitrum',
        title: 'Arbitrum',
        rpcNetwork: 'arbitrum-mainnet',
      };
      await route.fulfill({
        response,
        json: {
          ...settings,
          profile: 'live',
          rails: [base, arbitrum],
          staking: { ...settings.staking, deployments: [] },
        },
      });
    });
    const wallet = new EvmWallet(baseURL!);
    wallet.mood.chainId = 8453;
    wallet.mood.knows = new Set([8453, 42_161]);
    await wallet.announce(page);
    await topUp.open();
    await wallets.openDialog();
    await wallets.connect('ethereum', 'Test Wallet');
    await wallets.close();
    await topUp.choose(/^Arbitrum/, '5');
    await expect(topUp.pay).toContainText('Your wallet is on another chain than Arbitrum.');
    await expect(topUp.pay).not.toContainText(/sandbox|stand-in/i);
    await topUp.pay.getByRole('button', { name: 'Switch to Arbitrum' }).click();
    await expect(topUp.pay.getByRole('button', { name: 'Review 5.00 USDC' })).toBeEnabled();
    expect(wallet.mood.chainId).toBe(42_161);
    // This chain belongs to the gateway, so no warning about a wrong chain appears.
    await wallets.openDialog();
    await expect(wallets.dialog).toContainText('Arbitrum');
    await expect(wallets.dialog).not.toContainText('on another chain');
  });
});

test.describe('with a Solana wallet', () => {
  test('the transaction is shown first, the amount is credited, and the RPC page spends it', async ({
    page,
    wallets,
    topUp,
    rpc,
  }) => {
    test.slow();
    const wallet = new SolanaWallet();
    await wallet.announce(page);
    await topUp.open();
    await wallets.connectFunded('solana', 'Test Solana Wallet');
    await topUp.choose('Solana', '5');
    await topUp.review();
    await expect(topUp.fact('From')).toContainText(wallet.address);
    await expect(topUp.fact('Fee paid by')).not.toHaveText(wallet.address);
    await topUp.pay.getByText('Solana transaction').click();
    await expect(topUp.pay.getByLabel('Solana transaction')).toContainText('TransferChecked, 5000000 base units');
    wallet.refuses = true;
    await topUp.sign();
    await expect(topUp.pay).toContainText('You declined in the wallet.');
    wallet.refuses = false;
    await topUp.sign();
    await expect(topUp.receipt).toContainText('$5.00');
    await expect(topUp.receipt.getByRole('link', { name: 'Look it up on the RPC page' })).toHaveAttribute(
      'href',
      /method=getTransaction/,
    );
    await page.getByRole('button', { name: 'Pay with this wallet and go to the RPC page' }).click();
    await expect(page).toHaveURL(/\/rpc/);
    await rpc.chooseNetwork('sandbox-testnet', 'sandbox-testnet');
    await rpc.chooseMethod('eth_chainId');
    await spendOnce(page, () => rpc.send(), '4.999986');
  });
});

test('the demo wallet shows a payment on Solana as money, and a sign-in as what it allows and until when', async ({
  page,
  wallets,
  topUp,
}) => {
  await topUp.open();
  await wallets.connectFunded('solana', 'Demo wallet');
  await topUp.choose('Solana', '10');
  await topUp.review();
  await expect(topUp.pay).toContainText('Pay 10.00 USDC to this gateway on Solana');
  await topUp.sign();
  const sheet = page.getByRole('dialog', { name: 'Pay 10.00 USDC to this gateway on Solana' });
  await expect(sheet).toContainText('It becomes this wallet’s prepaid balance.');
  await expect(sheet).toContainText('none for this wallet: paid by');
  await expectAccessible(page);
  await sheet.getByText('Exactly what is signed').click();
  await expect(sheet.getByLabel('What is signed')).toContainText('TransferChecked, 10000000 base units');
  await wallets.answer('Sign');
  await expect(topUp.receipt).toContainText('$10.00');
  await topUp.history.getByRole('button', { name: 'Sign in' }).click();
  const signIn = page.getByRole('dialog', { name: 'Sign in to this gateway' });
  await expect(signIn).toContainText('Lets calls be paid from what this wallet has prepaid here.');
  await expect(signIn.locator('dl > div').filter({ hasText: 'Until' })).toContainText(/\d\d:\d\d/);
  await wallets.answer('Refuse');
  await expect(topUp.history).toContainText('You declined in the wallet.');
});

test('topping up has no serious accessibility violation in either theme, and a phone shows what is signed from its beginning', async ({
  page,
  wallets,
  topUp,
}) => {
  test.slow();
  // Ends on the phone, because the steps between the checks use it.
  const checkNow = async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expectAccessibleInBothThemes(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await topUp.open();
  await checkNow();
  await wallets.connectFunded('ethereum', 'Demo wallet');
  await checkNow();
  await topUp.choose('Turnpike Sandbox', '10');
  await topUp.review();
  await expect(topUp.pay.getByRole('heading', { name: 'You sign' })).toBeInViewport();
  await expect.poll(() => focusedName(page)).toMatch(/^Sign with/);
  await checkNow();
  await topUp.sign();
  await wallets.answer('Sign');
  await expect(topUp.receipt).toBeVisible();
  await topUp.history.getByRole('button', { name: 'Sign in' }).click();
  await wallets.answer('Sign');
  await expect(topUp.movements('+$10.00')).toHaveCount(1);
  await checkNow();
});

test.describe('by keyboard alone the focus is where the next step is', () => {
  for (const [family, rail, sheet] of [
    ['ethereum', 'Turnpike Sandbox', 'Pay 5.00 USDC to this gateway on Turnpike Sandbox'],
    ['solana', /^Solana/, 'Pay 5.00 USDC to this gateway on Solana'],
  ] as const) {
    test(`with the demo wallet for ${family}, from the first visit to the receipt`, async ({
      page,
      topUp,
      wallets,
    }) => {
      await topUp.open();
      const chain = topUp.pay.getByRole('radio', { name: rail });
      await tabTo(
        page,
        () => document.activeElement instanceof HTMLInputElement && document.activeElement.type === 'radio',
      );
      for (let presses = 0; presses < 4 && !(await chain.isChecked()); presses++)
        await page.keyboard.press('ArrowDown');
      await expect(chain).toBeChecked();
      await expect(chain).toBeFocused();

      await tabTo(page, () => /^Connect/.test(document.activeElement?.textContent ?? ''));
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedName(page)).toBe('Wallets');
      const section = await wallets[family].getAttribute('aria-label');
      await tabTo(
        page,
        (label) =>
          document.activeElement?.closest('section')?.getAttribute('aria-label') === label &&
          /^Demo wallet/.test(document.activeElement?.textContent ?? ''),
        section,
      );
      await page.keyboard.press('Enter');
      // The list closes by itself after the choice.
      await expect(wallets.dialog).toBeHidden();
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
      await tabTo(page, () => /^Fund/.test(document.activeElement?.textContent ?? ''));
      await page.keyboard.press('Enter');
      await expect(topUp.pay.getByText(/^Leaves/)).toBeVisible();
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);

      await tabTo(
        page,
        () =>
          document.activeElement instanceof HTMLInputElement &&
          document.activeElement.labels?.[0]?.textContent === 'Another amount',
      );
      await page.keyboard.press('Control+a');
      await page.keyboard.type('5');
      await expect(topUp.pay.getByRole('button', { name: /^Review 5/ })).toBeEnabled();
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedName(page)).toMatch(/^Sign with/);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name: sheet })).toContainText(/5000000|5\.00 USDC/);
      await expect.poll(() => focusedName(page)).toBe('Sign');
      await page.keyboard.press('Enter');
      await expect(topUp.receipt).toContainText('$5.00');
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    });
  }
});
