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
  await usage.stackBy('Network');
  await expect(page).toHaveURL('/usage?by=network');
  await usage.parts.getByRole('button', { name: /^sandbox-testnet/ }).click();
  await expect(page).toHaveURL('/usage?by=network&resource=rpc%2Fsandbox-testnet');
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(page).toHaveURL('/usage?by=network&days=7&resource=rpc%2Fsandbox-testnet');
  const chip = page.getByRole('button', { name: 'rpc/sandbox-testnet: show all again' });
  await expect(chip).toBeVisible();
  await usage.list.getByRole('button', { name: 'Charges' }).click();
  await expect(usage.charges).toContainText('$0.000014');
  await expectAccessibleInBothThemes(page);
  const file = await usage.saved(page.getByRole('button', { name: 'Export charges' }));
  expect(file.split('\r\n').find((line) => line.endsWith(requestId))).toContain(
    'rpc/sandbox-testnet,eth_chainId,20,0.000014000',
  );
  expect(await usage.saved(page.getByRole('button', { name: 'CSV: Cost' }))).toMatch(/^day,sandbox-testnet\r\n2\d{3}-/);
  await page.getByText('Balance reconciled:').click();
  expect(await usage.saved(page.getByRole('button', { name: 'CSV: How each balance changed' }))).toContain(
    'opening_usd,credited_usd,withdrawn_usd,charged_usd,expired_usd,closing_usd',
  );
  await page.goBack();
  await expect(page).toHaveURL('/usage?by=network&days=7&resource=rpc%2Fsandbox-testnet');
  await chip.click();
  await expect(page).toHaveURL('/usage?by=network&days=7');

  const field = page.getByLabel('Find a request');
  await field.fill('two words 🙂');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That is not a request ID.')).toBeVisible();
  await field.fill(` x-request-id: ${requestId}\n`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/usage?request=${requestId}`);
  await expect(usage.charges.getByRole('listitem')).toHaveCount(1);
  await expect(usage.charges).toContainText('eth_chainId');
  for (const list of [usage.charges, usage.requests]) await expect(list).toContainText('20 credits');
  await expect(usage.charges).toContainText('$0.000014');
  await expectAccessible(page);

  // A reload shows the same. An unknown id shows a message.
  await page.reload();
  await expect(usage.charges.getByRole('listitem')).toHaveCount(1);
  await field.fill('0'.repeat(32));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/usage?request=${'0'.repeat(32)}`);
  await expect(usage.charges).toContainText('No charge in this period has this request ID.');
  await page.getByRole('button', { name: /show all again$/ }).click();
  await expect(usage.requests).toBeVisible();
  await usage.open('?days=1e9&key=-1&list=charges&request=%3Cimg%20src%3Dx%3E');
  await expect(usage.charges.getByRole('listitem').first()).toBeVisible();
});

test('usage is stacked by choice, filters by a part or a day, is a table for those who do not see it, and lists what failed', async ({
  page,
  request,
}) => {
  const usage = new UsagePage(page);
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  const headers = { authorization: `Bearer ${demoKey}` };
  const call = async (network: string, method: string) => {
    const answer = await request.post(`/api/v1/crypto/rpc/${network}`, { headers, data: { method } });
    return answer.headers()['x-request-id'] ?? '';
  };
  await call('ethereum-mainnet', 'eth_blockNumber');
  const refused = await call('sandbox-testnet', 'eth_nothingOfTheKind');
  const succeeded = await call('sandbox-testnet', 'eth_chainId');
  // The gateway stores requests every 5 seconds.
  await expect
    .poll(async () => {
      const answer = await request.get(`/api/v1/billing/requests?requestId=${refused}`, { headers });
      return ((await answer.json()) as { data: unknown[] }).data.length;
    })
    .toBe(1);
  await usage.open();
  await test.step('a request that failed is listed with its code, found by its id, and shared by its address', async () => {
    await usage.list.getByRole('button', { name: 'Errors' }).click();
    await expect(page).toHaveURL('/usage?list=errors');
    const row = usage.requests.getByRole('row').filter({ hasText: refused });
    await expect(row).toContainText('eth_nothingOfTheKind');
    await expect(row).toContainText('400 UNSUPPORTED_METHOD');
    await expect(usage.requests).not.toContainText(succeeded);
    await expectAccessibleInBothThemes(page);
    await usage.list.getByRole('button', { name: 'Requests', exact: true }).click();
    await expect(usage.requests).toContainText(succeeded);
    await page.goBack();
    await row.getByRole('link', { name: refused }).click();
    await expect(page).toHaveURL(`/usage?request=${refused}`);
    await expect(usage.requests.locator('tbody tr')).toHaveCount(1);
    await expect(usage.charges).toContainText('No charge in this period has this request ID.');
  });
  await page.getByRole('link', { name: 'Usage', exact: true }).filter({ visible: true }).click();
  await expect(page).toHaveURL('/usage');
  await test.step('usage is stacked by choice, filters by a part or a day, and is a table', async () => {
    const rpc = usage.parts.getByRole('button', { name: /^RPC/ });
    await expect(rpc).toBeVisible();
    await page.getByText('As a table').focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('group', { name: 'As a table' }).getByRole('table');
    await expect(table.getByRole('columnheader', { name: 'RPC' })).toBeVisible();
    await expect(table.getByRole('row').nth(1)).toContainText('$');
    await expectAccessibleInBothThemes(page);
    await rpc.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/usage?product=rpc');
    await expect(usage.parts.getByRole('button')).toHaveCount(1);
    await usage.parts.getByRole('button').press('Enter');
    await expect(page).toHaveURL('/usage');
    // A day opens as hours, also by keyboard.
    await table
      .getByRole('button', { name: /show its hours$/ })
      .first()
      .press('Enter');
    await expect(page).toHaveURL(/\/usage\?day=\d{4}-\d\d-\d\d$/);
    await page.getByText('As a table').press('Enter');
    await expect(table.getByRole('columnheader', { name: 'Hour (UTC)' })).toBeVisible();
    await expect(table.getByRole('row').nth(1)).toContainText(/\d\d:00/);
  });
});

test('requests are stacked by status, tokens and latency have plots of their own, and Errors lists what failed', async ({
  page,
  request,
}) => {
  const usage = new UsagePage(page);
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  const headers = { authorization: `Bearer ${demoKey}` };
  const refused = await request.post('/api/v1/crypto/rpc/sandbox-testnet', { headers, data: { method: 'eth_gone' } });
  const id = refused.headers()['x-request-id'] ?? '';
  const asked = await request.post('/api/v1/chat/completions', {
    headers,
    data: { model: 'guide', messages: [{ role: 'user', content: 'What does it cost?' }] },
  });
  // The gateway stores requests every 5 seconds.
  await expect
    .poll(async () => {
      const answer = await request.get(`/api/v1/billing/requests?requestId=${asked.headers()['x-request-id']}`, {
        headers,
      });
      return ((await answer.json()) as { data: unknown[] }).data.length;
    })
    .toBe(1);
  await usage.open('?tab=requests&by=status');
  await usage.parts.getByRole('button', { name: /^400/ }).click();
  await expect(page).toHaveURL('/usage?tab=requests&by=status&status=400');
  await expect(usage.requests.getByRole('row').nth(1)).toContainText('400');
  const csv = await usage.saved(page.getByRole('button', { name: 'Export CSV' }));
  expect(csv).toContain(id);
  expect(csv).not.toContain(',200,');
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('Requests').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab('Tokens')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: '400: show all again' }).click();
  await usage.stackBy('Model');
  await expect(usage.parts.getByRole('button', { name: /^guide/ })).toBeVisible();
  await tab('Latency').click();
  await expect(page.getByText(/on average over/)).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });

  test('how a balance changed can be read whole, without panning, and the view of one request fits', async ({
    page,
    request,
  }) => {
    const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
    await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${demoKey}` },
      data: { method: 'eth_chainId' },
    });
    const usage = new UsagePage(page);
    await usage.open();
    await page.getByText('Balance reconciled:').click();
    const table = page.getByRole('group', { name: 'How each balance changed' });
    await table.scrollIntoViewIfNeeded();
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    for (const name of ['Opening', 'Charged', 'Closing'])
      await expect(table.locator('td').getByText(name)).toBeInViewport({ ratio: 1 });

    await page.getByLabel('Find a request').fill('0'.repeat(32));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/usage?request=${'0'.repeat(32)}`);
    await expect(usage.charges).toContainText('No charge in this period');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
