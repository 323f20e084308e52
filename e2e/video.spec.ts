import { readFile } from 'node:fs/promises';
import { expect, test } from './console-test';
import { expectFaultless } from './pages/accessibility';

test.describe('a video', () => {
  test('is queued, watched, downloaded, deleted from the server, and gone', async ({ page }) => {
    await page.goto('/video');
    await page.getByLabel('Prompt').fill('A toll gate at dawn');
    await expect(page.getByTestId('video-cost')).toHaveText(/^\$\d/);
    await page.getByRole('button', { name: 'Make the video' }).click();
    const card = page.getByRole('article', { name: 'A toll gate at dawn' });
    await expect(card.getByRole('progressbar')).toBeVisible();
    const video = card.locator('video');
    await expect(video).toBeVisible({ timeout: 60_000 });
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(1);
    await video.evaluate(async (element: HTMLVideoElement) => {
      element.muted = true;
      await element.play();
    });
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2);
    const [download] = await Promise.all([page.waitForEvent('download'), card.getByRole('button', { name: 'Download' }).click()]);
    expect((await readFile((await download.path()) ?? '')).toString('latin1', 4, 8)).toBe('ftyp');

    await card.getByRole('button', { name: 'Delete from the server' }).click();
    await page.getByRole('button', { name: 'Delete the video' }).click();
    await expect(card.getByText('HTTP 404')).toBeVisible();
    await expect(card.getByText('Deleted from the server')).toBeVisible();
    // The button that had the focus is gone with the video.
    await expect(card).toBeFocused();
    // The copy of this browser stays until it is erased too.
    await page.reload();
    await expect(card.locator('video')).toBeVisible();
    await card.getByRole('button', { name: 'Erase it from this browser too' }).click();
    await expect(card).toHaveCount(0);
  });

  test('survives a reload while it is made', async ({ page }) => {
    await page.goto('/video');
    await page.getByLabel('Prompt').fill('A long road');
    await page.getByRole('button', { name: 'Make the video' }).click();
    const card = page.getByRole('article', { name: 'A long road' });
    await expect(card).toBeVisible();
    await page.reload();
    await expect(card.locator('video')).toBeVisible({ timeout: 60_000 });
  });

  test('without a prompt is not sent', async ({ page }) => {
    let sent = 0;
    page.on('request', (request) => (sent += request.url().endsWith('/video/queue') ? 1 : 0));
    await page.goto('/video');
    await page.getByRole('button', { name: 'Make the video' }).click();
    await expect(page.getByText('Say what the video should show.')).toBeVisible();
    await expect(page.getByLabel('Prompt')).toBeFocused();
    expect(sent).toBe(0);
  });
});

test('the page holds for assistive technology and on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/video');
  await expect(page.getByLabel('Prompt')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expectFaultless(page);
});
