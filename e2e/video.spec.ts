import { readFile } from 'node:fs/promises';
import { expect, test } from './console-test';
import { expectFaultless } from './pages/accessibility';
import { openWithEmptyPayer } from './wallets/empty-payer';

test.describe('a video', () => {
  test('is queued, watched, downloaded, deleted and kept as a copy; it survives a reload and a gateway that is gone for a while', async ({
    page,
    videos,
  }) => {
    await videos.open();
    const gate = videos.of('A toll gate at dawn');
    const road = videos.of('A long road');
    await test.step('is queued, watched, downloaded, and deleted from the server', async () => {
      await videos.prompt.fill('A toll gate at dawn');
      await expect(page.getByTestId('video-cost')).toHaveText(/^\$\d/);
      await videos.makeButton.click();
      await expect(gate.getByRole('progressbar')).toBeVisible();
      const video = await videos.made(gate);
      await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(1);
      await video.evaluate(async (element: HTMLVideoElement) => {
        element.muted = true;
        await element.play();
      });
      await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        gate.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect((await readFile((await download.path()) ?? '')).toString('latin1', 4, 8)).toBe('ftyp');
      await gate.getByRole('button', { name: 'Delete from the server' }).click();
      await page.getByRole('button', { name: 'Delete the video' }).click();
      await expect(gate.getByText('HTTP 404')).toBeVisible();
      await expect(gate.getByText('Deleted from the server')).toBeVisible();
      // The button that had the focus was removed together with the video.
      await expect(gate).toBeFocused();
    });

    await videos.make('A long road');
    await expect(road).toBeVisible();
    await page.route('**/video/retrieve', (route) => route.abort('connectionrefused'));
    await page.reload();
    await test.step('survives a gateway that is gone for a while', async () => {
      await expect(road).toContainText('The gateway does not answer right now.');
      await expect(road.getByRole('alert')).toHaveCount(0);
      await page.unroute('**/video/retrieve');
      const made = await videos.made(road);
      await expect(road.getByText('The video is ready.')).toBeAttached();
      // By keyboard, the video plays, and its prompt can be used again without losing the typed text.
      await made.focus();
      await page.keyboard.press('Space');
      await expect.poll(() => made.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.1);
      await videos.prompt.fill('Something that was typed');
      await road.getByRole('button', { name: 'Use this prompt again' }).focus();
      await page.keyboard.press('Enter');
      await expect(videos.prompt).toHaveValue('A long road');
      await expect(videos.prompt).toBeFocused();
      await page.getByRole('button', { name: 'Bring it back' }).press('Enter');
      await expect(videos.prompt).toHaveValue('Something that was typed');
      await expect(videos.prompt).toBeFocused();
      await expectFaultless(page);
    });
    await test.step('stays in this browser until the user deletes it there too', async () => {
      await expect(gate.locator('video')).toBeVisible();
      await gate.getByRole('button', { name: 'Erase it from this browser too' }).click();
      await expect(gate).toHaveCount(0);
    });
  });
});

test.describe('a video that is not taken on', () => {
  test('for want of money waits over a reload and other pages, and goes on by itself after a top-up, on a phone', async ({
    page,
    wallets,
    videos,
    failure,
    baseURL,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openWithEmptyPayer(page, wallets, baseURL!, '/video');
    await test.step('the page holds for assistive technology, with its prices before the first request', async () => {
      await expect(videos.prompt).toBeVisible();
      await expect(page.getByRole('table').getByRole('row')).not.toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await expectFaultless(page);
    });
    const card = await videos.make('A gate for a wallet');
    await expect(failure.card).toContainText('The wallet’s balance is 0.00 USD, too low for this call.');
    await expectFaultless(page);
    await videos.prompt.fill('Another gate by now');
    await page.getByRole('link', { name: 'Overview', exact: true }).filter({ visible: true }).click();
    await expect(page).toHaveURL('/');
    await videos.open();
    await expect(page.getByText('“A gate for a wallet” is waiting to be made.')).toBeVisible();
    await failure.payIn('5');
    await expect(card).toBeVisible();
    await failure.isGone();
    await expect(videos.prompt).toHaveValue('Another gate by now');
  });

  test('without a prompt is not sent; because a key is unknown or the gateway is busy is asked for again from its card', async ({
    page,
    videos,
    failure,
    shell,
  }) => {
    await videos.open();
    await videos.makeButton.click();
    await expect(page.getByText('Say what the video should show.')).toBeVisible();
    await expect(videos.prompt).toBeFocused();
    expect(videos.sentKeys).toEqual([]);

    await shell.useRefusedKey('tpk_this-key-was-never-made');
    const card = await videos.make('A gate in the fog');
    await expect(failure.card).toContainText('This gateway does not recognize the key.');
    let refusals = 1;
    await page.route('**/video/queue', (route) =>
      refusals-- > 0
        ? route.fulfill({
            status: 503,
            headers: { 'x-request-id': 'r', 'retry-after': '1' },
            json: { error: 'Too many videos are being made.', code: 'VIDEO_QUEUE_FULL' },
          })
        : route.continue(),
    );
    await failure.card.getByRole('button', { name: 'Pay with another key' }).click();
    await failure.card.getByRole('button', { name: 'Pay with the demo key' }).click();
    await expect(failure.card).toContainText('Too many videos are being made.');
    await failure.card.getByRole('button', { name: /^Send/ }).click();
    await expect(card).toBeVisible();
    await failure.isGone();
  });

  test('as far as this page knows is asked for under the same key: made and paid for once', async ({
    page,
    videos,
    failure,
  }) => {
    await videos.open();
    // The gateway accepts the request, but its answer is lost.
    await page.route('**/video/queue', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await videos.make('A gate twice');
    await expect(failure.card).toContainText('does not answer');
    await page.unrouteAll();
    // The page is closed before the answer arrives.
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/video/queue', (route) => held.then(() => route.abort()));
    await failure.card.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByRole('button', { name: 'Asking for it…' })).toBeDisabled();
    await page.reload();
    release();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await expect(page.getByText('“A gate twice” is waiting to be made.')).toBeVisible();
    // The button's name depends on whether the page noticed the failed call before it closed.
    await page.getByRole('button', { name: /^(Ask|Send) again$/ }).click();
    await expect(videos.of('A gate twice')).toHaveCount(1);
    expect(videos.sentKeys).toHaveLength(3);
    expect(new Set(videos.sentKeys).size).toBe(1);
    expect(videos.sentKeys[0]).toMatch(/^[\w-]{36}$/);
  });
});
