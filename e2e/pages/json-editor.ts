import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Replaces the text of a loaded JSON editor by key presses. `fill` selects through the DOM, which the editor notices
 * too late: in the meantime, it draws its own selection again.
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

/** Makes the editor load by hovering over the text, and waits for it. */
export async function showEditor(page: Page): Promise<Locator> {
  const editor = page.locator('.cm-content').first();
  const plain = page.getByRole('main').locator('textarea.figures').first();
  await expect(async () => {
    // Moves the pointer again, because the page may not be hydrated yet and ignore it.
    if (await plain.isVisible()) await plain.hover({ position: { x: 40 + Math.random() * 40, y: 12 }, timeout: 2000 });
    await expect(editor).toBeVisible({ timeout: 2000 });
  }).toPass();
  return editor;
}

function textOf(editor: Locator): Promise<string> {
  return editor.evaluate((content) =>
    Array.from(content.querySelectorAll('.cm-line'), (line) => line.textContent).join('\n'),
  );
}
