import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { showEditor, typeInEditor } from './pages/json-editor';
import { expectNoPanning } from './pages/narrow';

const HEX = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const NOTES = 'The lighthouse of Zanzibar-4c1f has 214 steps.\n```\nnot the end\n```\n';

for (const [name, viewport] of [
  ['on a desktop', { width: 1440, height: 900 }],
  ['on a phone', { width: 360, height: 740 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport });

    test('text files go with a question, are refused with a sentence where they must be, and stay with it', async ({
      chat,
      page,
    }) => {
      await chat.open('guide');
      await chat.attach(
        { name: 'notes.md', text: NOTES },
        { name: 'a name that is longer than anybody would give to a file of theirs שלום 🙂.txt', text: 'x' },
      );
      await expect(chat.attached.getByRole('listitem')).toHaveCount(2);
      await chat.attach(
        { name: 'wallet.env', text: `PRIVATE_KEY=0x${HEX}` },
        { name: 'photo.png', text: '\u0000\u0001' },
        { name: 'huge.log', text: 'x'.repeat(1_000_000) },
      );
      const refused = page.getByRole('alert', { name: 'Not attached' });
      await expect(refused.getByRole('listitem')).toHaveText([
        /wallet\.env.*private key.*Nothing of it was kept/,
        /photo\.png is not a text file/,
        /huge\.log is 1\.0 MB; the most is 100\.0 kB/,
      ]);
      await expectAccessibleInBothThemes(page);
      await expectNoPanning(page);
      await refused.getByRole('button', { name: 'Dismiss' }).press('Enter');
      await expect(chat.question).toBeFocused();
      await chat.attached.getByRole('button', { name: /^Remove a name/ }).press('Enter');
      await expect(chat.attached.getByRole('button', { name: 'Remove notes.md' })).toBeFocused();
      await page.reload();
      await expect(chat.attached).toContainText('notes.md');
      await chat.dropFile('dropped.txt', 'Dropped here.');
      await expect(chat.attached.getByRole('listitem')).toHaveCount(2);
      await chat.ask('How many steps?');
      await expect(chat.attached).toHaveCount(1);
      const { messages } = JSON.parse(chat.sentBodies.at(-1) ?? '') as { messages: { content: string }[] };
      expect(messages.at(-1)?.content).toContain(
        `How many steps?\n\nFile "notes.md":\n\`\`\`\`\n${NOTES.trimEnd()}\n\`\`\`\``,
      );
      expect(messages.at(-1)?.content).toContain('Dropped here.');
      const shown = chat.turns.first().getByRole('list', { name: 'Attached files' });
      await shown.getByText('notes.md').click();
      await expect(shown).toContainText('214 steps');
      await chat.turns.first().getByRole('button', { name: 'Edit the question' }).click();
      await page.getByLabel('The question, edited').fill('How tall?');
      await page.keyboard.press('Enter');
      await chat.settled();
      expect(chat.sentBodies.at(-1)).toContain('214 steps');
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(HEX);
    });
  });
}

test('a schema that is emptied is written anew where it stood, and leaves on demand', async ({ chat, page }) => {
  await chat.open('guide');
  await chat.show('Setup');
  await page.getByRole('button', { name: 'Add a schema' }).click();
  const editor = await showEditor(page);
  await typeInEditor(editor, '');
  await expect(page.getByText('No schema yet: answers are plain text.')).toBeVisible();
  await expect(editor).toBeVisible();
  await typeInEditor(editor, '{}');
  await expect(page.getByRole('list', { name: 'Errors in the schema' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove the schema' }).click();
  await expect(page.getByRole('button', { name: 'Add a schema' })).toBeFocused();
});
