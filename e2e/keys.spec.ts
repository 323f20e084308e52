import type { Locator, Page } from '@playwright/test';
import { expect, test } from './console-test';
import { readShift, watchShift } from './figures/layout-shift';
import { SHIFT_MAX } from './figures/bounds';
import { expectAccessible, expectAccessibleInBothThemes } from './pages/accessibility';
import { focusedName } from './pages/focus';

/** Confirms the next sheet of the demo wallet with its first button, which has the focus. */
async function agree(page: Page, sheet: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: sheet });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^(Sign|Send)$/ })).toBeFocused();
  // Waits until this element is hidden, because the next sheet may have the same name.
  const asked = await dialog.elementHandle();
  await page.keyboard.press('Enter');
  await asked?.waitForElementState('hidden');
}

/** Limits a key of the list to RPC, after typical mistakes. */
async function limitToReads(page: Page, keys: Locator): Promise<void> {
  await keys.getByRole('button', { name: 'Limits of By keyboard' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Limits of By keyboard' });
  for (const name of ['Chat', 'Speech', 'Transcripts', 'Embeddings', 'Images', 'Video'])
    await dialog.getByRole('checkbox', { name }).press('Space');
  await dialog.getByLabel(/^Alert me at/).fill('a dollar');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('An amount in USD, such as 2.50')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await dialog.getByLabel(/^Alert me at/).fill('1.50');
  await dialog.getByLabel(/^On these networks/).fill('ethereum-mainet');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('ethereum-mainet is not a network of this gateway.')).toBeVisible();
  await dialog.getByLabel(/^On these networks/).fill('ethereum-mainnet');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(keys.getByText('only RPC')).toBeVisible();
  await expect(keys.getByText('only ethereum-mainnet')).toBeVisible();
  await expect.poll(() => focusedName(page)).toBe('Limits of By keyboard');
  await expectAccessibleInBothThemes(page);
  await keys.getByRole('button', { name: 'Undo the change to By keyboard' }).press('Enter');
  await expect(keys.getByText('only RPC')).toHaveCount(0);
  await expect(keys.getByText('everything')).toBeVisible();
}

test('a key is staked for, minted, listed and limited without a mouse, and the page keeps still when it is loaded again', async ({
  page,
  wallets,
  request,
}) => {
  test.slow();
  await watchShift(page);
  await page.goto('/keys');
  await expect(async () => {
    // The button works only after hydration.
    if (!(await wallets.dialog.isVisible()))
      await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).press('Enter', { timeout: 5000 });
    await expect(wallets.dialog).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await wallets.ethereum.getByRole('button', { name: /^Demo wallet/ }).press('Enter');
  await expect(wallets.dialog).toBeHidden();
  await expect.poll(() => focusedName(page)).not.toBe('body');
  await wallets.stake.getByRole('button', { name: /^Fund/ }).press('Enter');
  await expect(wallets.fact(wallets.stake, 'In the wallet')).not.toHaveText('0');
  await expect.poll(() => focusedName(page)).not.toBe('body');

  for (const [pool, symbol] of [
    [wallets.stake, 'TPK'],
    [wallets.allocation, 'TOLL'],
  ] as const) {
    await pool.getByLabel(`Amount of ${symbol}`).fill('3');
    await page.keyboard.press('Enter');
    await agree(page, `Approve 3 ${symbol}`);
    await agree(page, `Stake 3 ${symbol}`);
    await expect(wallets.fact(pool, 'Staked')).toHaveText('3');
    await expect.poll(() => focusedName(page)).toBe(`Amount of ${symbol}`);
  }
  await wallets.mint.locator('summary').press('Enter');
  const period = wallets.mint.getByRole('combobox', { name: 'Limit period' });
  await period.press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Limit period' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expect(period).toHaveText('the life of the key');
  await period.press('a');
  await page.keyboard.press('Enter');
  await expect(period).toHaveText('a month');
  await wallets.mint.getByRole('button', { name: 'Choose a day' }).press('Enter');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect.poll(() => focusedName(page)).toMatch(/^\w+day \d+ \w+ \d{4}$/);
  await page.keyboard.press('PageDown');
  const day = await focusedName(page);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe('Choose a day');
  expect(day).toContain(String(Number((await wallets.mint.getByLabel('Expires').inputValue()).slice(8))));
  await wallets.mint.getByLabel('Name').fill('By keyboard');
  await page.keyboard.press('Enter');
  await agree(page, 'Sign a message');
  const secret = await wallets.newKey();
  expect(secret).toMatch(/^\S{20,}$/);
  await expect(wallets.mint).toContainText('The key is masked here. The copy has it whole.');
  await expect.poll(() => focusedName(page)).toBe('Copy the new key');
  await wallets.mint.getByRole('button', { name: 'Mint another' }).press('Enter');
  await expect.poll(() => focusedName(page)).toBe('Name');
  await wallets.keys.getByRole('button', { name: 'Sign in' }).press('Enter');
  await agree(page, 'Sign in to this gateway');
  await expect(wallets.keys.getByRole('button', { name: 'Revoke By keyboard' })).toBeVisible();
  await expect.poll(() => focusedName(page)).not.toBe('body');
  await limitToReads(page, wallets.keys);
  // A call from elsewhere appears in the list without a reload.
  const row = wallets.keys.getByRole('row').filter({ hasText: 'By keyboard' });
  await expect(row).toContainText('never used');
  await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
    headers: { authorization: `Bearer ${secret}` },
    data: { method: 'eth_chainId' },
  });
  await expect(row).toContainText('$0.000014', { timeout: 20_000 });
  await expect(row).not.toContainText('never used');

  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await expect(wallets.fact(wallets.allocation, 'Staked')).toHaveText('3');
    await expect(wallets.keys.getByRole('button', { name: 'Revoke By keyboard' })).toBeVisible();
    const { shift, moved } = await readShift(page);
    expect(shift, `${width} px\n${moved.join('\n')}`).toBeLessThan(SHIFT_MAX);
  }
});

test('a focus that was lost before the code that restores it arrived is restored', async ({ page, wallets }) => {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/_next/static/chunks/**', async (route) => {
    const response = await route.fetch();
    // Only the code that restores the focus sets the attribute `focusPlace`.
    if ((await response.text()).includes('dataset.focusPlace')) await arrived;
    await route.fulfill({ response });
  });
  await page.goto('/keys');
  await expect(async () => {
    if (!(await wallets.dialog.isVisible()))
      await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).press('Enter', { timeout: 5000 });
    await expect(wallets.dialog).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await wallets.ethereum.getByRole('button', { name: /^Demo wallet/ }).press('Enter');
  await expect(wallets.dialog).toBeHidden();
  await expect.poll(() => focusedName(page)).toBe('body');
  arrive();
  await expect.poll(() => focusedName(page)).not.toBe('body');
});
