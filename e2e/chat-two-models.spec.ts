import type { Locator, Page } from '@playwright/test';
import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import type { ChatPage } from './pages/chat-page';

const QUESTION = 'How do I top up with USDC?';
const MAIN = 'guide';
const BESIDE = 'tee-guide';

/** Opens Chat with two models selected. */
async function openTwo(chat: ChatPage, page: Page): Promise<void> {
  await chat.open(MAIN);
  await page.getByRole('button', { name: 'Compare with a second model' }).click();
  await page.getByRole('button', { name: /^Second model: / }).click();
  await page
    .getByRole('option')
    .filter({ hasText: new RegExp(`^${BESIDE}`) })
    .click();
  await expect(page.getByRole('button', { name: `Second model: ${BESIDE}` })).toBeVisible();
}

function sidesOf(chat: ChatPage): { main: Locator; beside: Locator } {
  const last = chat.turns.last();
  return {
    main: last.getByRole('region', { name: MAIN, exact: true }),
    beside: last.getByRole('region', { name: BESIDE, exact: true }),
  };
}

/** Delays the answers of one model until the returned function is called. */
async function holdAnswersOf(page: Page, model: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/v1/chat/completions', async (route) => {
    if ((route.request().postDataJSON() as { model: string }).model === model) await held;
    await route.continue().catch(() => undefined);
  });
  return release;
}

test.describe('two models on one question', () => {
  test('answer side by side or one below the other, and are asked again one by one', async ({ chat, page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTwo(chat, page);
    const { main, beside } = sidesOf(chat);
    await test.step('answer side by side, each with tokens, cost, time and its own privacy', async () => {
      await chat.question.fill(QUESTION);
      await expect(page.getByTestId('expected-cost')).toHaveText(/about \$0\.\d+ \+ \$0\.\d+/);
      await expect(page.locator('#composer-state')).toContainText(`${MAIN}: Not private`);
      await chat.ask(QUESTION);
      for (const side of [main, beside]) {
        await expect(side).toContainText('USDC');
        await expect(side.getByTestId('answer-facts')).toHaveText(/\d+ \+ \d+ tokens · \$0\.\d+ · [\d.]+ m?s/);
      }
      await expect(main.getByTestId('answer-privacy')).toContainText('Not private');
      await expect(beside.getByTestId('answer-privacy')).toContainText('Simulated');
      const [left, right] = [await main.boundingBox(), await beside.boundingBox()];
      expect(right!.x).toBeGreaterThanOrEqual(left!.x + left!.width - 1);
      expect(chat.sentBodies.map((body) => (JSON.parse(body) as { model: string }).model).toSorted()).toEqual([
        MAIN,
        BESIDE,
      ]);
      await expectAccessibleInBothThemes(page);
    });

    await test.step('stand one below the other on a phone, within its width', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(async () => {
        const [above, below] = [await main.boundingBox(), await beside.boundingBox()];
        expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height - 1);
        expect(below!.x + below!.width).toBeLessThanOrEqual(390);
      }).toPass();
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    await test.step('are asked again one by one: the other answer stays, and so does the earlier version', async () => {
      const sent = chat.sentBodies.length;
      await beside.getByRole('button', { name: `Ask ${BESIDE} again` }).click();
      await expect(chat.turns.last().getByRole('status', { name: 'Version 2 of 2' })).toBeVisible();
      await chat.settled();
      await expect(main.getByTestId('answer-facts')).toContainText('tokens');
      await expect(beside.getByTestId('answer-facts')).toContainText('tokens');
      expect(chat.sentBodies).toHaveLength(sent + 1);
      await chat.turns.last().getByRole('button', { name: 'Earlier version' }).click();
      await expect(beside).toContainText('USDC');
    });
  });

  test('stop one by one, show the privacy of one, and stay over a reload until comparing ends', async ({
    chat,
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTwo(chat, page);
    const { main, beside } = sidesOf(chat);
    await test.step('stop one by one: the other goes on', async () => {
      const release = await holdAnswersOf(page, BESIDE);
      await chat.begin(QUESTION);
      await expect(main.getByTestId('answer-facts')).toContainText('tokens');
      await beside.getByRole('button', { name: `Stop ${BESIDE}` }).click();
      await chat.settled();
      release();
      await expect(beside).toContainText('Stopped.');
      await expect(main).not.toContainText('Stopped.');
    });

    await test.step('stay with the conversation over a reload', async () => {
      await chat.ask(QUESTION);
      await page.reload();
      await expect(chat.turns).toHaveCount(2);
      await expect(main).toContainText('USDC');
      await expect(beside).toContainText('USDC');
    });

    await test.step('show the privacy of the one that is asked for', async () => {
      const group = page.getByRole('group', { name: 'Second model' });
      await group.getByRole('button', { name: /^Privacy: Simulated/ }).click();
      await expect(chat.verdict).toContainText('Simulated');
      await page.getByRole('group', { name: 'Privacy of' }).getByRole('button', { name: MAIN, exact: true }).click();
      await expect(chat.privacyPanel).toContainText('guide does not run in an enclave');
    });

    await test.step('end when comparing ends', async () => {
      await page.getByRole('button', { name: 'Stop comparing' }).click();
      await chat.ask('What does an RPC call cost?');
      await expect(chat.turns.last().getByRole('group', { name: 'Answers of two models' })).toHaveCount(0);
      await expect(chat.turns.first().getByRole('group', { name: 'Answers of two models' })).toBeVisible();
    });
  });
});

test('the settings of a conversation reach the model, and a wrong one is named and not sent', async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await chat.open(MAIN);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Temperature').fill('0.2');
  await page.getByLabel('Maximum tokens').fill('50');
  await page.getByLabel('Temperature').fill('3');
  await expect(page.getByText('A number from 0 to 2.')).toBeVisible();
  await expect(page.getByTestId('settings-set')).toHaveText('temperature 0.2 · at most 50 tokens');
  await chat.ask(QUESTION);
  expect(JSON.parse(chat.sentBodies[0] ?? '')).toMatchObject({ temperature: 0.2, max_tokens: 50 });
});

test('the page says since when the enclave is measured, keeps the head of the log, and warns of two histories and of changed measurements at the next visit', async ({
  chat,
  page,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const kept = () => page.evaluate(() => localStorage.getItem('turnpike.measurements') ?? '');
  const warnings = page.getByTestId('measurement-warnings');
  const visit = async (stored: string) => {
    await page.evaluate((text) => localStorage.setItem('turnpike.measurements', text), stored);
    await page.reload();
    // The warnings load with the first user input after hydration.
    await expect(async () => {
      await page.keyboard.press('Shift');
      await expect(warnings).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 120_000 });
  };
  await chat.open(BESIDE);
  await page.mouse.move(700, 400);
  await expect.poll(kept, { timeout: 30_000 }).toContain('"measured":[{');
  await expect.poll(async () => (JSON.parse(await kept()) as [{ seq: number }])[0].seq).toBeGreaterThan(0);
  await expect(warnings).toHaveCount(0);
  const first = await kept();
  const [{ sha256, measured }] = JSON.parse(first) as [
    { sha256: string; measured: [{ registers: Record<string, string> }] },
  ];
  const other = 'ab'.repeat(32);

  await visit(first.replaceAll(sha256, other));
  await expect(warnings).toContainText('two histories');
  await expect(warnings).toContainText(other);
  await expect(warnings).toContainText(sha256);
  await expectAccessibleInBothThemes(page);
  await warnings.getByRole('button', { name: 'Trust the new log' }).click();
  await expect(warnings).toHaveCount(0);
  await expect.poll(kept).toContain(sha256);

  const mrTd = measured[0].registers['mrTd'] ?? '';
  await visit((await kept()).replaceAll(mrTd, 'cd'.repeat(48)));
  await expect(warnings.locator('[data-change=mrTd]')).toContainText('cd'.repeat(48));
  await expect(warnings.locator('[data-change=mrTd]')).toContainText(mrTd);
  await warnings.getByRole('button', { name: 'I have seen it' }).click();
  await expect(warnings).toHaveCount(0);
  expect(await kept()).toContain(mrTd);

  await chat.show('Privacy');
  await expect(page.getByTestId('measured-since')).toContainText(/Measured since \d+ \w+ \d{4}/, { timeout: 30_000 });
});
