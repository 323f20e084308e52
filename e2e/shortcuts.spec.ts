import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';

test('what Enter takes in the palette is in view, and is found by the words that people use', async ({
  page,
  shell,
}) => {
  await page.goto('/');
  const first = page.getByRole('option', { selected: true });
  await test.step('is in view, however fast one types', async () => {
    await shell.search('block');
    await expect(first).toHaveText('eth_blockNumber');
    await expect(first).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
  });
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

test('keys without a modifier show themselves, go to a page but not from a field, and can be turned off', async ({
  page,
  shell,
}) => {
  await page.goto('/rpc');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await test.step('a question mark shows them all, and Escape gives the focus back', async () => {
    const link = page.getByRole('link', { name: 'Overview' }).first();
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
  await test.step('g and a letter go to a page, but not from a field', async () => {
    // Presses again if too much time passed between the two keys.
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
  await test.step('are turned off for those who do not want them, and the palette still shows them', async () => {
    await page.getByRole('link', { name: 'Usage' }).first().click();
    await expect(page).toHaveURL(/\/usage$/);
    await shell.search('shortcuts');
    await page.keyboard.press('Enter');
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
