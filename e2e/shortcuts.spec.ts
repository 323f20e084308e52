import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';

test('what Enter takes in the palette is in view, however fast one types', async ({ page, shell }) => {
  await page.goto('/');
  await shell.search('block');
  const chosen = page.getByRole('option', { selected: true });
  await expect(chosen).toHaveText('eth_blockNumber');
  await expect(chosen).toBeInViewport({ ratio: 1 });
});

test('what is done with money, test funds and privacy is found by the words that people use', async ({
  page,
  shell,
}) => {
  await page.goto('/');
  const first = page.getByRole('option', { selected: true });
  for (const [asked, found] of [
    ['withdraw', 'Withdraw prepaid money'],
    ['refund', 'Withdraw prepaid money'],
    ['who can read', 'See who can read your questions'],
    ['faucet', 'Get test funds from the faucet'],
  ] as const) {
    await shell.search(asked);
    await expect(first).toHaveText(found);
    if (asked !== 'faucet') await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Faucet' })).toBeVisible();
});

test.describe('keys without a modifier', () => {
  test('a question mark shows them all, and Escape gives the focus back', async ({ page }) => {
    await page.goto('/rpc');
    const link = page.getByRole('link', { name: 'Overview' }).first();
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    // Presses again if the page was not hydrated yet.
    await expect(async () => {
      await link.focus();
      await page.keyboard.press('?');
      await expect(sheet).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(link).toBeFocused();
  });

  test('g and a letter go to a page, but not from a field', async ({ page }) => {
    await page.goto('/');
    // Presses again if the page was not hydrated yet, or too much time passed between the two keys.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await expect(page).toHaveURL(/\/top-up$/, { timeout: 2_000 });
    }).toPass();
    const amount = page.getByLabel('Another amount');
    await amount.click();
    await page.keyboard.type('gk?');
    await expect(page).toHaveURL(/\/top-up$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('are turned off for those who do not want them, and the palette still shows them', async ({ page, shell }) => {
    await page.goto('/usage');
    await shell.search('shortcuts');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL(/\/usage$/);
  });
});
