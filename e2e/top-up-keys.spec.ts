import type { Page } from '@playwright/test';
import { expect, test } from './console-test';
import { focusedName } from './pages/focus';

const TABS_MAX = 80;

test.describe('topping up by keyboard alone with the demo wallet, with the focus where the next step is', () => {
  for (const { family, rail, connect } of [
    { family: 'ethereum', rail: 'Turnpike Sandbox', connect: /^Connect/ },
    { family: 'solana', rail: /^Solana/, connect: /^Connect/ },
  ] as const) {
    test(family, async ({ page, topUp, wallets }) => {
      test.slow();
      await topUp.open();
      const chain = topUp.pay.getByRole('radio', { name: rail });
      await tabTo(page, 'input[type=radio]');
      for (let presses = 0; presses < 3 && !(await chain.isChecked()); presses += 1) await page.keyboard.press('ArrowDown');
      await expect(chain).toBeFocused();
      await expect(chain).toBeChecked();

      await topUp.pay.getByRole('button', { name: connect }).press('Enter');
      await expect(wallets.dialog).toBeVisible();
      await expect.poll(() => focusedName(page)).toBe('Wallets');
      await wallets[family].getByRole('button', { name: /^Demo Wallet/i }).press('Enter');
      await expect(wallets[family].getByRole('button', { name: 'Disconnect' })).toBeVisible();
      await expect.poll(() => focusedName(page)).not.toBe('body');
      await wallets.dialog.getByRole('button', { name: /^Fund/ }).press('Enter');
      await expect(wallets.dialog.getByText(/^Received/)).toBeVisible();
      await expect.poll(() => focusedName(page)).toMatch(/^Fund/);
      await page.keyboard.press('Escape');
      await expect(wallets.dialog).toBeHidden();
      await expect.poll(() => focusedName(page)).not.toBe('body');

      const amount = topUp.pay.getByLabel('Another amount');
      await amount.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('5');
      await expect(topUp.pay.getByRole('button', { name: /^Review 5/ })).toBeEnabled();
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedName(page)).toMatch(/^Sign with/);
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedName(page)).toBe('Sign');
      await page.keyboard.press('Enter');
      await expect(topUp.receipt).toContainText('$5.00');
      await expect.poll(() => focusedName(page)).not.toBe('body');
    });
  }
});

test('the review of a payment begins at its top on a phone', async ({ page, topUp, wallets }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await topUp.open();
  await wallets.openDialog();
  await wallets.connect('ethereum', 'Demo wallet');
  await wallets.fund();
  await wallets.close();
  await topUp.choose('Turnpike Sandbox', '5');
  await topUp.review();
  await expect(topUp.pay.getByRole('heading', { name: 'You sign' })).toBeInViewport();
  await expect.poll(() => focusedName(page)).toMatch(/^Sign with/);
});

/** Presses Tab until what matches has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`No ${selector} was reached with ${TABS_MAX} presses of Tab.`);
}
