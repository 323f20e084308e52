import { expect, test } from './console-test';
import { holdScripts } from './pages/held-scripts';

const FIRST_HALF = '{"id":1,';
const SECOND_HALF = '"method":"eth_chainId"}';

test.describe('who types while the page still loads', () => {
  test('is not interrupted by the editor that arrives', async ({ page, rpc }) => {
    const editorCode = await holdScripts(page, (code) => code.includes('cm-content'));
    await page.goto('/rpc');
    const plain = page.getByRole('textbox', { name: 'JSON-RPC request' });
    await expect(plain).toBeEditable();
    await plain.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(FIRST_HALF);
    await editorCode.release();
    await page.keyboard.type(SECOND_HALF);
    await expect(plain).toHaveValue(FIRST_HALF + SECOND_HALF);
    await plain.blur();
    await expect(rpc.editor).toHaveText(FIRST_HALF + SECOND_HALF);
  });

  for (const [path, field] of [
    ['/rpc', 'JSON-RPC request'],
    ['/chat', 'Your question'],
    ['/speech', 'Text to speak'],
  ] as const) {
    test(`loses nothing of ${field}: it takes no text before the page is alive`, async ({ page }) => {
      const code = await holdScripts(page, () => true);
      await page.goto(path, { waitUntil: 'commit' });
      // The document is complete, and no script has run.
      await page.waitForFunction(() => document.readyState !== 'loading');
      const early = page.getByRole('textbox', { name: field, exact: true });
      const before = await early.inputValue();
      await early.click();
      await page.keyboard.type('lost');
      expect(await early.inputValue()).toBe(before);
      await code.release();
      await early.fill('kept');
      await expect(early).toHaveValue('kept');
    });
  }

  test('and waits in the text area for the page to come alive, types there, and is not sent away', async ({ page }) => {
    const code = await holdScripts(page, () => true);
    await page.goto('/rpc', { waitUntil: 'commit' });
    const plain = page.getByRole('textbox', { name: 'JSON-RPC request' });
    await plain.click();
    await code.release();
    await expect(plain).toBeEditable();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(FIRST_HALF + SECOND_HALF);
    await expect(plain).toHaveValue(FIRST_HALF + SECOND_HALF);
    await expect(plain).toBeFocused();
  });
});
