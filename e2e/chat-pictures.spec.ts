import sharp from 'sharp';
import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { expectNoPanning } from './pages/narrow';

/** A photo of two colours. It is larger than the sent picture, and its metadata says where it was taken. */
const PHOTO = await sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: '#1d4ed8' } })
  .composite([
    { input: { create: { width: 750, height: 1_500, channels: 3, background: '#facc15' } }, left: 0, top: 0 },
  ])
  .withExif({ IFD0: { ImageDescription: 'taken-at-home' } })
  .jpeg()
  .toBuffer();

for (const [name, viewport] of [
  ['on a desktop', { width: 1440, height: 900 }],
  ['on a phone', { width: 360, height: 740 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport });

    test('a picture is shown, made smaller, seen by the model, kept, and said to be gone where it is', async ({
      chat,
      page,
    }) => {
      await chat.open('guide');
      await chat.attachPicture('photo.jpg', 'image/jpeg', PHOTO);
      await expect(chat.pictures.getByRole('img', { name: 'photo.jpg' })).toBeVisible();
      await expectAccessibleInBothThemes(page);
      await expectNoPanning(page);
      await chat.attachPicture('broken.png', 'image/png', Buffer.from('no picture'));
      await expect(page.getByRole('alert', { name: 'Not attached' })).toContainText('broken.png is not a picture');
      await page.reload();
      await expect(chat.pictures.getByRole('img', { name: 'photo.jpg' })).toBeVisible();

      const answer = await chat.ask('What is this?');
      await expect(answer).toContainText('JPEG, 1568 × 784 pixels');
      await expect(answer).toContainText(/blue #[\da-f]{6} 75 %, yellow #[\da-f]{6} 25 %/);
      await expect(answer).toContainText('1,571');
      const { messages } = JSON.parse(chat.sentBodies.at(-1) ?? '') as {
        messages: { content: { type: string; text?: string; image_url?: { url: string } }[] }[];
      };
      const [text, image] = messages.at(-1)?.content ?? [];
      expect(text).toEqual({ type: 'text', text: 'What is this?' });
      expect(image?.image_url?.url).toMatch(/^data:image\/jpeg;base64,/);
      expect(Buffer.from(image?.image_url?.url.split(',')[1] ?? '', 'base64').toString('latin1')).not.toContain('home');
      await expect(chat.pictures).toHaveCount(1);
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('base64');

      await page.reload();
      await expect(chat.turns.first().getByRole('img', { name: 'photo.jpg' })).toBeVisible();
      await page.evaluate(() => caches.delete('turnpike.chat-pictures'));
      await page.reload();
      await expect(chat.turns.first()).toContainText('photo.jpg is no longer in this browser.');
      await chat.ask('And what does it cost?');
      expect(chat.sentBodies.at(-1)).toContain('[An image was here. It cannot be shown.]');
    });
  });
}

test('a picture goes inside the encryption, and to no model that does not see', async ({ chat, page }) => {
  await chat.open('tinfoil-guide');
  await chat.attachPicture('photo.jpg', 'image/jpeg', PHOTO);
  await expect(chat.pictures.getByRole('img')).toHaveCount(1);
  await chat.chooseModel('e2ee-guide');
  await expect(page.getByText('e2ee-guide does not see pictures. Remove them, or choose tinfoil-guide.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await chat.dropFile('pasted.png', 'x', 'image/png');
  await expect(page.getByRole('alert', { name: 'Not attached' })).toContainText(
    'pasted.png was left out: e2ee-guide does not see pictures. tinfoil-guide does.',
  );
  await chat.chooseModel('tinfoil-guide');
  const answer = await chat.ask('What is this?');
  await expect(answer).toContainText('JPEG, 1568 × 784 pixels');
  expect(chat.sentBodies.at(-1)).not.toContain('image_url');
  await chat.attachPicture('again.png', 'image/jpeg', PHOTO);
  await chat.pictures.last().getByRole('button', { name: 'Remove again.png' }).press('Enter');
  await expect(chat.question).toBeFocused();
});
