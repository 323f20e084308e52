import type { Page } from '@playwright/test';
import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';
import { showEditor } from './pages/json-editor';

const HEX = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const PHRASE = 'cactus dragon ladder yellow wave sausage worth useful legal winner thank puzzle';
const said = (page: Page) => page.getByRole('alert').filter({ hasText: 'It was not entered, stored or sent.' });

/** Writes a text to the clipboard and pastes it into the focused element. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+v');
}

async function expectNowhere(page: Page, secret: string): Promise<void> {
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(secret);
}

test.describe('a private key', () => {
  test('pasted or put into a field of any page is recognized, and is nowhere', async ({ page, shell }) => {
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.goto('/chat');
    for (const [title, label] of [
      ['Chat', 'Your question'],
      ['Video', 'Prompt'],
      ['Speech', 'Text to speak'],
      ['RPC', 'Idempotency-Key'],
    ] as const)
      await test.step(label, async () => {
        if (title !== 'Chat') await page.getByRole('link', { name: title, exact: true }).first().click();
        if (title === 'RPC') await page.getByRole('button', { name: 'Options' }).click();
        const field = page.getByLabel(label);
        await expect(field).toBeEditable();
        await field.fill('before');
        await field.focus();
        await paste(page, HEX);
        await expect(said(page)).toContainText('That looks like the private key of a wallet.');
        await expect(field).toHaveValue('before');
        await page.getByRole('button', { name: 'Close', exact: true }).click();
        await expect(said(page)).toBeHidden();
        await field.fill(` ${HEX}`);
        await expect(said(page)).toBeVisible();
        await expect(field).not.toHaveValue(new RegExp(HEX));
        await field.fill('');
        await field.focus();
        await paste(page, PHRASE);
        await expect(said(page)).toContainText('That looks like the seed phrase of a wallet.');
        await expect(field).toHaveValue('');
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Close', exact: true }).click();
        await expect(said(page)).toBeHidden();
        await expectNowhere(page, HEX);
        await expectNowhere(page, 'cactus');
      });
    await test.step('put where an API key belongs, it is not kept', async () => {
      await shell.payer.click();
      const field = page.getByLabel(/API key$/);
      await field.fill(`0x${HEX}`);
      await expect(said(page)).toBeVisible();
      await expect(page.getByText('That was not accepted')).toBeVisible();
      await expect(field).toHaveValue('');
      await expectNowhere(page, HEX);
    });
    expect(sent.filter((each) => each.includes(HEX) || each.includes('cactus'))).toEqual([]);
  });

  test('is recognized beside hashes, which go into requests and fields as before; a person can overrule the warning', async ({
    rpc,
    chat,
    page,
  }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_getTransactionByHash');
    await rpc.editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await paste(page, `0x${HEX}`);
    await expect(rpc.editor).toContainText(HEX);
    await expect(said(page)).toBeHidden();
    await page.keyboard.press('ControlOrMeta+a');
    await paste(page, HEX);
    await expect(said(page)).toBeVisible();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(said(page)).toBeHidden();
    await test.step('of Solana, it goes into no field for bare hashes, which go in', async () => {
      await page.getByRole('link', { name: 'API reference', exact: true }).first().click();
      const field = page.getByLabel(/^sha256/).first();
      await field.focus();
      await paste(page, HEX);
      await expect(field).toHaveValue(HEX);
      await field.fill('');
      await paste(page, JSON.stringify(Array.from({ length: 64 }, (_, index) => index)));
      await expect(said(page)).toContainText('That looks like the private key of a wallet.');
      await expect(field).toHaveValue('');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await expect(said(page)).toBeHidden();
    });
    await test.step('a person can overrule the warning', async () => {
      await page.getByRole('link', { name: 'Chat', exact: true }).first().click();
      await chat.chooseModel('guide');
      await chat.question.focus();
      await paste(page, `0x${HEX}`);
      await page.getByRole('button', { name: 'It is no secret: enter it' }).click();
      await expect(chat.question).toHaveValue(`0x${HEX}`);
      await expect(said(page)).toBeHidden();
    });
  });
});

test.describe('a link to a request', () => {
  test('runs nothing, and gives back what it has replaced', async ({ rpc, page }) => {
    const calls: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/crypto/rpc/') && request.method() === 'POST' && calls.push(request.url()),
    );
    await rpc.open();
    await rpc.type('{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}');
    await page.goto(
      `/rpc?network=sandbox-testnet&body=${encodeURIComponent('{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x<img src=x onerror=alert(1)>"]}')}&compare=base-mainnet`,
    );
    await showEditor(page);
    await expect(rpc.editor).toContainText('eth_sendRawTransaction');
    await page.waitForTimeout(1_000);
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'Back to mine' }).click();
    await expect(rpc.editor).toContainText('eth_gasPrice');
  });

  for (const [name, link] of [
    ['cut off', '?network=sandbox-testnet&body=%7B%22jsonrpc%22%3A%222.0%22%2C%22id'],
    ['with half a character', '?network=sandbox-testnet&body=%E0%A4%A'],
    ['to an unknown network', '?network=javascript%3Aalert(1)&method=__proto__'],
    ['with invalid parameters', '?network=sandbox-testnet&method=eth_call&params=%7B%7D'],
    ['of a megabyte', `#network=sandbox-testnet&body=${'a'.repeat(1_000_000)}`],
  ] as const) {
    test(`${name} breaks nothing`, async ({ page }) => {
      await page.goto(`/rpc${link}`);
      await showEditor(page);
      await page.getByRole('link', { name: 'Overview' }).first().click();
      await expect(page).toHaveURL(/\/$/);
    });
  }
});
