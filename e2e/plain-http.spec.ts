import playwrightConfig from '../playwright.config';
import { expect, test } from './console-test';
import { showEditor } from './pages/json-editor';

/** Address of a local network that leads to the gateway. Browsers do not treat such a page as secure. */
const ADDRESS = '192.168.77.7';
const gateway = new URL(process.env.E2E_BASE_URL ?? 'http://localhost:3000');
const origin = `http://${ADDRESS}:${gateway.port}`;
const launch = playwrightConfig.use?.launchOptions ?? {};

test.use({
  baseURL: origin,
  permissions: [],
  launchOptions: {
    ...launch,
    args: [...(launch.args ?? []), `--host-resolver-rules=MAP ${ADDRESS} ${gateway.hostname}`],
  },
});

const PHONE = { width: 390, height: 844 };

test.describe('the console by plain HTTP, from another machine of the network', () => {
  test.afterEach(async ({ page }) => {
    expect(
      await page.evaluate(() => [window.isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]),
    ).toEqual([false, 'undefined', 'undefined']);
  });

  test('answers a question with a model that needs no proof, and shows and closes what crossed the wire', async ({
    chat,
    page,
  }) => {
    await chat.open();
    await expect(page.getByRole('button', { name: 'Model: guide' })).toBeVisible();
    const answer = await chat.ask('How is an RPC call priced?');
    await expect(answer.getByTestId('answer-facts')).toContainText('tokens');
    await answer.getByRole('button', { name: 'What crossed the wire' }).click();
    await expect(page.getByRole('region', { name: 'What crossed the wire' })).toBeVisible();
    await answer.getByRole('button', { name: 'What crossed the wire' }).click();
    await expect(page.getByRole('region', { name: 'What crossed the wire' })).toHaveCount(0);
    await expect(answer.getByTestId('answer-facts')).toBeVisible();
    await page.reload();
    await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
  });

  test('says of a private model why it is not asked here, and how it can be', async ({ chat, page }) => {
    await chat.open('e2ee-guide');
    await expect(page.getByText('Private chats need HTTPS').first()).toBeVisible();
    await expect(page.getByRole('log')).toContainText(`http://localhost:${gateway.port}/chat`);
    await expect(page.getByRole('button', { name: 'Privacy: Not verified' })).toBeVisible();
    await chat.question.fill('Is this private?');
    await expect(page.locator('[type=submit]').filter({ hasText: 'Send' })).toBeDisabled();
    await page.setViewportSize(PHONE);
    await expect(page.getByText('Private chats need HTTPS').first()).toBeVisible();
    expect(chat.sentBodies).toEqual([]);
  });

  test('copies, makes an RPC call, and keeps it in the history', async ({ rpc, page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Copy demo key' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
    await page.getByRole('link', { name: 'Chat', exact: true }).first().click();
    const question = page.getByLabel('Your question');
    await expect(question).toBeEditable();
    await question.focus();
    await page.keyboard.press('ControlOrMeta+v');
    await expect(question).toHaveValue(/^tpk_/);
    await test.step('makes an RPC call, and keeps it in the history', async () => {
      await page.getByRole('link', { name: 'RPC', exact: true }).first().click();
      await showEditor(page);
      await rpc.send();
      await expect(rpc.answer).toContainText('result');
      await rpc.openIdempotencyKey();
      await page.getByRole('button', { name: 'Make one' }).click();
      await expect(page.getByLabel('Idempotency-Key')).toHaveValue(/^console-[0-9a-f-]{36}$/);
      await page.getByRole('tab', { name: 'History' }).click();
      await expect(page.getByText('eth_blockNumber').first()).toBeVisible();
    });
  });

  test('connects the demo wallet and asks it to sign', async ({ wallets, page }) => {
    await page.goto('/top-up');
    await wallets.openDialog();
    await wallets.connect('ethereum', 'Demo wallet');
    await wallets.fund();
    await wallets.connect('solana', 'Demo wallet');
    await wallets.close();
    await page.getByRole('button', { name: /^Review 10.00/ }).click();
    await page.getByRole('button', { name: 'Sign with Demo wallet' }).click();
    await wallets.answer('Sign');
    await expect(page.getByRole('heading', { name: 'Credited' })).toBeVisible();
  });
});
