import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { expectNoPanning } from './pages/narrow';

const QUESTION = 'How do I top up with USDC?';

for (const [name, viewport] of [
  ['on a desktop', { width: 1440, height: 900 }],
  ['on a phone', { width: 360, height: 740 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport });

    test('a question waits for its turn, for the gateway, and for another key, and each time goes on as one question', async ({
      chat,
      failure,
      page,
      shell,
    }) => {
      await chat.open('guide');
      await shell.useRefusedKey('tpk_a-key-that-is-revoked');
      await chat.refuseNext({
        status: 429,
        headers: { 'retry-after': '2' },
        json: { error: 'Too many requests in this minute.', code: 'MINUTE_CAP' },
      });
      await chat.ask(QUESTION);
      await expect(failure.card).toContainText('Too many requests in this minute.');
      await chat.refuseNext({
        status: 503,
        json: {
          error: 'The model is not available at the moment.',
          code: 'MODEL_UNAVAILABLE',
          hint: 'Try another model.',
        },
      });
      await failure.card.getByRole('button', { name: 'Send it when the wait is over' }).click();
      // The page has sent the question again by itself, and got another failure.
      await expect(failure.card).toContainText('The model is not available at the moment.');
      await chat.refuseNext({
        status: 421,
        json: {
          error: 'The sandbox does not answer at this host name.',
          code: 'WRONG_HOST',
          hint: 'Use localhost or an IP address.',
        },
      });
      await failure.card.getByRole('button', { name: 'Send again' }).click();
      await expect(failure.card).toContainText('Use localhost or an IP address.');
      await chat.refuseNext({ status: 401, json: { error: 'The API key was revoked.', code: 'API_KEY_REVOKED' } });
      await failure.card.getByRole('button', { name: 'Send again' }).click();
      await expect(failure.card).toContainText('The key was revoked.');
      await expectAccessibleInBothThemes(page);
      await expectNoPanning(page);
      await failure.card.getByRole('button', { name: 'Pay with another key' }).click();
      await failure.card.getByRole('button', { name: 'Pay with the demo key' }).click();
      await failure.isGone();
      await chat.settled();
      await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
      // A failed attempt does not count as a version of the answer.
      await expect(chat.turns).toHaveCount(1);
      await expect(page.getByRole('group', { name: 'Versions of this question' })).toHaveCount(0);
    });
  });
}

test('versions of a question and the panel beside it need no mouse, and what came is said once', async ({
  chat,
  page,
}) => {
  await chat.open('guide');
  await chat.question.focus();
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await chat.settled();
  await expect(chat.question).toBeFocused();
  await expect(page.getByTestId('answer-announcer')).toHaveText(/^Answer: /);

  await chat.answers.last().getByRole('button', { name: 'Ask again' }).focus();
  await page.keyboard.press('Enter');
  await chat.settled();
  await expect(page.getByLabel('Version 2 of 2')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await page.getByRole('button', { name: 'Earlier version' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Version 1 of 2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Earlier version' })).toBeFocused();

  const edit = page.getByRole('button', { name: 'Edit the question' });
  await edit.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('The question, edited')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('How is an RPC call priced?');
  await page.keyboard.press('Enter');
  await chat.settled();
  await expect(page.getByLabel('Version 3 of 3')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

  await chat.show('Privacy');
  await page.getByRole('tab', { name: 'Privacy' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('System prompt')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('System prompt')).toBeFocused();
});
