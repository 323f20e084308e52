import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { expect, test } from './console-test';
import { expectNoPanning, tooWide } from './pages/too-wide';

const WIDTHS = [360, 1440];
const PAGES = [...CONSOLE_PAGES.map(({ href }) => href), '/operator', '/no-such-page'];
/** Long names, as from upstreams that name models by file paths, and from cloned voices of a provider. */
const LONG_MODEL =
  'organisation-with-a-long-name/Some-Model-Of-Many-Billion-Parameters-Instruct-2507-FP8-dynamic-quantised';
const LONG_VOICE = `vv_${'abcdefghij'.repeat(12)}`;
const LONG_ERROR = `Refused because of ${'averylongwordwithoutanyspaces'.repeat(10)}.`;

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true });

  for (const path of PAGES)
    // Loads the page once and then changes its width, like turning a phone.
    test(`${path} cannot be panned sideways at 360 or 390 px`, async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto(path);
      await expect(page.getByRole('button', { name: 'Copy demo key' }).first()).toBeAttached();
      // Lower parts of the page load with the first user input.
      await page.keyboard.press('Shift');
      await page.waitForLoadState('networkidle');
      await expectNoPanning(page, [390, 360, 390]);
    });
});

test('long names and long errors stay within their place on a phone and on a desktop', async ({
  chat,
  speech,
  page,
}) => {
  await page.route(/\/api\/v1\/models(\?|$)/, async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { data: { model_spec: { voices?: string[] } }[] };
    const data = list.data.map((model, index) => ({
      ...model,
      id: `${LONG_MODEL}-${index}`,
      model_spec: {
        ...model.model_spec,
        name: `${LONG_MODEL} ${index}`,
        ...(model.model_spec.voices && { voices: [LONG_VOICE], default_voice: LONG_VOICE }),
      },
    }));
    await route.fulfill({ response, json: { ...list, data } });
  });
  for (const path of ['**/audio/speech', '**/chat/completions', '**/tee/attestation*', '**/video/queue']) {
    await page.route(path, (route) =>
      route.fulfill({
        status: 503,
        headers: { 'x-request-id': 'r'.repeat(120) },
        json: { error: LONG_ERROR, code: 'A_LONG_CODE'.repeat(12) },
      }),
    );
  }
  const openPage = (name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).click();
  await page.setViewportSize({ width: 360, height: 800 });
  await chat.open();
  for (const width of WIDTHS) {
    await expectNoPanning(page, [width]);
    await page.getByRole('button', { name: /^Model:/ }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(await tooWide(page, width), 'the list of models').toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
  }
  await chat.ask(`What is ${'a'.repeat(200)}?`);
  await expect(chat.turns.getByRole('alert')).toContainText('Refused because');
  await expectNoPanning(page, WIDTHS);

  await openPage('Speech');
  await expect(speech.speakButton).toBeEnabled();
  await expectNoPanning(page, WIDTHS);
  await page
    .getByRole('button', { name: 'Compare with another voice' })
    .or(page.getByRole('button', { name: /^Voice:/ }))
    .first()
    .click();
  await page.keyboard.press('Escape');
  await speech.speak('Hello.');
  await expect(speech.takes.getByRole('alert')).toContainText('Refused because');
  await expectNoPanning(page, WIDTHS);

  await openPage('Video');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('a'.repeat(300));
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Refused because' })).toBeVisible();
  await expectNoPanning(page, WIDTHS);
});
