import { expect, type Locator } from '@playwright/test';

/**
 * Replaces the text of a loaded JSON editor, with the keys a person uses. `fill` would select through the DOM: the
 * editor hears of that only after a while, and what it draws until then takes its own selection for the right one.
 */
export async function typeInEditor(editor: Locator, text: string): Promise<void> {
  await expect(async () => {
    await editor.click({ timeout: 5000 });
    await editor.press('ControlOrMeta+a');
    if (text === '') await editor.press('Delete');
    else await editor.page().keyboard.insertText(text);
    expect(await textOf(editor)).toBe(text);
  }).toPass();
}

function textOf(editor: Locator): Promise<string> {
  return editor.evaluate((content) => Array.from(content.querySelectorAll('.cm-line'), (line) => line.textContent).join('\n'));
}
