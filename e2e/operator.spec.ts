import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { expectNoPanning } from './pages/narrow';
import { OperatorPage } from './pages/operator-page';

const OPERATOR_KEY = process.env.E2E_OPERATOR_KEY ?? '';
const FIGURES = '**/api/v1/operator/figures';

/** Makes one charged call and one refused call, so that the page has data. */
async function callAndBeRefused(request: APIRequestContext): Promise<void> {
  const { demoKey } = (await (await request.get('/api/sandbox')).json()) as { demoKey: string };
  const call = (key: string) =>
    request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${key}` },
      data: { method: 'eth_blockNumber' },
    });
  expect((await call(demoKey)).status()).toBe(200);
  expect((await call('sk_nobody_has_this')).status()).toBe(401);
}

test('everybody else is told what the page is, no figure is asked for without a key or a sign-in, and another wallet pays for nothing', async ({
  page,
  shell,
  wallets,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/api/v1/operator/') && asked.push(request.url()));
  const operator = new OperatorPage(page);
  await operator.visit();
  await expect(operator.signIn).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Operator');
  await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
  await expect(operator.signIn).toBeVisible();
  expect(asked).toEqual([]);
  await expect(page.getByRole('link', { name: 'Operator' })).toHaveCount(0);
  await expectAccessibleInBothThemes(page);
  await operator.enter('');
  await expect(page.getByText('Paste the operator’s key first.')).toBeVisible();
  await operator.enter('sk_nobody_has_this');
  await expect(page.getByText('This is not the operator’s key of this gateway.')).toBeVisible();
  await expect(operator.signIn).toBeVisible();

  await test.step('a wallet that is not an operator’s is told so, and pays for nothing', async () => {
    await wallets.connectFor(
      page.getByRole('button', { name: 'Connect an operator’s wallet' }),
      'ethereum',
      'Demo wallet',
    );
    await page.getByRole('button', { name: /^Sign in as 0x/ }).click();
    await wallets.answer('Sign');
    await expect(page.getByText(/^0x.* is not an operator of this gateway\.$/)).toBeVisible();
    await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
  });
});

for (const width of [390, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, ...(width === 390 && { hasTouch: true, isMobile: true }) });

    test('with the operator’s key: from who pays to the figures, over a reload and an answer that does not come, until the key is forgotten', async ({
      page,
      shell,
      request,
    }) => {
      await callAndBeRefused(request);
      const operator = new OperatorPage(page);
      await page.goto('/usage');
      await shell.useKey(OPERATOR_KEY);
      await operator.openFromPanel();
      await expect(page).toHaveTitle(/^Operator · /);
      await expect(operator.margins).toContainText('No cost is set');
      await expect(page.getByRole('region', { name: 'Now', exact: true })).toContainText(/Income today\$\d+\.\d+/);
      await expect(operator.glance).toContainText('npm run admin -- ledger check');
      await expect(operator.upstreams.getByRole('row', { name: /sandbox-testnet/ })).toContainText('healthy');
      await expect(operator.refusals).toContainText('INVALID_API_KEY');
      await expect(page.getByRole('region', { name: 'Gateways' })).toContainText('serving');
      await expectNoPanning(page);
      await expectAccessibleInBothThemes(page);

      // Every figure of the plot is there without a pointer.
      await page.getByText('The same as a table').first().focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('table').filter({ hasText: 'Day (UTC)' }).getByRole('row')).toHaveCount(31);
      await expectNoPanning(page);

      await page.reload();
      await expect(operator.heading).toBeVisible();
      await expect(operator.glance).toBeVisible();
      await page.route(FIGURES, (route) =>
        route.fulfill({ status: 503, json: { error: 'The store is away.', code: 'STORE_UNAVAILABLE' } }),
      );
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(page.getByText('This may be out of date.')).toBeVisible();
      await expect(operator.glance).toBeVisible();
      await page.unroute(FIGURES);

      await page.getByRole('button', { name: 'Forget the key' }).click();
      await expect(operator.signIn).toBeVisible();
      await page.reload();
      await expect(operator.signIn).toBeVisible();
      await operator.enter(OPERATOR_KEY);
      await expect(operator.glance).toBeVisible();
    });
  });
}
