import type { Locator, Page } from '@playwright/test';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { expect, test } from './console-test';

const upstream = {
  name: 'upstream 1',
  state: 'healthy',
  latencyP50Ms: 12.4,
  height: 23_456_789,
  lagBlocks: 0,
  lastError: null,
  checkedAt: null,
};
const failing = {
  ...upstream,
  name: 'upstream 2',
  state: 'failing',
  latencyP50Ms: 812,
  lagBlocks: 89,
  lastError: { message: 'it refused the connection', at: '2026-01-02T03:04:05.000Z' },
};

/** Number of networks with a tile in the sandbox. */
const TILES = [...NETWORKS, SANDBOX_TESTNET].length;

/** Answers in place of the gateway, and counts the requests. */
async function tellHealth(page: Page, upstreams: readonly unknown[]) {
  const asked = { times: 0 };
  await page.route('**/api/network-health', (route) => {
    asked.times++;
    return route.fulfill({ json: { networks: [{ network: 'ethereum-mainnet', upstreams }] } });
  });
  return asked;
}

test.describe('the health of the chosen network', () => {
  test('becomes healthy by a call; a request that no node would serve is kept back, with what to do', async ({
    rpc,
    page,
  }) => {
    const calls: string[] = [];
    await page.route('**/crypto/rpc/starknet-mainnet', (route) => (calls.push(route.request().url()), route.abort()));
    await rpc.open('?network=sandbox-testnet&method=eth_blockNumber');
    await rpc.send();
    await expect(rpc.answer).toContainText('result');
    await page.getByRole('button', { name: /^Network health/ }).click();
    const panel = page.getByRole('dialog', { name: 'Network health' });
    await expect(panel.getByRole('row', { name: /upstream 1/ })).toContainText('healthy');
    await expect(panel.getByRole('row', { name: /upstream 1/ })).toContainText(/\d (ms|s)/);
    await page.keyboard.press('Escape');
    await test.step('keeps a request back that no node would serve', async () => {
      await rpc.chooseNetwork('starknet-mainnet', 'starknet-mainnet');
      await expect(rpc.request).toContainText(
        'This gateway has no node for starknet-mainnet, so nothing can be sent there.',
      );
      await expect(rpc.request).not.toContainText('RPC_STARKNET_MAINNET');
      await expect(rpc.sendButton).toBeDisabled();
      await rpc.editor.focus();
      await page.keyboard.press('Control+Enter');
      await expect(rpc.request.getByRole('alert')).toContainText(
        'Not sent. This gateway has no node for starknet-mainnet',
      );
      expect(calls).toEqual([]);
      await rpc.chooseNetwork('sandbox', 'sandbox-testnet');
      await expect(rpc.sendButton).toBeEnabled();
    });
  });

  test('says what to do where a network is not listed, has no upstream or was not used yet, and is asked for as soon as a call has ended', async ({
    rpc,
    page,
  }) => {
    const asked = await tellHealth(page, [
      { ...upstream, state: 'unknown', latencyP50Ms: null, height: null, lagBlocks: null },
    ]);
    await page.route('**/api/v1/crypto/rpc/**', (route) =>
      route.fulfill({ json: { jsonrpc: '2.0', id: 1, result: '0x1' }, headers: { 'x-request-id': 'a'.repeat(32) } }),
    );
    await rpc.open('?network=nowhere-mainnet');
    const panel = page.getByRole('dialog', { name: 'Network health' });
    for (const [network, word, sentence] of [
      ['nowhere-mainnet', 'not listed', 'nowhere-mainnet is not a network of this gateway'],
      ['starknet-mainnet', 'not connected', 'RPC_STARKNET_MAINNET'],
      ['ethereum-mainnet', 'idle', 'Send a call, and its stand-in starts.'],
    ] as const) {
      if (network !== 'nowhere-mainnet') await rpc.chooseNetwork(network, network);
      await page.getByRole('button', { name: `Network health: ${word}` }).click();
      await expect(panel).toContainText(sentence);
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
    }
    await expect(rpc.editor).toBeVisible();
    await test.step('is asked for as soon as a call has ended, and not only by the clock', async () => {
      await page.unroute('**/api/network-health');
      await page.clock.install();
      await tellHealth(page, [upstream]);
      const before = asked.times;
      await rpc.send();
      await expect(rpc.answer).toContainText('result');
      // The page's clock is stopped.
      await expect(page.getByRole('button', { name: 'Network health: healthy' })).toBeVisible();
      expect(asked.times).toBe(before);
    });
  });

  test('is told in words, with the last error and limits of each upstream, and keeps what it knew when the gateway stops answering', async ({
    rpc,
    page,
  }) => {
    const limits = {
      prunedBelow: { state: 23_000_000, history: 15_537_394 },
      rangeBlocksMax: 10_000,
      batchItemsMax: 1,
      missingMethods: [
        'debug_traceBlockByNumber',
        'trace_replayBlockTransactions',
        'eth_getProof',
        'eth_getBlobSidecars',
      ],
      outvoted: 1_204,
    };
    await tellHealth(page, [
      { ...upstream, limits },
      { ...failing, limits },
    ]);
    await rpc.open('?network=ethereum-mainnet&method=eth_blockNumber');
    await page.getByRole('button', { name: 'Network health: degraded' }).click();
    const panel = page.getByRole('dialog', { name: 'Network health' });
    await expect(panel).toContainText('1 of 2 upstreams is in order; calls go there.');
    await expect(panel.getByRole('row', { name: /upstream 1/ })).toContainText('23,456,789');
    await expect(panel).toContainText('Last error: it refused the connection');
    await test.step('has what an upstream does not serve in one line, on a phone without sideways scroll', async () => {
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Network health: degraded' }).click();
      await expect(panel).toContainText(
        'No state before block 23,000,000 · No history before block 15,537,394 · Ranges up to 10,000 blocks · No batches · Not served: debug_traceBlockByNumber, trace_replayBlockTransactions, eth_getProof, 1 more · Outvoted 1,204 times',
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    });
    await page.unroute('**/api/network-health');
    await page.route('**/api/network-health', (route) => route.abort('connectionrefused'));
    await panel.getByRole('button', { name: 'Refresh' }).click();
    await expect(panel).toContainText('This may be out of date.');
    await expect(panel.getByRole('row', { name: /upstream 1/ })).toContainText('healthy');
  });

  test('is read again while the page is visible, and not while it is hidden', async ({ page }) => {
    await page.clock.install();
    const asked = await tellHealth(page, [upstream]);
    await page.goto('/rpc?network=ethereum-mainnet');
    await expect(page.getByRole('button', { name: 'Network health: healthy' })).toBeVisible();
    const before = asked.times;
    await page.clock.runFor(21_000);
    await expect.poll(() => asked.times).toBeGreaterThan(before);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const hidden = asked.times;
    await page.clock.runFor(60_000);
    expect(asked.times).toBe(hidden);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => asked.times).toBeGreaterThan(hidden);
  });
});

/** Lower parts of the page load with the first user input. */
async function comeNear(page: Page, part: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Shift');
    await expect(part).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test.describe('the networks on the overview', () => {
  test('have a tile each and a legend that counts them', async ({ page }) => {
    await tellHealth(page, [upstream, failing]);
    await page.goto('/');
    const status = page.getByRole('region', { name: 'Status' });
    await expect(status).toContainText('1 network answers');
    await expect(status).toContainText(`in the last 10 minutes, 1 in trouble, ${TILES - 1} not connected`);
    const networks = page.getByRole('region', { name: 'Networks' });
    await comeNear(page, networks.locator('dl'));
    await expect(networks.getByRole('button')).toHaveCount(TILES);
    await expect(networks.locator('dl > div').filter({ hasText: 'degraded' })).toContainText('1');
    await expect(networks.locator('dl > div').filter({ hasText: 'not connected' })).toContainText(String(TILES - 1));
    await networks.getByRole('button', { name: /Ethereum Mainnet/ }).click();
    await expect(page.getByRole('dialog', { name: 'Health of ethereum-mainnet' })).toContainText('upstream 2');
    await page.getByRole('link', { name: 'Send a call' }).click();
    await expect(page.getByRole('button', { name: 'Network: ethereum-mainnet' })).toBeVisible();
  });

  test('say why they are not known, and can be read again', async ({ page }) => {
    // Refuses until the button is pressed.
    const isPressed = () => page.evaluate(() => 'pressed' in document.documentElement.dataset);
    await page.route('**/api/network-health', async (route) =>
      (await isPressed())
        ? route.continue()
        : route.fulfill({ status: 429, json: { error: 'Too many requests in this minute.', code: 'MINUTE_CAP' } }),
    );
    await page.goto('/');
    const networks = page.getByRole('region', { name: 'Networks' });
    const again = networks.getByRole('button', { name: 'Try again' });
    await comeNear(page, again);
    await expect(networks).toContainText('Too many requests in this minute.');
    // Listens on the document, because the page also refreshes by itself and replaces the button.
    await page.evaluate(() =>
      document.addEventListener('click', () => (document.documentElement.dataset.pressed = ''), { capture: true }),
    );
    await again.click();
    await expect(networks.getByRole('button')).toHaveCount(TILES);
  });
});
