import { readFile } from 'node:fs/promises';
import { expect, test } from './console-test';
import { expectFaultless } from './pages/accessibility';

const THREE = 'The first sentence is about a gate. The second one is a little longer, and it is about the road behind it. The third ends the tale.';

test.describe('speaking', () => {
  test('is heard, can be sought and downloaded', async ({ speech, page }) => {
    await speech.open();
    await speech.speak(THREE);
    // It plays by itself: the element advances.
    await expect.poll(() => speech.seconds(), { timeout: 30_000 }).toBeGreaterThan(0.3);
    const take = await speech.whole();
    const duration = await take.getByTestId('speech-audio').evaluate((audio: HTMLAudioElement) => audio.duration);
    expect(duration).toBeGreaterThan(4);
    await take.getByRole('button', { name: 'Pause' }).click();
    await take.getByRole('slider', { name: 'Position' }).fill('3');
    await expect.poll(() => speech.seconds()).toBeCloseTo(3, 0);
    const [download] = await Promise.all([page.waitForEvent('download'), take.getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toBe('tts-kokoro-af_sky.mp3');
    const bytes = await readFile((await download.path()) ?? '');
    // A frame of MPEG-2 layer III: eleven bits of synchronisation.
    expect(bytes[0]).toBe(0xff);
    expect((bytes[1] ?? 0) & 0xe0).toBe(0xe0);
    expect(bytes.length).toBeGreaterThan(10_000);
  });

  test('lights the sentence that is heard, and plays the one that is pressed', async ({ speech }) => {
    await speech.open();
    await speech.speak(THREE);
    const take = await speech.whole();
    const sentences = take.getByLabel('Sentences').getByRole('button');
    await expect(sentences).toHaveCount(3);
    await sentences.nth(2).click();
    await expect(sentences.nth(2)).toHaveAttribute('aria-current', 'true');
    await sentences.nth(0).click();
    await expect(sentences.nth(0)).toHaveAttribute('aria-current', 'true');
    await expect(sentences.nth(1)).toHaveAttribute('aria-current', 'true', { timeout: 15_000 });
  });

  test('says what it costs before and after, and the account was charged that', async ({ speech, page }) => {
    await speech.open();
    await speech.text.fill('Twenty characters ok');
    await expect(page.getByTestId('speech-cost').filter({ visible: true })).toHaveText('$0.00007');
    await speech.speakButton.click();
    const take = await speech.whole();
    await expect(take.getByTestId('take-cost')).toHaveText('$0.00007');
  });

  for (const format of ['Ogg Opus', 'AAC (ADTS)', 'FLAC', 'WAV', 'raw PCM']) {
    test(`plays ${format}`, async ({ speech, page }) => {
      await speech.open();
      await page.getByLabel('Format', { exact: true }).selectOption({ label: format });
      await speech.speak('This is one short sentence.');
      const take = await speech.whole();
      await expect.poll(() => take.getByTestId('speech-audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBeGreaterThan(0.8);
      await take.getByRole('button', { name: /^(Play|Pause)$/ }).click();
      await expect.poll(() => speech.seconds()).toBeGreaterThan(0);
    });
  }

  test('compares two voices on the same text; one plays at a time', async ({ speech, page }) => {
    await speech.open();
    await page.getByRole('button', { name: 'Compare with another voice' }).click();
    await speech.choose('Compared with', 'am_adam');
    await speech.speak('Which of us do you like better? Take your time.');
    await expect(speech.takes).toHaveCount(2);
    const [first, second] = [speech.takes.nth(0), speech.takes.nth(1)];
    await speech.whole(first);
    await speech.whole(second);
    await second.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => speech.seconds(second)).toBeGreaterThan(0);
    await expect(first.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  test('is kept in this browser, and can be erased', async ({ speech, page }) => {
    await speech.open();
    await speech.speak('Keep this sentence for later.');
    await speech.whole();
    await expect(speech.before).toBeVisible();
    await page.reload();
    await speech.before.getByRole('button', { name: /Keep this sentence/ }).click();
    const take = await speech.whole();
    await take.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => speech.seconds()).toBeGreaterThan(0);
    await speech.before.getByRole('button', { name: 'Erase all' }).click();
    await expect(speech.before).toHaveCount(0);
  });

  test('goes on where Speak is clicked twice in a row', async ({ speech, page }) => {
    await speech.open();
    await speech.text.fill('A sentence that is long enough to take a while, and then a little more. '.repeat(50));
    await speech.speakButton.dblclick();
    await expect(speech.takes.first().getByRole('status')).not.toContainText('stopped');
    await expect(page.getByTestId('speech-audio').first()).toBeAttached();
    await expect(speech.takes.first().getByRole('status')).toHaveText(/arriving|complete/);
  });

  test('stops when it is told to', async ({ speech, page }) => {
    await speech.open();
    await speech.speak('A sentence that is long enough to take a while, and then a little more. '.repeat(50));
    await page.getByRole('button', { name: 'Stop' }).filter({ visible: true }).click();
    await expect(speech.takes.first().getByRole('status')).toContainText('stopped');
    await expect(speech.speakButton).toBeEnabled();
  });
});

test.describe('what cannot be spoken', () => {
  test('is refused before it is sent: nothing, and too much', async ({ speech, page }) => {
    let sent = 0;
    page.on('request', (request) => (sent += request.url().endsWith('/audio/speech') ? 1 : 0));
    await speech.open();
    await speech.speak('');
    await expect(page.getByRole('alert').filter({ hasText: 'Not sent. Write a text first.' })).toBeVisible();
    await speech.speak('x'.repeat(4097));
    await expect(page.getByRole('alert').filter({ hasText: 'The text has 4,097 characters' })).toBeVisible();
    expect(sent).toBe(0);
  });

  test('a refusal of the gateway is a sentence', async ({ speech, page }) => {
    await speech.open();
    await page.route('**/api/v1/audio/speech', (route) => route.fulfill({ status: 503, headers: { 'x-request-id': 'r'.repeat(32), 'retry-after': '1' }, json: { error: 'All voices are busy.', code: 'SPEECH_BUSY' } }));
    await speech.speak('Hello.');
    await expect(page.getByRole('alert').filter({ hasText: 'All voices are busy.' })).toBeVisible();
  });
});

test('the page holds for assistive technology, by keyboard and on a phone', async ({ speech, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await speech.open();
  await speech.text.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Spoken by keyboard alone.');
  await page.keyboard.press('Control+Enter');
  await speech.whole();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expectFaultless(page);
});
