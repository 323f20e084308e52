import { expect, test } from './console-test';
import { showEditor } from './pages/json-editor';
import { expectAccessibleInBothThemes } from './pages/accessibility';

test.describe('one call on several networks', () => {
  test('costs the sum that was told before, marks what differs, and is what a link brings back', async ({
    rpc,
    compare,
    page,
    context,
  }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_chainId');
    await compare.show();
    await expect(compare.sendButton).toBeDisabled();
    await compare.add('base mainnet');
    await compare.add('zksync mainnet');
    await expect(compare.quotedCredits).toHaveText('70 credits');
    await expect(compare.quotedCost).toHaveText('$0.000049');
    await compare.send();
    await expect(compare.results.getByRole('status')).toHaveText('The answers differ.');
    await expect(compare.card('Base Mainnet')).toContainText('"0x2105" = 8,453');
    await expect(compare.card('zkSync Era Mainnet')).toContainText('"0x144" = 324');
    await expect(compare.card('Base Mainnet').getByText('differs')).toBeVisible();
    await expect(compare.fact('zkSync Era Mainnet', 'Credits')).toHaveText('30');
    await expect(compare.fact('zkSync Era Mainnet', 'Cost')).toHaveText('$0.000021');
    await expect(compare.results.getByText('fastest')).toHaveCount(1);
    const row = compare.plot.getByRole('row', { name: /^Base Mainnet/ });
    await expect(row).toContainText(/\d m?s/);
    await expect(row).toContainText('other than most: 8,453');
    await test.step('marks only the one that most others contradict, and can show nothing else', async () => {
      await page.route('**/api/v1/crypto/rpc/*', (route) =>
        route.fulfill({
          json: {
            jsonrpc: '2.0',
            id: 1,
            result: { a: '0x1', b: /zksync/.test(route.request().url()) ? '0x8' : '0x7' },
          },
        }),
      );
      await compare.send();
      await expect(compare.results.getByRole('status')).toHaveText('The answers differ in 1 of 2 fields.');
      await expect(compare.card('zkSync Era Mainnet').getByText('differs')).toHaveCount(1);
      await expect(compare.card('Base Mainnet').getByText('differs')).toHaveCount(0);
      await expect(compare.results.getByText('result.a')).not.toHaveCount(0);
      await compare.onlyDifferences.click();
      await expect(compare.results.getByText('result.a')).toHaveCount(0);
      await expect(compare.results.getByText('result.b')).toHaveCount(3);
    });
    await test.step('is what a link brings back', async () => {
      await page.getByRole('button', { name: 'Copy link' }).click();
      const other = await context.newPage();
      await other.goto(await rpc.clipboard());
      await expect(other.getByRole('button', { name: 'Send to 3 networks' })).toBeEnabled();
      await expect(await showEditor(other)).toContainText('eth_chainId');
    });
  });

  test('shows a failure in its place, can be cancelled, and sends nothing that would change a chain', async ({
    rpc,
    compare,
    page,
  }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_chainId&compare=base-mainnet');
    const card = compare.card('Base Mainnet');
    await test.step('follows each network, and can be cancelled', async () => {
      await page.route('**/api/v1/crypto/rpc/base-mainnet', () => undefined);
      await compare.sendButton.click();
      await expect(compare.results.getByRole('status')).toHaveText('1 of 2 have answered…');
      await expect(card).toContainText('sending…');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(card).toContainText('The call was cancelled');
      await page.unroute('**/api/v1/crypto/rpc/base-mainnet');
    });
    await test.step('shows a failure in its place, and sends that one again', async () => {
      await page.route('**/api/v1/crypto/rpc/base-mainnet', (route) =>
        route.fulfill({
          status: 500,
          json: { error: 'The upstream node could not be reached.', code: 'UPSTREAM_FAILED' },
        }),
      );
      await compare.send();
      await expect(card.getByRole('alert')).toContainText('The upstream node could not be reached.');
      await expect(compare.card('Sandbox Testnet')).toContainText('0x7a69');
      await expect(compare.results.getByRole('status')).toContainText('1 of 2 did not answer.');
      await page.unroute('**/api/v1/crypto/rpc/base-mainnet');
      await card.getByRole('button', { name: 'Send again' }).click();
      await expect(card).toContainText('0x2105');
    });
    await test.step('has no serious accessibility violation in either theme', () => expectAccessibleInBothThemes(page));
    await test.step('sends nothing that would change a chain, and no request that is not one', async () => {
      await rpc.type('{"id":1,"method":"eth_sendRawTransaction","params":["0x00"]}');
      await expect(page.getByText('goes to one network at a time')).toBeVisible();
      await expect(compare.sendButton).toBeDisabled();
      await rpc.type('{"method": ');
      await expect(page.getByRole('region', { name: 'Answer' })).toContainText('This is not JSON yet');
      await expect(compare.sendButton).toBeDisabled();
    });
  });

  test('sends nothing while the gateway does not answer, and stops when it goes away', async ({
    rpc,
    compare,
    page,
  }) => {
    const compared = 'base-mainnet,linea-mainnet,blast-mainnet,zksync-mainnet,optimism-mainnet,polygon-mainnet';
    const sent: string[] = [];
    await rpc.open(`?network=sandbox-testnet&method=eth_chainId&compare=${compared}`);
    await expect(compare.sendButton).toBeEnabled();
    // The gateway fails from the first call on.
    await page.route('**/api/**', (route) => {
      if (route.request().method() === 'POST') sent.push(route.request().url());
      return sent.length > 0 ? route.abort('connectionrefused') : route.continue();
    });
    await compare.send();
    await expect(compare.results.getByRole('status')).toContainText('No network answered.');
    // At most four calls run at a time, and no others follow.
    expect(sent.length).toBeLessThanOrEqual(4);
    await expect(page.getByText('The gateway does not answer. Nothing is sent until it does.')).toBeVisible();
    await expect(compare.sendButton).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Network health: not known' })).toBeVisible();
  });

  test('compares only networks that speak the same methods', async ({ rpc, compare, page }) => {
    await rpc.open('?network=solana-mainnet&method=getSlot&compare=base-mainnet+solana-devnet');
    await expect(compare.networks).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove solana-devnet' }).click();
    await expect(compare.networks).toHaveCount(1);
    await page.getByRole('button', { name: 'Its family' }).click();
    await expect(compare.networks).toHaveCount(2);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the networks are stacked, and nothing scrolls sideways', async ({ rpc, compare, page }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_getBlockByNumber&compare=base-mainnet');
    await compare.send();
    const [first, second] = await Promise.all([
      compare.card('Sandbox Testnet').boundingBox(),
      compare.card('Base Mainnet').boundingBox(),
    ]);
    expect(second?.x).toBe(first?.x);
    expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
