import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './console-test';
import { ChatPage } from './pages/chat-page';

const QUESTION = 'How do I top up with USDC?';
/** Bytes per second, so slow that an answer outlasts the test. */
const SLOW_LINE = 1_500;

/** Slows the answer down. Returns a function that restores the speed. */
async function slowLine(page: Page): Promise<() => Promise<void>> {
  const network = await page.context().newCDPSession(page);
  const emulate = (downloadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      uploadThroughput: -1,
      downloadThroughput,
    });
  await emulate(SLOW_LINE);
  return async () => {
    await emulate(-1);
  };
}

const event = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'guide', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.describe('a chat that is handled roughly', () => {
  test('stays in its frame: however long it is, the bar and the field under it do not scroll away', async ({
    chat,
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 700 });
    await chat.open('guide');
    for (let turn = 0; turn < 4; turn++) await chat.ask(QUESTION);
    const overflow = await page.locator('#page').evaluate((main) => main.scrollHeight - main.clientHeight);
    expect(overflow).toBeLessThanOrEqual(1);
  });

  test('another tab shows the answer and offers no second one, and what came before a reload stays', async ({
    chat,
    page,
    context,
  }) => {
    await chat.open('guide');
    await test.step('another tab says that the answer is on its way, offers no second one, and shows it', async () => {
      const quicken = await slowLine(page);
      await chat.begin(QUESTION);
      await expect(page.getByText('Answering…')).toBeVisible();
      const other = await secondTab(context);
      await expect(other.page.getByText('Another tab of this browser is receiving the answer.')).toBeVisible();
      await expect(other.turns.getByRole('button', { name: 'Ask again' })).toHaveCount(0);
      await quicken();
      await chat.settled();
      await expect(other.answers.last().getByTestId('answer-facts')).toContainText('tokens');
      await other.page.close();
    });

    await test.step('what came before a reload stays, with what it means', async () => {
      await page.getByRole('button', { name: 'New conversation' }).click();
      await expect(chat.turns).toHaveCount(0);
      const quicken = await slowLine(page);
      await chat.begin(QUESTION);
      await expect(chat.answers.last()).toContainText('USDC');
      page.once('framenavigated', () => void quicken());
      await page.reload();
      const answer = chat.answers.last();
      await expect(answer).toContainText('USDC');
      await expect(answer).toContainText('The page was left before the answer was complete.');
      await expect(answer).toContainText('You pay for the question and for what had been written by then.');
      await expect(answer.getByRole('button', { name: 'Ask again' })).toBeEnabled();
    });
  });

  test('erasing the conversation stops its answer, and a double click on Send sends once and stops nothing', async ({
    chat,
    page,
  }) => {
    await chat.open('guide');
    await test.step('erasing the conversation stops its answer', async () => {
      // Loads the code of the history first, because it would take half a minute on the slow line.
      await chat.show('History');
      await expect(page.getByText('No conversations yet.')).toBeVisible();
      await chat.show('Privacy');
      const quicken = await slowLine(page);
      await chat.begin(QUESTION);
      await expect(page.getByText('Answering…')).toBeVisible();
      await chat.show('History');
      await page.getByRole('button', { name: /^Erase How/ }).click();
      await page.getByRole('button', { name: 'Erase it' }).click();
      await quicken();
      await expect(page.getByText('No conversations yet.')).toBeVisible();
      await chat.question.fill('Another');
      await expect(page.getByRole('button', { name: /^Send/ })).toBeEnabled();
    });

    await test.step('a double click on Send sends once and stops nothing', async () => {
      const sent = chat.sentBodies.length;
      const quicken = await slowLine(page);
      await chat.question.fill(QUESTION);
      await page.getByRole('button', { name: /^Send/ }).dblclick();
      await expect(page.getByText('Answering…')).toBeVisible();
      await quicken();
      await chat.settled();
      await expect(chat.answers.last()).not.toContainText('Stopped.');
      await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
      expect(chat.sentBodies).toHaveLength(sent + 1);
    });
  });
});

test('answers are read out once, the focus and the history stay in place, and an empty answer says so', async ({
  chat,
  page,
}) => {
  await chat.open('guide');
  const startAnew = async () => {
    await page.getByRole('button', { name: 'New conversation' }).click();
    await expect(chat.turns).toHaveCount(0);
  };

  await test.step('the answer is read out once, when it is whole', async () => {
    const announcer = page.getByTestId('answer-announcer');
    await expect(announcer).toHaveText('');
    await expect(announcer).toHaveAttribute('aria-live', 'polite');
    await chat.ask(QUESTION);
    await expect(announcer).toHaveText(/^Answer: .*USDC/s);
    await startAnew();
    await expect(announcer).toHaveText('');
  });

  await test.step('the focus goes to the question field where a button that had it goes', async () => {
    await page.getByRole('button', { name: 'How is an RPC call priced?' }).focus();
    await page.keyboard.press('Enter');
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.question).toBeFocused();
    await chat.settled();
    await chat.question.fill(QUESTION);
    await page.getByRole('button', { name: /^Send/ }).click();
    await chat.settled();
    await expect(chat.question).toBeFocused();
    await chat.turns.first().getByRole('button', { name: 'Edit the question' }).click();
    await page.keyboard.press('Escape');
    await expect(chat.turns.first().getByRole('button', { name: 'Edit the question' })).toBeFocused();
    await startAnew();
    await expect(chat.question).toBeFocused();
  });

  await test.step('what stands beside the conversation stays when a question is sent or another one opened', async () => {
    await chat.show('History');
    await chat.ask(QUESTION);
    const kept = page.getByRole('list', { name: 'Conversations' });
    await expect(kept).toBeVisible();
    await startAnew();
    await expect(kept).toBeVisible();
    await kept.getByRole('button').first().click();
    await expect(chat.turns).toHaveCount(1);
    await expect(kept).toBeVisible();
  });

  await startAnew();
  await test.step('an answer without a word says so, and a long question is folded', async () => {
    await page.route('**/chat/completions', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `${event({ content: '' }, null)}${event({}, 'stop')}data: [DONE]\n\n`,
      }),
    );
    const answer = await chat.ask('lorem ipsum '.repeat(9_000));
    await expect(answer).toContainText('The model ended its answer without writing anything.');
    await expect(answer).toBeInViewport();
    const show = page.getByRole('button', { name: 'Show all 107,999 characters' });
    const folded = (await chat.turns.first().boundingBox())?.height ?? 0;
    expect(folded).toBeLessThan(900);
    await show.click();
    await expect.poll(async () => (await chat.turns.first().boundingBox())?.height ?? 0).toBeGreaterThan(5_000);
    await page.getByRole('button', { name: 'Show less' }).click();
  });
});

test('without a credential nothing pretends to be verifying', async ({ chat, page }) => {
  await page.route('**/api/sandbox', (route) => route.fulfill({ status: 404, json: { error: 'Not found' } }));
  await page.goto('/chat');
  await expect(page.getByText('Connect a wallet or add an API key to make calls.')).toBeVisible();
  await chat.question.fill('Who pays?');
  await page.getByRole('form', { name: 'Question' }).getByRole('button', { name: 'Choose a payment method' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Payment method' }).getByLabel('Pay with another API key'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.question).toBeFocused();
  await expect(page.getByRole('button', { name: 'Privacy: Not verified' })).toBeVisible();
  await chat.show('Privacy');
  await expect(chat.privacyPanel).toContainText('Nothing has been verified yet.');
  await expect(chat.privacyPanel.getByRole('status', { name: 'Verifying the attestation' })).toHaveCount(0);
});

test.describe('at twice the size', () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test('the words before the first question are read from their beginning', async ({ chat, page }) => {
    await chat.open('e2ee-guide');
    await expect(page.getByRole('heading', { name: 'An encrypted conversation' })).toBeInViewport();
  });
});

async function secondTab(context: BrowserContext): Promise<ChatPage> {
  const chat = new ChatPage(await context.newPage());
  await chat.page.goto('/chat');
  await chat.show('History');
  await chat.page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click();
  return chat;
}
