import type { Page } from '@playwright/test';
import { BrokenLine } from './broken-line';
import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { showEditor } from './pages/json-editor';
import { expectNoPanning } from './pages/narrow';

const PHONE = { width: 390, height: 844 };
const line = new BrokenLine(process.env.E2E_BASE_URL ?? 'http://localhost:3000');
const awayWords = (page: Page) =>
  page.getByRole('alert').filter({ hasText: /You are offline\.|The gateway does not answer\./ });

test.describe('offline', () => {
  for (const [name, viewport] of [
    ['on a desktop', { width: 1440, height: 900 }],
    ['on a phone', PHONE],
  ] as const) {
    test(`is said within seconds, in one place; pages that were opened work; it goes on by itself: ${name}`, async ({
      page,
      context,
      rpc,
      chat,
    }) => {
      await page.setViewportSize(viewport);
      await rpc.open();
      await go(page, 'Chat');
      await expect(chat.question).toBeEditable();
      await page.waitForLoadState('networkidle');
      await context.setOffline(true);
      await expect(awayWords(page)).toBeVisible({ timeout: 3_000 });
      await expect(awayWords(page)).toHaveCount(1);
      await chat.question.fill('Written on a train');
      await go(page, 'RPC');
      await expect(page).toHaveURL(/\/rpc/);
      await showEditor(page);
      // While offline, the page sends nothing, because nobody could tell whether it was charged.
      await expect(rpc.request).toContainText('You are offline: nothing is sent, and your request is kept.');
      await expect(rpc.sendButton).toBeDisabled();
      await go(page, 'Top up');
      await expect(page.getByRole('alert').filter({ hasText: 'Top up has not been opened here yet' })).toBeVisible();
      await expect(page).toHaveURL(/\/rpc/);
      await go(page, 'Chat');
      await expect(chat.question).toHaveValue('Written on a train');
      await expectAccessibleInBothThemes(page);
      await expectNoPanning(page);
      await context.setOffline(false);
      await expect(awayWords(page)).toBeHidden({ timeout: 6_000 });
      await go(page, 'Top up');
      await expect(page).toHaveURL(/\/top-up/);
    });
  }
});

test.describe('a gateway that goes', () => {
  test.describe.configure({ mode: 'serial' });
  let origin = '';
  test.beforeAll(async () => {
    origin = await line.open();
  });
  test.afterEach(() => line.mend());
  test.afterAll(() => line.close());

  test('in the middle of an answer leaves what came, and the answer is gone on with', async ({ chat, page }) => {
    await page.goto(`${origin}/chat`);
    await chat.chooseModel('guide');
    await chat.ask('How is an RPC call priced?');
    line.breakAt('/api/v1/chat/completions', 2_500);
    await chat.ask('How do I top up with USDC?');
    await expect(chat.answers.last()).toContainText('The reply broke off before its end.');
    await expect(awayWords(page)).toBeVisible();
    line.mend();
    await expect(awayWords(page)).toBeHidden({ timeout: 8_000 });
    const came = (await chat.answers.last().textContent()) ?? '';
    await chat.answers.last().getByRole('button', { name: 'Continue from here' }).click();
    await expect(chat.turns).toHaveCount(3);
    await chat.settled();
    const { messages } = JSON.parse(chat.sentBodies.at(-1) ?? '') as { messages: { role: string; content: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(came).toContain(messages[3]!.content.slice(0, 30).replace(/[*_`#]/g, ''));
    await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
  });

  test('is missed within seconds and found again; if it comes back upgraded, that is said, and a reload loses nothing', async ({
    chat,
    page,
  }) => {
    await page.goto(`${origin}/chat`);
    await page.waitForLoadState('networkidle');
    await test.step('while nobody does anything', async () => {
      line.cut();
      await expect(awayWords(page)).toContainText('The gateway does not answer.', { timeout: 15_000 });
      line.mend();
      await expect(awayWords(page)).toBeHidden({ timeout: 6_000 });
      await expect(page.getByRole('region', { name: 'Profile' })).toContainText('Sandbox');
    });
    await test.step('and comes back upgraded', async () => {
      await chat.chooseModel('guide');
      await chat.question.fill('Written before the upgrade');
      line.cut();
      await expect(awayWords(page)).toBeVisible({ timeout: 15_000 });
      await page.route('**/_next/static/chunks/**', (route) =>
        route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
      );
      line.mend();
      await expect(page.getByText('There is a newer version of this console.')).toBeVisible();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Reload' }).click();
      await expect(page.getByText('There is a newer version of this console.')).toBeHidden();
      await expect(chat.question).toHaveValue('Written before the upgrade');
    });
  });
});

test('a clock that is an hour off is said on every page, with what it breaks', async ({ page }) => {
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.goto('/keys');
  await expect(
    page.getByRole('alert').filter({
      hasText: 'The clock of this device is an hour fast. Sign-ins and payments fail until it is set right.',
    }),
  ).toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoPanning(page);
  await expectAccessibleInBothThemes(page);
});

async function go(page: Page, title: string): Promise<void> {
  const link = page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: title, exact: true })
    .filter({ visible: true });
  await link.click();
}
