import type { APIResponse, Response } from '@playwright/test';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { holdScripts } from './pages/held-scripts';
import { expect, test } from './console-test';
import { Shell } from './pages/shell';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { expectNoPanning } from './pages/too-wide';
import { countVisibleWords } from './pages/visible-words';

const PAGES = [...CONSOLE_PAGES.map(({ href }) => href), '/no-such-page'];

/**
 * Maximum visible words at 1440 × 900 with nothing opened, including rail and bars. The reference's texts about
 * endpoints come from the API description.
 */
const WORD_BUDGETS: Readonly<Record<string, number>> = { '/': 350, '/chat': 300, '/reference': 340 };
const OTHER_PAGES_WORDS = 250;

for (const path of PAGES) {
  const most = WORD_BUDGETS[path] ?? OTHER_PAGES_WORDS;
  // Uses one page load for all three checks, because loading takes most of the time.
  test(`${path} has no serious accessibility violation in either theme, shows at most ${most} words, and cannot be panned sideways at 768 or 1440 px`, async ({
    page,
  }) => {
    // The reference is long, and axe checks every element.
    test.slow();
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Copy demo key' }).first()).toBeAttached();
    // Lower parts of the page load with the first user input.
    await page.keyboard.press('Shift');
    await page.waitForLoadState('networkidle');
    const { words, text } = await countVisibleWords(page);
    expect(words, text).toBeLessThanOrEqual(most);
    expect(words, 'the page is there').toBeGreaterThan(20);
    await expectAccessibleInBothThemes(page);
    await expectNoPanning(page, [1440, 768, 1440]);
  });
}

test('an answer and an error have no serious accessibility violation in either theme', async ({ rpc, page }) => {
  await rpc.open('?network=sandbox-testnet&method=eth_getBlockByNumber');
  await rpc.send();
  await expect(rpc.answer.getByText('result', { exact: true })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  for (const method of ['eth_newFilter', 'eth_sign']) {
    await rpc.type(`{"id":1,"method":"${method}","params":[]}`);
    await rpc.send();
    await expect(rpc.answer.getByRole('alert')).toContainText(method);
    await expect(rpc.answer.getByText(/not charged|no result/).first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
  }
});

test('a page begins at its top, however far down the one before was, also with the first click', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Copy demo key' }).first()).toBeVisible();
  const main = page.locator('#page');
  for (const name of ['Keys & staking', 'Top up'] as const) {
    const scrolledPx = await main.evaluate((element) => {
      element.scrollTo(0, element.scrollHeight);
      return element.scrollTop;
    });
    expect(scrolledPx).toBeGreaterThan(0);
    await page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true }).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(0);
  }
});

test('a click on a link shows within 100 ms that its page is on its way, and its place while it is not there', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Copy demo key' }).first()).toBeVisible();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/_rsc=/, async (route) => {
    await held;
    await route.continue();
  });
  const link = page
    .getByRole('navigation', { name: 'Pages' })
    .filter({ visible: true })
    .getByRole('link', { name: 'Usage' });
  const tookMs = await link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const startedMs = performance.now();
        new MutationObserver((_records, observer) => {
          if (getComputedStyle(document.querySelector('[data-testid=page-progress]')!).display === 'none') return;
          observer.disconnect();
          resolve(performance.now() - startedMs);
        }).observe(document.documentElement, { attributes: true });
        (element as HTMLElement).click();
      }),
  );
  expect(tookMs).toBeLessThan(100);
  await expect(page.getByTestId('page-place')).toBeVisible();
  letGo();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await expect(page.getByTestId('page-progress')).toBeHidden();
  await expect(page.getByTestId('page-place')).toBeHidden();
});

test('embeddings and images of the catalogue have a price, and lead to their endpoint', async ({ page }) => {
  await page.goto('/');
  for (const { kind, price, operation } of [
    { kind: 'Embeddings', price: /\$[\d.]+ per million tokens/, operation: 'createEmbeddings' },
    { kind: 'Images', price: /\$[\d.]+ a picture/, operation: 'createImages' },
  ]) {
    const choice = page.getByRole('group', { name: 'For' }).getByRole('button', { name: kind });
    // Lower parts of the page load with the first user input after hydration.
    await expect(async () => {
      await page.keyboard.press('Shift');
      await expect(choice).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await choice.click();
    const row = page.getByRole('row').filter({ hasText: price }).first();
    await row.getByRole('link', { name: /^Try / }).click();
    await expect(page).toHaveURL(new RegExp(`/reference#${operation}$`));
    await expect(page.locator(`#${operation}-title`)).toBeVisible();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await expect(page).toHaveURL(/\/$/);
  }
});

test.describe('the theme', () => {
  test('follows the system, can be chosen, and stays after a reload without a flash', async ({ page, shell }) => {
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Copy demo key' }).first()).toBeVisible();
    const light = await shell.ground();
    await shell.chooseTheme('Dark');
    const dark = await shell.ground();
    expect(dark).not.toBe(light);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(
      () => document.body !== null && getComputedStyle(document.body).backgroundColor !== 'rgba(0, 0, 0, 0)',
    );
    expect(await shell.ground()).toBe(dark);
    await shell.chooseTheme('System');
    expect(await shell.ground()).toBe(light);
  });
});

test.describe('the sandbox banner', () => {
  test('says what is a stand-in, hands out a key that works, and funds an address', async ({
    page,
    shell,
    request,
  }) => {
    await page.goto('/');
    await expect(shell.banner).toContainText('networks answer from local stand-ins');
    await page.getByRole('button', { name: 'What is a stand-in?' }).click();
    await expect(page.getByRole('dialog')).toContainText('base-mainnet');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Copy demo key' }).filter({ visible: true }).click();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    const answer = await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${key}` },
      data: { method: 'eth_chainId' },
    });
    expect(await answer.json()).toMatchObject({ result: '0x7a69' });
    await test.step('funds an address, and refuses an invalid one', async () => {
      await page.getByRole('button', { name: 'Faucet' }).click();
      const dialog = page.getByRole('dialog', { name: 'Faucet' });
      await dialog.getByLabel('Address').fill('0x12');
      await page.keyboard.press('Enter');
      await expect(dialog).toContainText('An EVM address is 0x and 40 hexadecimal digits.');
      const address = `0x${'5'.repeat(38)}${Date.now().toString(16).slice(-2)}`;
      await dialog.getByLabel('Address').fill(address);
      await dialog.getByRole('button', { name: 'Send test funds' }).click();
      await expect(dialog).toContainText(`Funded ${address}`);
      const balance = await request.post('/api/sandbox/rpc/sandbox-testnet', {
        data: { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] },
      });
      expect(BigInt(((await balance.json()) as { result: string }).result)).toBeGreaterThan(0n);
    });
  });

  test('is absent where the gateway runs live', async ({ page, shell }) => {
    await page.route('**/api/sandbox', (route) =>
      route.fulfill({ status: 404, json: { error: 'There is nothing at this path.', code: 'NOT_FOUND' } }),
    );
    await page.goto('/');
    await expect(shell.banner).toContainText('Live');
    await expect(shell.payer).toHaveAccessibleName('Choose a payment method');
    await expect(page.getByRole('button', { name: 'Faucet' })).toHaveCount(0);
  });
});

test.describe("a key of one's own", () => {
  test('is refused if it cannot be sent; is masked, pays in every tab, lives as long as they do, and only longer if asked', async ({
    page,
    shell,
    context,
  }) => {
    const key = 'tpk_secret_abcdefghijklmnop';
    await page.goto('/');
    await shell.useKey('two words and more');
    await expect(page.getByText('A key is 8 to 512 visible characters without spaces.')).toBeVisible();
    await page.keyboard.press('Escape');
    await shell.useRefusedKey(key);
    await expect(shell.payer).toHaveAccessibleName(/^Pays: tpk_••••mnop/);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
    const other = await context.newPage();
    await other.goto('/');
    const otherShell = new Shell(other);
    await expect(otherShell.payer).toHaveAccessibleName(/^Pays: tpk_••••mnop/);
    await shell.useRefusedKey(key, { remember: true });
    await other.reload();
    await expect(otherShell.payer).toHaveAccessibleName(/^Pays: tpk_••••mnop/);
    await shell.forgetKey();
    await expect(otherShell.payer).toHaveAccessibleName(/^Pays: Demo key/);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(key);
    expect(await other.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(key);
  });
});

test.describe('by keyboard alone', () => {
  test('from an empty page to an answer, and to a request of the log, a model and an endpoint', async ({
    page,
    shell,
    rpc,
    request,
  }) => {
    const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
    const answer = await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
      headers: { authorization: `Bearer ${demoKey}` },
      data: { method: 'eth_chainId' },
    });
    const id = answer.headers()['x-request-id'] ?? '';
    await page.goto('/');
    await test.step('from an empty page to an answer', async () => {
      await shell.search('rpc');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/rpc$/);
      await expect(rpc.sendButton).toBeEnabled();
      await shell.search('eth_chainId');
      await page.keyboard.press('Enter');
      await expect(rpc.editor).toContainText('eth_chainId');
      await page.keyboard.press('Control+Enter');
      await expect(rpc.answer).toContainText('result: "0x7a69"');
    });
    await test.step("a request of the caller's log, a model and an endpoint are found by the search", async () => {
      await shell.search(id);
      await expect(page.getByRole('option', { name: id })).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`/usage?request=${id}`);
      await shell.search('near-cloud-guide');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/chat/);
      await shell.search('/billing/requests');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/reference#billingRequests$/);
    });
  });

  test('Enter before the rows of the search have come waits for them and takes the first', async ({
    page,
    shell,
    rpc,
  }) => {
    const rows = await holdScripts(page, (code) => code.includes('["docs",'));
    await page.goto('/');
    await shell.search('eth_chainId');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
    await rows.release();
    await expect(rpc.editor).toContainText('eth_chainId');
  });

  test('the panes are resized with the arrow keys, within limits; Tab leaves the editor, and Ctrl Enter sends from it', async ({
    page,
    rpc,
  }) => {
    await rpc.open();
    const separator = page.getByRole('separator', { name: 'Width of the request' });
    await separator.focus();
    const width = (await rpc.request.boundingBox())?.width ?? 0;
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowLeft');
    expect((await rpc.request.boundingBox())?.width).toBeLessThan(width);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(separator).toHaveAttribute('aria-valuenow', '25');
    await test.step('the editor does not hold the focus', async () => {
      await rpc.editor.focus();
      const before = await rpc.editor.innerText();
      await page.keyboard.press('Control+Enter');
      await expect(rpc.answer).toContainText('result');
      expect(await rpc.editor.innerText()).toBe(before);
      await page.keyboard.press('Tab');
      await expect(rpc.editor).not.toBeFocused();
    });
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a call can be made with the thumb, and its answer comes into view', async ({ page, rpc }) => {
    await page.goto('/');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .filter({ visible: true })
      .getByRole('link', { name: 'RPC' })
      .tap();
    await expect(rpc.sendButton).toBeEnabled();
    await rpc.sendButton.tap();
    await expect(rpc.answer.getByText('result:')).toBeInViewport();
    await expect(rpc.sendButton).toBeInViewport();
  });
});

test.describe('the security policy', () => {
  test('every page has a nonce of its own and no inline script runs without it', async ({
    page,
    request,
    complaints,
  }) => {
    const nonceOf = (answer: APIResponse | Response | null) =>
      /'nonce-([^']+)'/.exec(answer?.headers()['content-security-policy'] ?? '')?.[1];
    const first = nonceOf(await page.goto('/rpc'));
    expect(first).toBeTruthy();
    const second = nonceOf(await request.get('/rpc'));
    expect(second).toBeTruthy();
    expect(second).not.toBe(first);
    await page.evaluate(() =>
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.injected = true">'),
    );
    await expect.poll(() => complaints.length).toBeGreaterThan(0);
    expect(complaints.splice(0).join()).toContain('Content Security Policy');
    expect(await page.evaluate(() => 'injected' in window)).toBe(false);
  });

  test('API answers are not touched by it', async ({ request }) => {
    const answer = await request.get('/api/v1/crypto/rpc/networks');
    expect(answer.headers()['content-security-policy'] ?? '').not.toContain('nonce-');
  });
});
