import { BrokenLine } from './broken-line';
import { expect, test } from './console-test';
import { showEditor } from './pages/json-editor';

/** Proxy that behaves like a gateway that is killed during an answer and then restarted. */
const line = new BrokenLine(process.env.E2E_BASE_URL ?? 'http://localhost:3000');

test.describe('an answer that breaks off', () => {
  test.describe.configure({ mode: 'serial' });
  let origin = '';
  test.beforeAll(async () => {
    origin = await line.open();
  });
  test.afterEach(() => line.mend());
  test.afterAll(() => line.close());

  test('of a chat or its page: what came stays, it says so, and it can be asked again', async ({ chat, page }) => {
    await page.goto(`${origin}/chat`);
    await chat.chooseModel('guide');
    await page.waitForLoadState('networkidle');
    await test.step('a question before the code has come says that nothing answers, and goes through later', async () => {
      line.cut();
      await chat.ask('How is an RPC call priced?');
      await expect(chat.turns.getByRole('alert')).toContainText('does not answer');
      await expect(chat.turns.getByRole('alert')).not.toContainText('chunk');
      line.mend();
      await chat.turns.getByRole('button', { name: 'Send again' }).click();
      await chat.settled();
      await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
    });

    await test.step('an answer that breaks off stays, says so, and is asked again', async () => {
      line.breakAt('/api/v1/chat/completions', 2_500);
      await chat.ask('How do I top up with USDC?');
      const answer = chat.answers.last();
      await expect(answer).toContainText('The reply broke off before its end.');
      const came = (await answer.textContent()) ?? '';
      expect(came.length).toBeGreaterThan(100);
      await page.waitForTimeout(500);
      line.mend();
      await page.reload();
      await expect(answer).toContainText(came.slice(0, 40));
      await answer.getByRole('button', { name: 'Ask again' }).click();
      await chat.settled();
      await expect(chat.turns).toHaveCount(2);
      await expect(answer.getByTestId('answer-facts')).toContainText('tokens');
      await expect(answer).not.toContainText('broke off');
    });
  });

  test('of speech: what came can be heard, downloaded and found again, and the rest is spoken', async ({
    speech,
    page,
  }) => {
    await page.goto(`${origin}/speech`);
    await expect(speech.speakButton).toBeEnabled();
    line.breakAt('/api/v1/audio/speech', 36_000);
    await speech.speak(
      'This is the first sentence of a few. This is the second one of them. And here is a third, which is a little longer than the others were.',
    );
    const take = speech.takes.first();
    await expect(take.getByRole('alert')).toContainText(/The audio broke off after [12] of 3 sentences\./);
    await expect(speech.status(take)).toHaveText('broke off; what came can be heard');
    await expect(take.getByTestId('take-cost')).toHaveText(/^up to \$0\.000/);
    expect(await speech.download(take)).toMatch(/\.mp3$/);
    const came = await speech.length(take);
    line.mend();
    // Changing the text does not change the speech, and a reload keeps everything that arrived.
    await speech.text.fill('Something else.');
    await page.reload();
    await speech.before.getByRole('button', { name: /^Open “This is the first/ }).click();
    await expect(speech.status(take)).toHaveText('stopped');
    await take.getByRole('button', { name: /^Speak the rest · \$0\.000/ }).click();
    await speech.whole();
    await expect(speech.sentences(take)).toHaveCount(3);
    await expect.poll(() => speech.length(take)).toBeGreaterThan(came);
    expect(await speech.download(take)).toMatch(/\.wav$/);
  });

  test('of an RPC call: it may have been charged, and goes again under a key', async ({ rpc, page }) => {
    await page.goto(`${origin}/rpc?network=sandbox-testnet&method=eth_getBlockByNumber`);
    await showEditor(page);
    await expect(rpc.sendButton).toBeEnabled();
    line.breakAt('/api/v1/crypto/rpc/sandbox-testnet', 20);
    await rpc.send();
    await expect(rpc.answer.getByRole('alert')).toContainText('broke off before the end of the answer');
    await expect(rpc.answer.getByRole('alert')).toContainText('may have been charged');
    line.mend();
    await rpc.answer.getByRole('button', { name: 'Send again with an Idempotency-Key' }).click();
    await expect(rpc.answer).toContainText('result');
    await rpc.send();
    await expect(rpc.answer.getByText('replayed')).toBeVisible();
  });
});
