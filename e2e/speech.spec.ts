import { readFile } from 'node:fs/promises';
import { expect, test } from './console-test';
import { chooseOption } from './pages/choose-option';
import { expectFaultless } from './pages/accessibility';
import { holdScripts } from './pages/held-scripts';
import { openWithEmptyPayer } from './wallets/empty-payer';

const THREE =
  'The first sentence is about a gate. The second one is a little longer, and it is about the road behind it. The third ends the tale.';

test.describe('speaking', () => {
  test('costs what the page says, can be heard, sought, downloaded and compared, and is there after another page', async ({
    speech,
    page,
  }) => {
    await speech.open();
    await test.step('is heard, can be sought and downloaded', async () => {
      await speech.speak(THREE);
      // The audio plays by itself.
      await expect.poll(() => speech.seconds(), { timeout: 30_000 }).toBeGreaterThan(0.3);
      const take = await speech.whole();
      expect(await speech.length()).toBeGreaterThan(4);
      await take.getByRole('button', { name: 'Pause' }).click();
      await take.getByRole('slider', { name: 'Position' }).fill('3');
      await expect.poll(() => speech.seconds()).toBeCloseTo(3, 0);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        take.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('tts-kokoro-af_sky.mp3');
      const bytes = await readFile((await download.path()) ?? '');
      // A frame of MPEG-2 layer III begins with eleven 1 bits.
      expect(bytes[0]).toBe(0xff);
      expect((bytes[1] ?? 0) & 0xe0).toBe(0xe0);
      expect(bytes.length).toBeGreaterThan(10_000);
    });
    await test.step('lights the sentence that is heard, and plays the one that is pressed', async () => {
      const sentences = speech.sentences();
      await expect(sentences).toHaveCount(3);
      await sentences.nth(2).click();
      await expect(sentences.nth(2)).toHaveAttribute('aria-current', 'true');
      await sentences.nth(0).click();
      await expect(sentences.nth(0)).toHaveAttribute('aria-current', 'true');
      await expect(sentences.nth(1)).toHaveAttribute('aria-current', 'true', { timeout: 15_000 });
    });
    await test.step('is heard again after another page, which does not begin it by itself', async () => {
      const navigation = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true });
      await navigation.getByRole('link', { name: 'Usage' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
      await navigation.getByRole('link', { name: 'Speech' }).click();
      const play = speech.takes.first().getByRole('button', { name: 'Play' });
      await expect(play).toBeEnabled();
      // The page replaces a stream that a new element cannot play.
      await expect.poll(() => speech.length()).toBeGreaterThan(4);
      const from = await speech.seconds();
      await play.click();
      await expect.poll(() => speech.seconds()).toBeGreaterThan(from + 0.2);
      const audio = speech.takes.first().getByTestId('speech-audio');
      expect(await audio.evaluate((element: HTMLAudioElement) => element.error)).toBeNull();
    });
    await test.step('says what it costs before and after, and the account was charged that', async () => {
      await speech.text.fill('Twenty characters ok');
      await expect(page.getByTestId('speech-cost').filter({ visible: true })).toHaveText('$0.00007');
      await speech.speakButton.click();
      await expect(speech.sentences()).toHaveText(['Twenty characters ok']);
      const take = await speech.whole();
      await expect(take.getByTestId('take-cost')).toHaveText('$0.00007');
    });
    await test.step('compares two voices on the same text; one plays at a time', async () => {
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
  });

  test('is heard in every format that is offered', async ({ speech, page }) => {
    await speech.open();
    for (const format of ['Ogg Opus', 'AAC (ADTS)', 'FLAC', 'WAV', 'raw PCM']) {
      await test.step(`plays ${format}`, async () => {
        const text = `This is one short sentence in ${format}.`;
        await chooseOption(page.getByLabel('Format', { exact: true }), format);
        await speech.speak(text);
        await expect(speech.takes.first().getByLabel('Sentences', { exact: true })).toHaveText(text);
        const take = await speech.whole();
        await expect.poll(() => speech.length()).toBeGreaterThan(0.8);
        await take.getByRole('button', { name: /^(Play|Pause)$/ }).click();
        await expect.poll(() => speech.seconds()).toBeGreaterThan(0);
      });
    }
  });

  test('is kept in this browser: heard in its place, downloaded, opened, erased and brought back', async ({
    speech,
    page,
  }) => {
    await speech.open();
    await expect(page.getByRole('table')).toContainText('Per minute');
    await speech.speak('Keep this sentence for later.');
    await speech.whole();
    await page.reload();
    const { before } = speech;
    await before.getByRole('button', { name: 'Play “Keep this sentence for later.”' }).click();
    await expect
      .poll(() => before.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime))
      .toBeGreaterThan(0.1);
    await before.getByRole('slider', { name: 'Position in “Keep this sentence for later.”' }).press('Home');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      before.getByRole('button', { name: /^Download/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('tts-kokoro-af_sky.mp3');
    await before.getByRole('button', { name: /^Open “Keep this/ }).click();
    await speech.whole();
    await expectFaultless(page);
    await before.getByRole('button', { name: /^Erase “Keep/ }).click();
    await expect(before.getByRole('listitem')).toHaveCount(0);
    await before.getByRole('button', { name: 'Bring back' }).click();
    await before.getByRole('button', { name: /^Play “Keep/ }).click();
    await expect(before.getByRole('button', { name: /^Pause “Keep/ })).toBeVisible();
    await before.getByRole('button', { name: 'Erase all' }).click();
    await expect(before.getByRole('button', { name: 'Bring back' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('table')).toContainText('Per minute');
    await expect(before).toHaveCount(0);
  });

  test('one sentence again, as it is and in other words, by keyboard alone; and undone', async ({ speech, page }) => {
    await speech.open();
    await speech.text.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(THREE);
    await page.keyboard.press('Control+Enter');
    const take = await speech.whole();
    const long = await speech.length();
    await speech.sentences().nth(1).focus();
    await page.keyboard.press('Enter');
    await expect(take.getByText('Sentence 2 of 3')).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const again = take.getByRole('button', { name: /^Speak it again · \$0\.000/ });
    await expect(again).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(take.getByText('Done. The new part is in its place.')).toBeVisible();
    await expect(again).toBeFocused();
    expect(Math.abs((await speech.length()) - long)).toBeLessThan(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(take.getByLabel('New words of the sentence')).toBeFocused();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Yes.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(speech.sentences().nth(1)).toHaveText('Yes. ');
    await expect.poll(() => speech.length()).toBeLessThan(long - 1);
    await expect(take.getByTestId('take-cost')).not.toHaveText('$0.00046');
    await expect(speech.before.getByRole('listitem')).toHaveCount(2);
    expect(await speech.download()).toBe('tts-kokoro-af_sky.wav');
    await expectFaultless(page);
    const undo = take.getByRole('button', { name: 'Undo' });
    await undo.focus();
    await page.keyboard.press('Enter');
    await expect(speech.sentences().nth(1)).toContainText('a little longer');
    await undo.press('Enter');
    await expect(undo).toHaveCount(0);
    await expect(page.locator('body')).not.toBeFocused();
    await expect(speech.before.getByRole('listitem')).toHaveCount(1);
    expect(await speech.download()).toBe('tts-kokoro-af_sky.mp3');
  });

  test('stops when it is told to, also before the code has come that asks for the audio', async ({ speech, page }) => {
    await speech.open();
    const stop = page.getByRole('button', { name: 'Stop' }).filter({ visible: true });
    const code = await holdScripts(page, () => true);
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/audio/speech') && asked.push(request.url()));
    await speech.speak('Nobody is to hear this, and nobody is to pay for it.');
    await stop.click();
    await expect(speech.speakButton).toBeEnabled();
    await code.release();
    await expect(speech.status()).toContainText('stopped');
    expect(asked).toEqual([]);

    await speech.speak('A sentence that is long enough to take a while, and then a little more. '.repeat(50));
    await expect(speech.status()).not.toContainText('stopped');
    await stop.click();
    await expect(speech.status()).toContainText('stopped');
    await expect(speech.speakButton).toBeEnabled();
  });

  test('is refused before it is sent without a text or with too much of it, and goes on where Speak is clicked twice in a row', async ({
    speech,
    page,
  }) => {
    let sent = 0;
    page.on('request', (request) => (sent += request.url().endsWith('/audio/speech') ? 1 : 0));
    await speech.open();
    await speech.speak('');
    await expect(page.getByRole('alert').filter({ hasText: 'Not sent. Write a text first.' })).toBeVisible();
    await speech.speak('x'.repeat(4097));
    await expect(page.getByRole('alert').filter({ hasText: 'The text has 4,097 characters' })).toBeVisible();
    expect(sent).toBe(0);

    await speech.text.fill('A sentence that is long enough to take a while, and then a little more. '.repeat(50));
    await speech.speakButton.dblclick();
    await expect(speech.status()).not.toContainText('stopped');
    await expect(page.getByTestId('speech-audio').first()).toBeAttached();
    await expect(speech.status()).toHaveText(/arriving|complete/);
  });
});

test.describe('speaking that is refused', () => {
  test('for want of money goes on by itself after a top-up, also after a reload, on a phone', async ({
    speech,
    page,
    wallets,
    failure,
    baseURL,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openWithEmptyPayer(page, wallets, baseURL!, '/speech');
    await speech.speak(THREE);
    await expect(failure.card).toContainText('The wallet’s balance is 0.00 USD, too low for this call.');
    await expectFaultless(page);
    await page.reload();
    await expect(failure.card).toContainText('too low for this call');
    await failure.payIn('5');
    await failure.isGone();
    await speech.whole();

    await test.step('and speaks by keyboard alone, without panning', async () => {
      await speech.text.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Spoken by keyboard alone.');
      await page.keyboard.press('Control+Enter');
      await expect(speech.sentences()).toHaveText(['Spoken by keyboard alone.']);
      await speech.whole();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await expectFaultless(page);
    });
  });

  test('by a key, a limit, a busy voice or a missing line is solved in its card, with the text that was asked for', async ({
    speech,
    page,
    context,
    failure,
    shell,
  }) => {
    await speech.open();
    await shell.useRefusedKey('tpk_this-key-was-never-made');
    await speech.speak('Solve this one.');
    await expect(failure.card).toContainText('This gateway does not recognize the key.');
    const refusals: { status: number; headers: Record<string, string>; json: object }[] = [
      { status: 503, headers: { 'retry-after': '1' }, json: { error: 'All voices are busy.', code: 'SPEECH_BUSY' } },
      {
        status: 429,
        headers: { 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 6) },
        json: { error: 'Too many calls in this minute.', code: 'MINUTE_CAP' },
      },
    ];
    await page.route('**/api/v1/audio/speech', (route) => {
      const refusal = refusals.shift();
      return refusal === undefined
        ? route.continue()
        : route.fulfill({ ...refusal, headers: { 'x-request-id': 'r'.repeat(32), ...refusal.headers } });
    });
    await failure.card.getByRole('button', { name: 'Pay with another key' }).click();
    await failure.card.getByRole('button', { name: 'Pay with the demo key' }).click();
    await expect(failure.card).toContainText('All voices are busy.');
    await speech.text.fill('Something else by now.');
    await failure.card.getByRole('button', { name: 'Send again' }).click();
    await expect(failure.card).toContainText('Too many calls in this minute.');
    await failure.card.getByRole('button', { name: 'Send it when the wait is over' }).click();
    const take = await speech.whole();
    await expect(take.getByLabel('Sentences', { exact: true })).toHaveText('Solve this one.');
    // A sentence that is spoken again fails at its place, and can be continued from there.
    refusals.push({
      status: 503,
      headers: { 'retry-after': '0' },
      json: { error: 'All voices are busy again.', code: 'SPEECH_BUSY' },
    });
    await speech.sentences().first().click();
    await take.getByRole('button', { name: /^Speak it again/ }).click();
    await expect(take.getByRole('alert')).toContainText('All voices are busy again.');
    await take.getByRole('button', { name: 'Send again' }).click();
    await expect(take.getByText('Done. The new part is in its place.')).toBeVisible();
    await page.unroute('**/api/v1/audio/speech');

    await test.step('for want of a line keeps the text, and goes through once there is one', async () => {
      await context.setOffline(true);
      await speech.speak('Written in a tunnel.');
      await expect(failure.card.filter({ hasText: 'The gateway at' })).toBeVisible();
      await context.setOffline(false);
      await failure.card.getByRole('button', { name: 'Send again' }).click();
      await expect(take.getByLabel('Sentences', { exact: true })).toHaveText('Written in a tunnel.');
      await speech.whole();
    });
  });
});
