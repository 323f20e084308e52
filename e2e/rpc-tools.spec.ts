import type { Page } from '@playwright/test';
import { expect, test } from './console-test';
import { chooseOption } from './pages/choose-option';
import { expectAccessible, expectAccessibleInBothThemes } from './pages/accessibility';
import { showEditor } from './pages/json-editor';
import { SavedRequests } from './pages/saved-requests';

const ENDPOINT = '**/api/v1/crypto/rpc/sandbox-testnet';
const PHONE = { width: 390, height: 844 };

/** Replaces the result of the gateway's answer, as if it came from the chain. */
async function answerWith(page: Page, item: object): Promise<void> {
  await page.route(ENDPOINT, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { jsonrpc: '2.0', id: 1, ...item } });
  });
}

test.describe('saved requests', () => {
  test('are kept by name in collections, found, renamed, moved, deleted and brought back, in all tabs', async ({
    rpc,
    page,
    context,
  }) => {
    const saved = new SavedRequests(page);
    await rpc.open('?network=sandbox-testnet&method=eth_gasPrice&params=%5B%5D');
    await saved.show();
    await saved.region.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(saved.region.getByRole('alert')).toHaveText('Give the request a name.');
    await expect(saved.region.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await saved.save('  Price \u202e of gas ', 'Daily');
    await expect(saved.region.getByRole('status')).toHaveText('“Price of gas” is saved in Daily.');
    await saved.save('مرحبا 🦄', 'Others');
    await expect(saved.collections).toHaveCount(2);

    const other = new SavedRequests(await context.newPage());
    await other.page.goto('/rpc');
    await showEditor(other.page);
    await other.show();
    await expect(other.request('Price of gas')).toBeVisible();

    await saved.region.getByRole('button', { name: 'Rename or move Price of gas' }).press('Enter');
    await expect(saved.region.getByRole('listitem').getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type(' today');
    await chooseOption(saved.region.getByRole('listitem').getByRole('combobox', { name: 'Collection' }), 'Others');
    await saved.region.getByRole('button', { name: 'Done' }).click();
    await expect(saved.collection('Others').getByRole('listitem')).toHaveCount(2);
    await expect(saved.region.getByRole('button', { name: 'Rename or move Price of gas today' })).toBeFocused();
    await expect(other.request('Price of gas today')).toBeVisible();

    await saved.region.getByRole('button', { name: 'Delete Price of gas today' }).press('Enter');
    await expect(other.request('Price of gas today')).toHaveCount(0);
    await expect(saved.region.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(saved.request('Price of gas today')).toBeFocused();
    await saved.region.getByRole('button', { name: 'Delete Others' }).click();
    await saved.region.getByRole('button', { name: 'Undo' }).click();
    await expect(saved.collection('Others').getByRole('listitem')).toHaveCount(2);
    await expectAccessibleInBothThemes(page);

    await saved.region.getByRole('searchbox').fill('TODAY others');
    await expect(saved.region.getByRole('listitem')).toHaveCount(1);
    await saved.region.getByRole('searchbox').fill('nothing of this');
    await expect(saved.region).toContainText('No saved request has all of these words.');
  });

  test('run nothing, lose nothing that stands in the editor, and leave as a file and come back from one', async ({
    rpc,
    page,
  }) => {
    const calls: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
    const saved = new SavedRequests(page);
    await rpc.open('?network=base-mainnet&method=eth_gasPrice&params=%5B%5D');
    await saved.show();
    await saved.save('Gas', 'Daily');
    await page.getByRole('tab', { name: 'Request' }).click();
    await rpc.type('{"id":77,"method":"eth_chainId"}');
    await saved.show();
    await saved.request('Gas').click();
    await expect(rpc.editor).toContainText('eth_gasPrice');
    await page.getByRole('button', { name: 'Back to mine' }).click();
    await expect(rpc.editor).toContainText('"id":77');
    expect(calls).toEqual([]);
    await saved.show();
    const file = await saved.exported('Daily');
    await saved.import(file);
    await expect(saved.region.getByRole('status')).toHaveText('“Daily” was imported, with 1 request.');
    await expect(saved.collection('Daily (2)').getByRole('listitem')).toHaveCount(1);
    await test.step('what is no such file is said', async () => {
      for (const [text, sentence] of [
        ['{', 'is not JSON'],
        ['{"openapi":"3.1.0"}', 'not a collection'],
        [file.replace('"version": 1', '"version": 9'), 'newer version'],
      ] as const) {
        await saved.import(text);
        await expect(saved.region.getByRole('status')).toContainText(sentence);
      }
    });
    await test.step('a full storage is said and loses nothing', async () => {
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      });
      await saved.save('One too many', 'Daily');
      await expect(saved.region.getByRole('alert')).toContainText('Not saved: this browser has no room left');
      await expect(saved.region.getByRole('textbox', { name: 'Name' })).toHaveValue('One too many');
      await expect(saved.region.getByRole('listitem')).toHaveCount(2);
    });
  });
});

test('values of an answer are decoded beside them, by keyboard, and say why a contract has reverted', async ({
  rpc,
  page,
}) => {
  await rpc.open('?network=sandbox-testnet&method=eth_getBlockByNumber');
  await rpc.send();
  const control = rpc.answer.getByRole('button', { name: 'Decode timestamp' });
  await control.focus();
  await page.keyboard.press('Enter');
  await expect(control).toHaveAttribute('aria-expanded', 'true');
  const seconds = BigInt(
    await rpc.answer.evaluate((pane) => /timestamp: "(0x[0-9a-f]+)"/.exec(pane.textContent)?.[1] ?? '0x0'),
  );
  await expect(rpc.answer.getByText(new Date(Number(seconds) * 1000).toISOString().replace('.000', ''))).toBeVisible();
  await rpc.answer.getByRole('button', { name: 'Copy: Decimal' }).click();
  expect(await rpc.clipboard()).toBe(seconds.toLocaleString('en-US'));
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await control.press('Enter');
  await expect(rpc.answer.locator('time')).toHaveCount(0);
  await test.step('say why a contract has reverted', async () => {
    await rpc.chooseMethod('eth_call');
    const reason =
      '08c379a0' +
      '20'.padStart(64, '0') +
      '8'.padStart(64, '0') +
      Buffer.from('too late').toString('hex').padEnd(64, '0');
    await answerWith(page, { error: { code: 3, message: 'execution reverted', data: `0x${reason}` } });
    await rpc.send();
    await rpc.answer.getByRole('button', { name: 'Decode data' }).click();
    await expect(rpc.answer.getByText('Reverted with')).toBeVisible();
    await expect(rpc.answer.getByText('too late')).toBeVisible();
  });
});

for (const viewport of [PHONE, { width: 1440, height: 900 }]) {
  test.describe(`a contract, at ${viewport.width} px`, () => {
    test.use({ viewport });

    test('is called by its ABI: bad arguments are said, the request is written, the answer decoded', async ({
      rpc,
      page,
    }) => {
      await rpc.open('?network=sandbox-testnet&method=eth_call');
      await page.getByRole('button', { name: 'Fill in from an ABI…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Call a contract function' });
      await dialog.getByRole('textbox', { name: 'ABI' }).fill('not an abi 🦄');
      await expect(dialog).toContainText('Line 1 is not a signature that can be read');
      await dialog
        .getByRole('textbox', { name: 'ABI' })
        .fill('balanceOf(address owner) view returns (uint256 amount)\nsend(uint8 count, bool fast, uint256[2] parts)');
      await dialog.getByRole('button', { name: 'Write the request' }).click();
      await expect(dialog.getByRole('textbox', { name: 'Contract address' })).toBeFocused();
      await dialog
        .getByRole('textbox', { name: 'Contract address' })
        .fill(' 0xcA11bde05977b3631167028862bE2a173976CA11 ');
      await chooseOption(dialog.getByRole('combobox', { name: 'Function' }), 'send(uint8,bool,uint256[2])');
      await dialog.getByRole('textbox', { name: 'count' }).fill('256');
      await expect(dialog).toContainText('goes from 0 to 255');
      await dialog.getByRole('textbox', { name: 'parts' }).fill('[1]');
      await expect(dialog).toContainText('exactly 2 items');
      await expectAccessible(page);
      await chooseOption(dialog.getByRole('combobox', { name: 'Function' }), 'balanceOf(address)');
      await dialog.getByRole('textbox', { name: 'owner' }).fill('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
      await dialog.getByRole('button', { name: 'Write the request' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('button', { name: 'Fill in from an ABI…' })).toBeFocused();
      await expect(rpc.editor).toContainText(
        '0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      );

      await answerWith(page, { result: `0x${(10n ** 18n).toString(16).padStart(64, '0')}` });
      await rpc.send();
      const decoded = rpc.answer.getByRole('region', { name: 'Decoded by the ABI' });
      await expect(decoded).toContainText('balanceOf(address)');
      await expect(decoded).toContainText('1000000000000000000');
      await expectAccessible(page);
      await page.unroute(ENDPOINT);
      await answerWith(page, { result: '0x' });
      await rpc.send();
      await expect(rpc.answer).toContainText('Probably there is no contract at this address');
    });
  });
}

test.describe('what goes wrong', () => {
  test('a 429 counts down, is sent when the wait is over, and goes on by itself; a 503 is sent again with a click', async ({
    rpc,
    page,
    failure,
  }) => {
    await page.clock.install();
    await rpc.open();
    await page.route(ENDPOINT, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '600' },
        json: { error: 'Too many requests in this minute.', code: 'RATE_LIMIT' },
      }),
    );
    await rpc.send();
    await expect(failure.card).toContainText('not charged');
    await failure.card.getByRole('button', { name: 'Send it when the wait is over' }).click();
    await expectAccessible(page);
    await page.unroute(ENDPOINT);
    await page.clock.runFor(601_000);
    await expect(rpc.answer).toContainText('result: "0x');
    await failure.isGone();
    await page.route(ENDPOINT, (route) =>
      route.fulfill({ status: 503, json: { error: 'The gateway is starting.', code: 'UNAVAILABLE' } }),
    );
    await rpc.send();
    await expect(failure.card).toContainText('The gateway is starting.');
    await page.unroute(ENDPOINT);
    await failure.card.getByRole('button', { name: /^Send again/ }).click();
    await expect(rpc.answer).toContainText('result: "0x');
    await failure.isGone();
  });

  test('a request of a megabyte leaves the page usable, and a link that is too long is said at once and takes nothing away', async ({
    rpc,
    page,
  }) => {
    await rpc.open();
    await rpc.editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(`{"id":1,"method":"eth_sendRawTransaction","params":["0x${'ab'.repeat(500_000)}"]}`);
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeDisabled();
    await rpc.chooseMethod('eth_chainId');
    await rpc.send();
    await expect(rpc.answer).toContainText('result: "0x7a69"');
    await test.step('a link that is too long', async () => {
      await rpc.type('{"id":5,"method":"eth_gasPrice"}');
      // From the same page, only the fragment would change.
      await page.getByRole('link', { name: 'Overview' }).first().click();
      await expect(page).toHaveURL(/\/$/);
      await page.goto(`/rpc#network=sandbox-testnet&body=${'a'.repeat(1_000_000)}`);
      await expect(page.getByText('This link is too long to open.')).toBeVisible();
      await expect(await showEditor(page)).toContainText('"id":5');
      await rpc.send();
      await expect(rpc.answer).toContainText('result');
      await expect(page.getByText('This link is too long to open.')).toBeHidden();
    });
  });
});

test('the first call takes the keyboard alone, and the focus stays', async ({ page, rpc }) => {
  await page.goto('/rpc');
  await expect(rpc.sendButton).toBeEnabled();
  await page.getByRole('link', { name: 'Skip to the page' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^Network: / })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^Network health/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^Method/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox').filter({ visible: true })).toBeFocused();
  await page.keyboard.type('eth_chainId');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Method: eth_chainId' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(rpc.sendButton).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rpc.answer).toContainText('result: "0x7a69"');
  await expect(rpc.sendButton).toBeFocused();
});
