import type { Page } from '@playwright/test';
import { expect, test } from './console-test';

/** Returns the tag and name of the focused element; `body` if nothing has focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element === null || element === document.body
      ? 'body'
      : `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.id}`;
  });
}

test.describe('the focus stays on the page where what had it goes', () => {
  test('after a page change by keys, but is left alone where a person clicked beside everything', async ({
    page,
    rpc,
  }) => {
    await rpc.open();
    await page.getByRole('main').getByRole('button').first().focus();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await expect(page).toHaveURL(/\/usage$/);
    await expect.poll(() => focused(page)).toBe('main page');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    await test.step('is left alone where a person clicked beside everything', async () => {
      await page.getByRole('main').getByRole('button').first().focus();
      await page.getByRole('heading', { level: 1 }).click();
      await page.waitForTimeout(1_000);
      expect(['body', 'main page']).toContain(await focused(page));
    });
    // The element that had the focus also exists on the next page.
    await page.getByRole('link', { name: 'Overview' }).first().focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('Keys & staking');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/keys$/);
    await expect.poll(() => focused(page)).toBe('main page');
  });

  test('after a conversation was erased, and after the last one was', async ({ page, chat }) => {
    await chat.open();
    await chat.ask('How do I top up with USDC?');
    await chat.show('History');
    await page.getByRole('button', { name: /^Erase How do I top up/ }).press('Enter');
    await page.getByRole('button', { name: 'Erase it' }).press('Enter');
    await expect(page.getByText('No conversations yet.')).toBeVisible();
    await expect.poll(() => focused(page)).not.toBe('body');
  });

  test('in a field that is disabled while what was typed is worked on', async ({ page, topUp, wallets }) => {
    await page.goto('/top-up');
    await wallets.connectFunded('ethereum', 'Demo wallet');
    // After the wallet list closes, the focus returns.
    await expect.poll(() => focused(page)).not.toBe('body');
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/x402/top-up?*', async (route) => (await held, route.fallback()));
    const amount = topUp.pay.getByLabel('Another amount');
    await amount.fill('7');
    await amount.press('Enter');
    await expect(topUp.pay.getByRole('button', { name: 'Preparing…' })).toBeVisible();
    await expect(amount).toHaveAttribute('aria-disabled', 'true');
    await expect(amount).toBeFocused();
    await page.keyboard.type('9');
    await expect(amount).toHaveValue('7');
    answer();
    await expect(topUp.pay.getByRole('heading', { name: 'You sign' })).toBeVisible();
    await expect.poll(() => focused(page)).not.toBe('body');
  });
});
