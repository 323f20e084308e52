import { expect, test } from './console-test';
import { expectAccessible, expectAccessibleInBothThemes } from './pages/accessibility';
import { UsagePage } from './pages/usage-page';

test('from the id of a request to its charge, by a view that can be shared and gone back from, and all of it as CSV', async ({
  page,
  shell,
  request,
}) => {
  const usage = new UsagePage(page);
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  const call = (method: string) =>
    request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${demoKey}` },
      data: { method },
    });
  const requestId = (await call('eth_chainId')).headers()['x-request-id'] ?? '';
  await call('eth_blockNumber');
  expect(requestId).toMatch(/^\S{32}$/);

  await usage.open();
  await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
  await usage.byResource.getByRole('button', { name: /^rpc\/sandbox-testnet/ }).click();
  await expect(page).toHaveURL('/usage?resource=rpc%2Fsandbox-testnet');
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(page).toHaveURL('/usage?days=7&resource=rpc%2Fsandbox-testnet');
  const chip = page.getByRole('button', { name: 'rpc/sandbox-testnet: show all again' });
  await expect(chip).toBeVisible();
  await expectAccessibleInBothThemes(page);
  const file = await usage.saved(page.getByRole('button', { name: 'Export charges' }));
  expect(file.split('\r\n').find((line) => line.endsWith(requestId))).toContain(
    'rpc/sandbox-testnet,eth_chainId,20,0.000014000',
  );
  expect(await usage.saved(usage.byResource.getByRole('button', { name: 'CSV: By resource' }))).toMatch(
    /^resource,charges,units,amount_usd\r\nrpc\/sandbox-testnet,/,
  );
  expect(await usage.saved(page.getByRole('button', { name: 'CSV: How each balance changed' }))).toContain(
    'opening_usd,credited_usd,charged_usd,expired_usd,closing_usd',
  );
  await page.goBack();
  await expect(page).toHaveURL('/usage?resource=rpc%2Fsandbox-testnet');
  await chip.click();
  await expect(page).toHaveURL('/usage');

  const field = page.getByLabel('Find a request');
  await field.fill('two words 🙂');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That is not a request ID.')).toBeVisible();
  await field.fill(` x-request-id: ${requestId}\n`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/usage?request=${requestId}`);
  await expect(usage.charges.getByRole('listitem')).toHaveCount(1);
  await expect(usage.charges).toContainText('eth_chainId');
  await expect(usage.charges).toContainText('$0.000014');
  await expectAccessible(page);

  // Whoever gets the address sees the same; an id of nobody's says so.
  await page.reload();
  await expect(usage.charges.getByRole('listitem')).toHaveCount(1);
  await usage.open(`?request=${'0'.repeat(32)}`);
  await expect(usage.charges).toContainText('No charge in this period has this request ID.');
  await page.getByRole('button', { name: /show all again$/ }).click();
  await expect(usage.charges.getByRole('listitem').first()).toBeVisible();
  await usage.open('?days=1e9&key=-1&request=%3Cimg%20src%3Dx%3E');
  await expect(usage.charges.getByRole('listitem').first()).toBeVisible();
});

test('spending is stacked by what it was spent on, filters by it, and is a table for those who do not see it', async ({
  page,
  request,
}) => {
  const usage = new UsagePage(page);
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  for (const network of ['sandbox-testnet', 'ethereum-mainnet'])
    await request.post(`/api/v1/crypto/rpc/${network}`, {
      headers: { authorization: `Bearer ${demoKey}` },
      data: { method: 'eth_blockNumber' },
    });
  await usage.open();
  const legend = page.getByRole('list', { name: 'What it was spent on' });
  // Which resources are named depends on what else was paid with the demo key.
  await expect(legend.getByRole('button').nth(1)).toBeVisible();
  const [most = '', second = ''] = await legend.getByRole('button').allTextContents();
  await page.getByText('As a table').focus();
  await page.keyboard.press('Enter');
  const table = page.getByRole('group', { name: 'As a table' }).getByRole('table');
  await expect(table.getByRole('columnheader', { name: second })).toBeVisible();
  await expect(table.getByRole('row').nth(1)).toContainText('$');
  await expectAccessibleInBothThemes(page);
  await legend.getByRole('button', { name: most }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/usage?resource=${encodeURIComponent(most)}`);
  await expect(legend.getByRole('button')).toHaveCount(1);
  await legend.getByRole('button').press('Enter');
  await expect(page).toHaveURL('/usage');
});

test('a request that failed is listed with its code, found by its id, and shared by its address', async ({
  page,
  request,
}) => {
  const usage = new UsagePage(page);
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  const call = async (method: string) => {
    const answer = await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${demoKey}` },
      data: { method },
    });
    return answer.headers()['x-request-id'] ?? '';
  };
  const refused = await call('eth_nothingOfTheKind');
  const succeeded = await call('eth_chainId');
  // Requests are written every 5 seconds.
  await expect
    .poll(async () => {
      const answer = await request.get(`/api/v1/billing/requests?requestId=${refused}`, {
        headers: { authorization: `Bearer ${demoKey}` },
      });
      return ((await answer.json()) as { data: unknown[] }).data.length;
    })
    .toBe(1);
  await usage.open();
  const lists = page.getByRole('group', { name: 'List' });
  await lists.getByRole('button', { name: 'Failed requests' }).click();
  await expect(page).toHaveURL('/usage?list=failed');
  const row = usage.requests.getByRole('listitem').filter({ hasText: refused });
  await expect(row).toContainText('eth_nothingOfTheKind');
  await expect(row).toContainText('400 UNSUPPORTED_METHOD');
  await expect(usage.requests).not.toContainText(succeeded);
  await expectAccessibleInBothThemes(page);
  await lists.getByRole('button', { name: 'Requests', exact: true }).click();
  await expect(usage.requests).toContainText(succeeded);
  await page.goBack();
  await row.getByRole('link', { name: refused }).click();
  await expect(page).toHaveURL(`/usage?request=${refused}`);
  await expect(usage.requests.getByRole('listitem')).toHaveCount(1);
  await expect(usage.charges).toContainText('No charge in this period has this request ID.');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });

  test('how a balance changed can be read whole, without panning', async ({ page, request }) => {
    const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
    await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${demoKey}` },
      data: { method: 'eth_chainId' },
    });
    await new UsagePage(page).open();
    const table = page.getByRole('group', { name: 'How each balance changed' });
    await table.scrollIntoViewIfNeeded();
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    for (const name of ['Opening', 'Charged', 'Closing'])
      await expect(table.locator('td').getByText(name)).toBeInViewport({ ratio: 1 });
  });

  test('the view of one request fits', async ({ page }) => {
    const usage = new UsagePage(page);
    await usage.open(`?request=${'0'.repeat(32)}`);
    await expect(usage.charges).toContainText('No charge in this period');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
