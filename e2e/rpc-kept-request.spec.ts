import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from './console-test';
import { showEditor } from './pages/json-editor';

const run = promisify(execFile);

test.describe('taking a request elsewhere', () => {
  test('a link brings back the same request, the copied curl gets the same answer, and code masks the key until asked', async ({
    rpc,
    context,
  }) => {
    await rpc.open();
    await rpc.chooseNetwork('base mainnet', 'base-mainnet');
    await test.step('a link brings back the same request', async () => {
      await rpc.chooseMethod('eth_getBlockByNumber');
      await rpc.page.getByRole('button', { name: 'Copy link' }).click();
      const text = await rpc.editor.innerText();
      const other = await context.newPage();
      await other.goto(await rpc.clipboard());
      await expect(other.getByRole('button', { name: 'Network: base-mainnet' })).toBeVisible();
      await expect(await showEditor(other)).toHaveText(text, { useInnerText: true });
      await other.close();
    });
    await test.step('the copied curl, run in a shell, gets the same answer', async () => {
      await rpc.chooseMethod('eth_chainId');
      await rpc.send();
      await rpc.page.getByRole('tab', { name: 'Raw' }).click();
      const shown = await rpc.answer.locator('pre').innerText();
      await rpc.showCode('curl');
      await rpc.request.getByRole('button', { name: 'Copy', exact: true }).click();
      const { stdout } = await run('sh', ['-c', await rpc.clipboard()]);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(shown));
    });
    await test.step('code masks the key until asked', async () => {
      const code = rpc.request.locator('pre');
      await expect(code).toContainText('Bearer tpk_••••');
      await rpc.request.getByRole('button', { name: 'Show the key' }).click();
      await expect(code).toContainText(/Bearer tpk_demo_[\w-]{20,}/);
    });
  });

  test('a reload, Back and a link lose neither what was sent nor what was typed', async ({ rpc, page }) => {
    await rpc.open();
    await test.step('a reload brings back what was sent', async () => {
      await rpc.type('[{"id":"a","method":"eth_chainId"},{"id":"b","method":"eth_gasPrice"}]');
      await rpc.send();
      await expect(rpc.answer).toContainText('2 results');
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await expect(await showEditor(page)).toContainText('eth_gasPrice');
    });
    await test.step('a reload and Back bring back what was typed after it was sent', async () => {
      await rpc.type('{"id":4,"method":"eth_chainId"}');
      await rpc.send();
      await expect(rpc.answer).toContainText('0x7a69');
      await rpc.type('{"id":5,"method":"eth_gasPrice"}');
      await page.reload();
      await expect(await showEditor(page)).toContainText('eth_gasPrice');
      await expect(page.getByText('Another request has taken the place of yours.')).toHaveCount(0);
      await page.getByRole('link', { name: 'Usage' }).first().click();
      await expect(page).toHaveURL(/usage/);
      await page.goBack();
      await expect(await showEditor(page)).toContainText('eth_gasPrice');
    });
    await test.step('a request that a link brought is not called unsent once it was sent', async () => {
      await rpc.open('?network=sandbox-testnet&method=eth_chainId');
      await expect(page.getByText('It has not been sent.')).toBeVisible();
      await rpc.send();
      await expect(rpc.answer).toContainText('0x7a69');
      await expect(page.getByText('It has not been sent.')).toHaveCount(0);
      await page.getByRole('button', { name: 'Back to mine' }).click();
      await expect(rpc.editor).toContainText('eth_gasPrice');
    });
  });

  test('an answer says what it answers as soon as the form asks something else, and the history brings a call back', async ({
    rpc,
    page,
  }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_chainId');
    await rpc.send();
    await expect(rpc.answer).toContainText('0x7a69');
    const mark = rpc.answer.getByText('Answers eth_chainId on sandbox-testnet, not the request as it is now.');
    await expect(mark).toHaveCount(0);
    await rpc.type('{"id":5,"method":"eth_gasPrice"}');
    await expect(mark).toBeVisible();
    await expect(rpc.answer).toContainText('earlier request');
    await rpc.send();
    await expect(mark).toHaveCount(0);
    await rpc.chooseNetwork('base mainnet', 'base-mainnet');
    await expect(rpc.answer.getByText('Answers eth_gasPrice on sandbox-testnet')).toBeVisible();
    await test.step('the history lists calls and brings one back', async () => {
      await rpc.chooseMethod('eth_chainId');
      await page.getByRole('tab', { name: 'History' }).click();
      const entries = page.getByRole('list', { name: 'Past calls' }).getByRole('button');
      await expect(entries).toHaveCount(2);
      await entries.first().click();
      await expect(rpc.editor).toContainText('eth_gasPrice');
    });
  });
});
