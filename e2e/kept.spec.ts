import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';
import { expectNoPanning } from './pages/narrow';
import { BrowserStorage } from './pages/browser-storage';
import { ChatPage } from './pages/chat-page';
import { showEditor } from './pages/json-editor';
import { RpcPage } from './pages/rpc-page';

const QUESTION = 'How do I top up with USDC?';
const PHONE = { width: 390, height: 844 };

test.describe('what is typed', () => {
  /** A field of each page, and a text for it. */
  const FIELDS = [
    ['/chat', 'Chat', 'Your question', 'What is a toll,\nand who pays it?'],
    ['/video', 'Video', 'Prompt', 'A gate in the fog 🌫'],
    ['/speech', 'Speech', 'Text to speak', 'שלום, a voice'],
    ['/top-up', 'Top up', 'Another amount', '12.34'],
  ] as const;

  test('on a page survives another page, a reload, and the end of the tab', async ({ page, context, wallets }) => {
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await page.goto('/');
    for (const [path, link, label, text] of FIELDS)
      await test.step(`${path} after another page and a reload`, async () => {
        await navigation.getByRole('link', { name: link, exact: true }).click();
        await expect(page).toHaveURL(new RegExp(`${path}$`));
        if (path === '/top-up') {
          await wallets.openDialog();
          await wallets.connect('ethereum', 'Demo wallet');
          await wallets.close();
        }
        const field = page.getByLabel(label);
        await expect(field).toBeEditable();
        await field.fill(text);
        await page.getByRole('link', { name: 'Overview' }).first().click();
        await expect(page).toHaveURL(/\/$/);
        await page.goBack();
        await expect(field).toHaveValue(text);
        await page.reload();
        await expect(field).toHaveValue(text);
      });

    const other = await context.newPage();
    await page.goto('about:blank');
    for (const [path, , label, text] of FIELDS)
      await test.step(`${path} after the end of the tab`, async () => {
        await other.goto(path);
        await expect(other.getByLabel(label)).toHaveValue(text);
      });
    await other.close();
  });

  test('on /rpc survives the end of the tab, without the key that belongs to what was sent', async ({
    rpc,
    page,
    context,
  }) => {
    await rpc.open();
    await rpc.type('{"jsonrpc":"2.0","id":7,"method":"eth_gasPrice"}');
    await (await rpc.openIdempotencyKey()).fill('mine-1');
    await page.reload();
    await showEditor(page);
    await expect(rpc.editor).toContainText('"id":7');
    await expect(page.getByLabel('Idempotency-Key')).toHaveValue('mine-1');
    const other = await context.newPage();
    await page.goto('about:blank');
    await other.goto('/rpc');
    await showEditor(other);
    await expect(other.locator('.cm-content')).toContainText('"id":7');
    await expect(await new RpcPage(other).openIdempotencyKey()).toHaveValue('');
    await other.close();
  });
});

test.describe('a question asked again', () => {
  for (const [name, viewport] of [
    ['on a desktop', { width: 1440, height: 900 }],
    ['on a phone', PHONE],
  ] as const) {
    test(`keeps what was there, to step back to: ${name}`, async ({ chat, page }) => {
      await page.setViewportSize(viewport);
      await chat.open('guide');
      await chat.ask(QUESTION);
      await chat.ask('How does staking work?');
      const first = chat.turns.first();
      await first.getByRole('button', { name: 'Edit the question' }).click();
      await page.getByLabel('The question, edited').fill('How is an RPC call priced?');
      await page.reload();
      await expect(page.getByLabel('The question, edited')).toHaveValue('How is an RPC call priced?');
      await page.getByRole('form', { name: 'Edit the question' }).getByRole('button', { name: 'Ask again' }).click();
      await chat.settled();
      await expect(chat.turns).toHaveCount(1);
      await expect(first.getByRole('status', { name: 'Version 2 of 2' })).toBeVisible();
      await first.getByRole('button', { name: 'Earlier version' }).click();
      await expect(first.getByRole('button', { name: 'Earlier version' })).toBeFocused();
      await expect(chat.turns).toHaveCount(2);
      await expect(first).toContainText(QUESTION);
      await expect(chat.turns.last()).toContainText('How does staking work?');
      await chat.answers.last().getByRole('button', { name: 'Ask again' }).click();
      await chat.settled();
      await expect(chat.turns.last().getByRole('status', { name: 'Version 2 of 2' })).toBeVisible();
      await page.reload();
      await expect(chat.turns.last().getByRole('status', { name: 'Version 2 of 2' })).toBeVisible();
      await first.getByRole('button', { name: 'Later version' }).press('Enter');
      await expect(chat.turns).toHaveCount(1);
      await expect(first).toContainText('How is an RPC call priced?');
      await expectAccessible(page);
      await expectNoPanning(page);
    });
  }
});

test.describe('conversations', () => {
  test('are in the database of the browser, and survive a crash in the middle of an answer', async ({
    chat,
    page,
    context,
    complaints,
  }) => {
    await chat.open('guide');
    await chat.ask(QUESTION);
    const storage = new BrowserStorage(page);
    await expect.poll(async () => (await storage.conversations()).map(({ turns }) => turns.length)).toEqual([1]);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('turnpike.chat-journal'))),
    ).toEqual([]);
    const network = await context.newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      uploadThroughput: -1,
      downloadThroughput: 1_500,
    });
    await chat.begin('How does staking work?');
    await expect(page.getByText('Answering…')).toBeVisible();
    await page.waitForTimeout(2_500);
    const crashed = page.waitForEvent('crash');
    void page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    const other = new ChatPage(await context.newPage());
    await other.page.goto('/chat');
    await other.show('History');
    await other.page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click();
    await expect(other.turns).toHaveCount(2);
    await expect(other.answers.last()).toContainText('The page was left before the answer was complete.');
    expect(((await other.answers.last().textContent()) ?? '').length).toBeGreaterThan(150);
    await other.page.close();
    complaints.length = 0;
  });

  test('of an earlier version come along, and what cannot be read stays', async ({ chat, page }) => {
    const turn = { id: 't1', question: 'Of earlier?', askedAtMs: 1, answer: null };
    const conversation = {
      id: 'c1',
      title: null,
      createdAtMs: 1,
      updatedAtMs: 1,
      modelId: 'guide',
      systemPrompt: '',
      schemaText: '',
      turns: [turn],
    };
    // A small document of the same origin.
    await page.goto('/api/sandbox');
    await page.evaluate(
      (stored) => localStorage.setItem('turnpike.chats', stored),
      JSON.stringify([conversation, { id: 'c2', of: 'tomorrow' }]),
    );
    await chat.open('guide');
    await chat.show('History');
    await expect(page.getByText('One conversation was kept by another version of this console')).toBeVisible();
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByRole('button', { name: /^Of earlier/ })
      .click();
    await expect(chat.turns).toContainText('Of earlier?');
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('turnpike.chats')))
      .toBe('[{"id":"c2","of":"tomorrow"}]');
    expect((await new BrowserStorage(page).conversations()).map(({ id }) => id)).toEqual(['c1']);
    await page.reload();
    await expect(chat.turns).toContainText('Of earlier?');
  });

  test('change in all tabs, and what is typed in two of them stays apart', async ({ chat, page, context }) => {
    await chat.open('guide');
    const other = new ChatPage(await context.newPage());
    await other.open('guide');
    await test.step('what is typed in two tabs at once stays apart', async () => {
      await chat.question.fill('of the first tab');
      await other.question.fill('of the second tab');
      await page.reload();
      await expect(chat.question).toHaveValue('of the first tab');
      await other.page.reload();
      await expect(other.question).toHaveValue('of the second tab');
    });

    await test.step('conversations change in all tabs', async () => {
      await other.show('History');
      await chat.ask(QUESTION);
      await expect(other.page.getByRole('list', { name: 'Conversations' })).toContainText(QUESTION);
      await other.page.getByRole('button', { name: `Erase ${QUESTION}` }).click();
      await other.page.getByRole('button', { name: 'Erase it' }).click();
      await expect(chat.turns).toHaveCount(0);
    });
    await other.page.close();
  });
});

test.describe('a storage', () => {
  test('that is full is said before anything is lost, and all goes on once there is room', async ({
    chat,
    page,
    shell,
  }) => {
    const storage = new BrowserStorage(page);
    await storage.fillDatabase();
    await chat.open('guide');
    await storage.fill();
    await chat.question.fill('Is there room? '.repeat(20));
    const said = page.getByRole('alert').filter({ hasText: 'This browser has no room left for this page.' });
    await expect(said).toBeVisible();
    await chat.ask(QUESTION);
    await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectNoPanning(page);
    await expect(shell.payer).toBeVisible();
    await storage.empty();
    await chat.ask('How does staking work?');
    await chat.question.fill('x');
    await expect(said).toBeHidden();
    await page.reload();
    await expect(chat.turns).toHaveCount(2);
  });

  test('that is blocked is said, and everything works for as long as the page is open', async ({ chat, page, rpc }) => {
    await new BrowserStorage(page).block();
    await chat.open('guide');
    await chat.ask(QUESTION);
    await expect(
      page.getByRole('alert').filter({ hasText: 'This browser stores nothing for this page.' }),
    ).toBeVisible();
    await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
    await page.getByRole('link', { name: 'RPC', exact: true }).first().click();
    await showEditor(page);
    await expect(rpc.sendButton).toBeEnabled();
    await rpc.send();
    await expect(rpc.answer).toContainText('result');
  });

  test('that is full lets no payment be signed that could not be kept', async ({ topUp, wallets, page }) => {
    const storage = new BrowserStorage(page);
    await topUp.open();
    await wallets.openDialog();
    await wallets.connect('ethereum', 'Demo wallet');
    await wallets.fund();
    await wallets.close();
    await topUp.review();
    await storage.fill();
    await topUp.sign();
    await expect(topUp.pay.getByRole('alert')).toContainText('no room left to keep a signed payment');
    await expect(page.getByRole('button', { name: 'Sign', exact: true })).toHaveCount(0);
    await storage.empty();
    await topUp.sign();
    await wallets.answer('Sign');
    await expect(topUp.receipt).toBeVisible();
    expect(
      await page.evaluate(() => [
        localStorage.getItem('turnpike.payments'),
        localStorage.getItem('turnpike.payments-room'),
      ]),
    ).toEqual(['[]', null]);
  });
});
