import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';

test('a conversation is found by what was said in it, opened, and copied as Markdown', async ({ page, chat }) => {
  await chat.open();
  await chat.ask('How do I top up with USDC?');
  await chat.show('History');
  await expect(page.getByRole('searchbox', { name: 'Search in conversations' })).toHaveCount(0);
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  await chat.ask('What does a verified attestation prove?');
  await chat.show('History');
  const kept = page.getByRole('list', { name: 'Conversations' });
  await expect(kept.getByRole('listitem')).toHaveCount(2);
  const row = kept.getByRole('listitem').first();
  await row.hover();
  const actions = await row.getByRole('button', { name: /^Share / }).boundingBox();
  const secondLine = await row.locator('time').boundingBox();
  expect(actions!.y + actions!.height).toBeLessThanOrEqual(secondLine!.y + 1);
  await page.getByRole('searchbox', { name: 'Search in conversations' }).fill('top usdc HOW');
  await expect(kept.getByRole('listitem')).toHaveCount(1);
  await kept.getByRole('button', { name: 'Share How do I top up with USDC?' }).click();
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^# How do I top up with USDC\?\n\n## You\n\n> How do I top up with USDC\?\n\n## /);
  await page.keyboard.press('Escape');
  await kept.getByRole('button', { name: /^How do I top up/ }).click();
  await expect(page.getByText('How do I top up with USDC?').first()).toBeVisible();
  await chat.show('History');
  await page.getByRole('searchbox').fill('no such words');
  await expect(page.getByText('No conversation contains these words.')).toBeVisible();
});

test('a conversation leaves as a file and comes back, without what only the file says was verified', async ({
  page,
  chat,
}) => {
  await chat.open('e2ee-guide');
  const answer = await chat.ask('What does a verified attestation prove?');
  await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
  await chat.show('History');
  const kept = page.getByRole('list', { name: 'Conversations' });
  await kept.getByRole('button', { name: /^Share / }).click();
  const panel = page.getByRole('dialog', { name: /^Share / });
  await expectAccessibleInBothThemes(page);
  const [markdown] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download as Markdown' }).click(),
  ]);
  expect(markdown.suggestedFilename()).toBe('What-does-a-verified-attestation-prove.md');
  const [json] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: /^Download as JSON/ }).click(),
  ]);
  const path = await json.path();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Erase all…' }).click();
  await page.getByRole('button', { name: 'Erase all', exact: true }).click();
  await expect(page.getByText('No conversations yet.')).toBeVisible();

  const choose = (file: Parameters<ReturnType<typeof page.getByTestId>['setInputFiles']>[0]) =>
    page.getByTestId('import').setInputFiles(file);
  await choose({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
  await expect(page.getByText('other.json is not an export of conversations.')).toBeVisible();
  await choose(path);
  await expect(page.getByText('One conversation imported.')).toBeVisible();
  await choose(path);
  await expect(page.getByText('One conversation was here already.')).toBeVisible();
  await expect(kept.getByRole('listitem')).toHaveCount(1);
  await kept.getByRole('button', { name: /^What does/ }).click();
  await expect(chat.answers.last().locator('[data-signature]')).toHaveAttribute('data-signature', 'unavailable');
});
