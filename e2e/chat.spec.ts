import { readFile } from 'node:fs/promises';
import { expect, test } from './console-test';
import { chooseOption } from './pages/choose-option';
import { expectAccessible } from './pages/accessibility';
import { expectFittingDocument } from './pages/fitting-document';
import { showEditor, typeInEditor } from './pages/json-editor';

const QUESTION = 'How do I top up with USDC?';
const CANARY = 'zanzibar-7f3a9c';

test.describe('a plain chat', () => {
  test('is streamed, stopped, asked again and edited, has a system prompt, and leads to where a thing is done', async ({
    chat,
    page,
  }) => {
    await chat.open('guide');
    await test.step('streams, is stopped, asked again, and edited', async () => {
      await expect(page.getByRole('log')).toContainText('it only quotes this gateway’s documentation');
      await expect(page.getByTestId('expected-cost')).toHaveText(/^about \$0\.00\d+$/);
      // Slows the network down. Otherwise the answer could end before the test stops it.
      const network = await page.context().newCDPSession(page);
      const line = { offline: false, latency: 0, uploadThroughput: -1 };
      await network.send('Network.emulateNetworkConditions', { ...line, downloadThroughput: 1_500 });
      await chat.begin(QUESTION);
      await expect(page.getByText('Answering…')).toBeVisible();
      await page.keyboard.press('Escape');
      await network.send('Network.emulateNetworkConditions', { ...line, downloadThroughput: -1 });
      await expect(chat.answers.last()).toContainText('Stopped. You pay for what had been sent and written by then.');
      await expect(chat.answers.last().getByTestId('answer-facts')).toHaveText(/ \d+ \+ \d+ tokens · \$0\.\d+ /, {
        timeout: 20_000,
      });
      const stopped = (await chat.answers.last().textContent())?.length ?? 0;

      await chat.answers.last().getByRole('button', { name: 'Ask again' }).click();
      await chat.settled();
      await expect(chat.turns).toHaveCount(1);
      await expect(chat.answers.last()).not.toContainText('Stopped.');
      expect((await chat.answers.last().textContent())?.length ?? 0).toBeGreaterThan(stopped);

      await chat.ask('How does staking work?');
      await chat.turns.first().getByRole('button', { name: 'Edit the question' }).click();
      await page.getByLabel('The question, edited').fill('How is an RPC call priced?');
      await page.getByRole('button', { name: 'Ask again' }).first().click();
      await chat.settled();
      await expect(chat.turns).toHaveCount(1);
      await expect(chat.turns.first()).toContainText('How is an RPC call priced?');
      await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
    });

    await test.step('sends the system prompt and what was said before', async () => {
      await page.getByRole('button', { name: 'New conversation' }).click();
      await expect(chat.turns).toHaveCount(0);
      await chat.show('Setup');
      await page.getByLabel('System prompt').fill('Be brief.');
      await chat.ask(QUESTION);
      await chat.ask('And with Solana?');
      const { messages } = JSON.parse(chat.sentBodies.at(-1) ?? '') as {
        messages: { role: string; content: string }[];
      };
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(messages[0]?.content).toBe('Be brief.');
    });

    await test.step('an answer of the guide leads to the page where it is done', async () => {
      await page.getByRole('button', { name: 'New conversation' }).click();
      await expect(chat.turns).toHaveCount(0);
      const answer = await chat.ask('How does staking work here?');
      await expect(answer).toContainText('Staking gives a wallet API keys');
      await answer.getByRole('link', { name: 'Keys & staking' }).click();
      await expect(page).toHaveURL(/\/keys$/);
    });
  });

  test('shows itself as code that masks the key, Markdown without its HTML, and what a refusal means', async ({
    chat,
    shell,
    page,
  }) => {
    await chat.open('guide');
    await test.step('shows itself as code that masks the key', async () => {
      await chat.show('Code');
      const code = page.getByLabel('The request in curl');
      await expect(code).toContainText('/api/v1/chat/completions');
      await expect(code).not.toContainText(process.env.E2E_DEMO_KEY ?? 'no key');
      await page.getByRole('button', { name: 'openai', exact: false }).click();
      await expect(page.getByLabel('The request in openai')).toContainText("import OpenAI from 'openai'");
      await chat.chooseModel('e2ee-guide');
      await expect(page.getByText('No curl here')).toBeVisible();
      await expect(page.getByLabel('The request in Command')).toContainText('npx turnpike-client chat');
    });

    await chat.chooseModel('guide');
    await test.step('shows Markdown without its HTML, and code that can be copied', async () => {
      const text =
        '<img src=x onerror="globalThis.hacked = true"><b>bold?</b>\n\n**yes** [bad](javascript:alert(1)) [good](https://example.com/)\n\n```ts\nconst a = 1;\n```\n';
      const event = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'guide', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      const body = `${event({ content: text }, null)}${event({}, 'stop')}data: [DONE]\n\n`;
      await page.route('**/chat/completions', (route) => route.fulfill({ contentType: 'text/event-stream', body }), {
        times: 1,
      });
      const answer = await chat.ask('Show me.');
      await expect(answer.locator('strong')).toHaveText('yes');
      await expect(answer.locator('b, img')).toHaveCount(0);
      await expect(answer.getByRole('link')).toHaveCount(1);
      await expect(answer.getByRole('link', { name: 'good' })).toHaveAttribute('rel', /noopener/);
      await answer.getByRole('button', { name: 'Copy the code' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1;');
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    });

    await test.step('says what a refusal means', async () => {
      await expect(page.getByText('HTTP 401')).toHaveCount(0);
      await shell.useRefusedKey('tpk_no_such_key_at_all');
      await chat.ask(QUESTION);
      await expect(page.getByRole('alert').first()).toBeVisible();
      await expect(page.getByText('HTTP 401')).toBeVisible();
    });
  });
});

test('structured output is a document that fits the schema; faults are named by path, and nothing is sent with them', async ({
  chat,
  page,
}) => {
  await expectFittingDocument(chat, page, 'guide');
  const sent = [...chat.sentBodies];
  await typeInEditor(await showEditor(page), '{"type":"object","properties":{"a":{"type":"text"}}}');
  const faults = page.getByRole('list', { name: 'Errors in the schema' });
  await expect(faults).toContainText('properties.a.type:');
  await expect(faults).toContainText('additionalProperties:');
  await chat.question.fill(QUESTION);
  await chat.question.press('Enter');
  await expect(page.getByText('The schema has errors.')).toBeVisible();
  expect(chat.sentBodies).toEqual(sent);
  await expectAccessible(page);
});

test.describe('conversations', () => {
  test('survive a reload, are renamed, exported and erased', async ({ chat, page }) => {
    await chat.open('guide');
    await chat.ask(`Tell me of ${CANARY}`);
    await page.reload();
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.turns.first()).toContainText(CANARY);
    await chat.show('History');
    const kept = page.getByRole('list', { name: 'Conversations' });
    await kept.getByRole('button', { name: /^Rename/ }).click();
    await page.getByLabel('Name of the conversation').fill('Islands');
    await page.keyboard.press('Enter');
    await expect(kept).toContainText('Islands');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export all' }).click(),
    ]);
    const exported = await readFile(await download.path(), 'utf8');
    expect(exported).toContain(CANARY);
    expect(exported).not.toContain(process.env.E2E_DEMO_KEY ?? 'no key');

    await page.getByRole('button', { name: 'New conversation' }).click();
    await chat.ask('Another one');
    await chat.show('History');
    await expect(kept.getByRole('listitem')).toHaveCount(2);
    await kept.getByRole('button', { name: 'Erase Islands' }).click();
    await page.getByRole('button', { name: 'Erase it' }).click();
    await expect(kept.getByRole('listitem')).toHaveCount(1);
    await page.getByRole('button', { name: 'Erase all…' }).click();
    await page.getByRole('button', { name: 'Erase all', exact: true }).click();
    await expect(page.getByText('No conversations yet.')).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(CANARY);
  });
});

test('a chat needs no mouse', async ({ chat, page, shell }) => {
  await page.goto('/');
  await shell.search('Chat');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/chat$/);
  await expect(page.getByRole('button', { name: /^Model:/ })).toBeVisible();
  await page.getByRole('button', { name: /^Model:/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('button', { name: 'Model: tee-guide' }).or(page.getByRole('button', { name: 'Model: guide' })),
  ).toBeVisible();
  await chat.question.focus();
  await page.keyboard.type('First line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('How do I top up?');
  await expect(page.getByRole('button', { name: /^Send/ })).toBeEnabled();
  await page.keyboard.press('Enter');
  await chat.settled();
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.turns.first()).toContainText('First line');
  const chip = page.getByRole('button', { name: /^Privacy: / });
  await chip.focus();
  await page.keyboard.press('Enter');
  await expect(chat.privacyPanel).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('System prompt')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('System prompt')).toBeHidden();
  await expect(chip).toBeFocused();
});

test.describe('on a phone on its side', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('half is the conversation, and nothing else is lost', async ({ chat, page }) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await chat.open();
    await chat.ask(QUESTION);
    for (const { width, height, leastPx } of [
      { width: 844, height: 390, leastPx: 190 },
      { width: 667, height: 375, leastPx: 175 },
    ]) {
      await page.setViewportSize({ width, height });
      await expect.poll(async () => (await page.getByRole('log').boundingBox())?.height).toBeGreaterThan(leastPx);
      for (const name of [/^Model:/, /^Privacy: /, 'New conversation', 'Faucet', 'Copy demo key', /^Pays: /])
        await expect(page.getByRole('button', { name }).filter({ visible: true }).first()).toBeInViewport({ ratio: 1 });
      for (const name of ['Overview', 'API reference'])
        await expect(page.getByRole('link', { name }).filter({ visible: true }).first()).toBeInViewport({ ratio: 0.9 });
      for (const view of ['Privacy', 'Setup', 'Code', 'History', 'Chat']) {
        await chooseOption(page.getByRole('combobox', { name: 'View' }), view);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(width);
      }
      await expectAccessible(page);
    }
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the conversation has two thirds of the screen, each view its turn, and nothing is wider than the screen', async ({
    chat,
    page,
  }) => {
    await chat.open('guide');
    await chat.ask(QUESTION);
    expect((await page.getByRole('log').boundingBox())?.height).toBeGreaterThan((844 * 2) / 3);
    await expect(chat.question).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Privacy: Not private' }).getByText('Not private')).toBeVisible();
    for (const view of ['Privacy', 'Setup', 'Code', 'History', 'Chat']) {
      await chooseOption(page.getByRole('combobox', { name: 'View' }), view);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(390);
    }
    await expectAccessible(page);
  });
});
