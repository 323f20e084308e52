import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { expect, test } from './console-test';
import type { ChatPage } from './pages/chat-page';
import { typeInEditor } from './pages/json-editor';

const QUESTION = 'How do I top up with USDC?';
const CANARY = 'zanzibar-7f3a9c';

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

async function expectFittingDocument(chat: ChatPage, page: Page, model: string): Promise<void> {
  await chat.open(model);
  await chat.show('Setup');
  await page.getByRole('button', { name: 'Add a schema' }).click();
  await expect(page.getByText('A strict schema: the gateway takes it.')).toBeVisible();
  const answer = await chat.ask(QUESTION);
  await expect(answer).toContainText('Fits the schema, as checked in this browser');
  await expect(answer).toContainText('summary:');
  expect(JSON.parse(chat.sentBodies.at(-1) ?? '')).toMatchObject({ response_format: { type: 'json_schema', json_schema: { strict: true } } });
}

// One enclave for all of these: while it lies to one test it must not lie to another.
test.describe('the lock', () => {
  test.describe.configure({ mode: 'serial' });
  test.skip(!process.env.E2E_SANDBOX_URL, 'E2E_SANDBOX_URL does not say where the sandbox is');
  test.afterEach(({ chat }) => chat.tamper(null));

  test('an encrypted chat is verified here, sent as ciphertext, and its signature checked', async ({ chat, page }) => {
    await chat.open('e2ee-guide');
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
    await expect(chat.verdict).toContainText('verified: true');
    await expect(chat.verdict).toContainText('shown, not believed');
    for (const check of ['certificate-chain', 'revocation', 'tcb-status', 'debug-off', 'nonce', 'signing-key']) {
      await expect(page.locator(`[data-check="${check}"]`), check).toHaveAttribute('data-outcome', 'passed');
    }
    const answer = await chat.ask(`${QUESTION} ${CANARY}`);
    await expect(answer).toContainText('top-up');
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
    await expect(answer.getByTestId('answer-facts')).toHaveText(/e2ee-guide · [\d,]+ \+ [\d,]+ tokens · \$0\.0\d+ · /);

    await answer.getByRole('button', { name: 'What crossed the wire' }).click();
    const wire = answer.getByRole('region', { name: 'What crossed the wire' });
    await expect(wire).toBeInViewport();
    const sent = await wire.getByRole('group', { name: 'Sent, byte for byte' }).locator('code').textContent();
    expect(chat.sentBodies).toEqual([sent]);
    const { messages } = JSON.parse(sent ?? '') as { messages: { content: string }[] };
    for (const { content } of messages) expect(content).toMatch(/^04[0-9a-f]{184,}$/);
    expect(sent).not.toContain(CANARY);
    const received = await wire.getByRole('group', { name: 'Received, byte for byte' }).textContent();
    expect(received).toMatch(/"content":"04[0-9a-f]{184,}"/);
    await expect(wire).toContainText('ciphertext');
    await expectAccessible(page);
  });

  test('a second question folds the first into ciphertext, and a new key of the enclave is attested by itself', async ({ chat }) => {
    await chat.open('e2ee-guide');
    await chat.ask(`What is ${CANARY}?`);
    await chat.rotate();
    const answer = await chat.ask('And staking?');
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
    expect(chat.sentBodies.length).toBeGreaterThanOrEqual(2);
    for (const body of chat.sentBodies) expect(body).not.toContain(CANARY);
  });

  test('the file that it exports is verified anew by the code behind the command', async ({ chat, page }) => {
    await chat.open('e2ee-guide');
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
    const [download] = await Promise.all([page.waitForEvent('download'), chat.lockPanel.getByRole('button', { name: 'Export' }).click()]);
    const { report, expected, checkedAtMs, roots } = readExportedAttestation(await readFile(await download.path(), 'utf8'));
    expect(verifyAttestation({ report, expected, policy: { ...DEFAULT_POLICY, roots }, nowMs: checkedAtMs }).conclusion).toBe('simulated');
  });

  test('a workload is pinned by what the quote says, and told from another', async ({ chat, page }) => {
    await chat.open('e2ee-guide');
    await chat.lockPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
    await expect(page.locator('[data-check="workload"]')).toHaveAttribute('data-outcome', 'passed');
    await chat.lockPanel.getByRole('button', { name: /^Unpin/ }).click();
    await expect(page.locator('[data-check="workload"]')).toHaveAttribute('data-outcome', 'not-checkable');
    await chat.lockPanel.getByText('Pin measurements of your own').click();
    await chat.lockPanel.getByLabel('Name').fill('other');
    await chat.lockPanel.getByLabel('Compose file (sha256)').fill('abcd');
    await chat.lockPanel.getByRole('button', { name: 'Pin them' }).click();
    await expect(chat.lockPanel).toContainText('takes 64 hexadecimal characters');
    await chat.lockPanel.getByLabel('Compose file (sha256)').fill('ab'.repeat(32));
    await chat.lockPanel.getByRole('button', { name: 'Pin them' }).click();
    await expect(chat.lockPanel).toContainText('Missing: MRTD, RTMR0, RTMR1 and RTMR2.');
    for (const register of ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2']) await chat.lockPanel.getByLabel(register, { exact: true }).fill('cd'.repeat(48));
    await chat.lockPanel.getByRole('button', { name: 'Pin them' }).click();
    await expect(page.locator('[data-check="workload"]')).toHaveAttribute('data-outcome', 'failed');
  });

  test('a pin of earlier, a compose hash alone, verifies nothing, says what it lacks, and is completed in one act', async ({ chat, page }) => {
    await chat.trustSimulator();
    const composeHash = await chat.measuredComposeHash('e2ee-guide');
    await page.addInitScript((hash) => {
      if (localStorage.getItem('turnpike.workload-pins') === null) localStorage.setItem('turnpike.workload-pins', JSON.stringify([{ name: 'of earlier', composeHash: hash }]));
    }, composeHash);
    await chat.open('e2ee-guide');
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'unknown-workload');
    await expect(chat.verdict).toContainText('MRTD, RTMR0, RTMR1 and RTMR2 must be pinned beside the hash of the compose file');
    await expect(page.getByText('so nothing is sent.')).toBeVisible();
    await expectAccessible(page);
    await chat.lockPanel.getByRole('button', { name: 'Add what was measured now to of earlier' }).click();
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'verified');
    await expect(chat.verdict).toContainText('Workload: of earlier');
    expect(chat.sentBodies).toEqual([]);
  });

  test('an answer by a key that was attested only afterwards is not shown as verified', async ({ chat, page }) => {
    await chat.trustSimulator();
    await chat.open('tee-guide');
    await chat.lockPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'verified');
    const before = await chat.ask(QUESTION);
    await expect(before.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
    await chat.rotate();
    const answer = await chat.ask(QUESTION);
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'attested-after');
    await expect(answer).toContainText('Answered by another key than the one attested before; that key was attested after the answer.');
    await expect(chat.verdict).toContainText('Another key than before');
    await expect(chat.warning).toBeHidden();
    await expectAccessible(page);
    const next = await chat.ask(QUESTION);
    await expect(next.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
  });

  test('genuine hardware gets nothing until its workload is pinned, and is verified then', async ({ chat, page }) => {
    await chat.trustSimulator();
    await chat.open('e2ee-guide');
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'unknown-workload');
    await expect(chat.verdict).toContainText('Genuine hardware, unknown workload');
    await expect(page.getByRole('button', { name: 'Lock: Unknown workload' })).toBeVisible();
    await expect(page.getByText(/what runs in this enclave, so nothing is sent\./)).toBeVisible();
    await expect(page.getByRole('button', { name: QUESTION })).toBeDisabled();
    await chat.question.fill(QUESTION);
    await chat.question.press('Enter');
    await expectAccessible(page);
    expect(chat.sentBodies).toEqual([]);

    await chat.verdict.getByRole('button', { name: 'Send whatever runs there' }).click();
    await expect(page.getByText('Encrypted in this browser, for whatever runs in the enclave.')).toBeVisible();
    await chat.verdict.getByRole('button', { name: 'Send to pinned workloads only' }).click();
    await expect(page.getByText('so nothing is sent.')).toBeVisible();

    await chat.lockPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'verified');
    await expect(chat.verdict).toContainText('Workload: e2ee-guide of');
    await expect(chat.lockPanel.getByRole('region', { name: 'Is it genuine hardware?' })).toBeVisible();
    await expect(page.getByText('Encrypted in this browser, for the enclave alone.')).toBeVisible();
    await expectAccessible(page);
    const answer = await chat.ask(QUESTION);
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
    expect(chat.sentBodies).toHaveLength(1);
  });

  test('on a phone the warning is what happened and why; the rest unfolds', async ({ chat, page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await chat.tamper('wrong-nonce');
    await chat.open('e2ee-guide');
    await expect(chat.warning).toContainText('Attestation nonce mismatch');
    const heightOf = async () => (await chat.warning.boundingBox())?.height ?? Infinity;
    expect(await heightOf()).toBeLessThan(740 / 5);
    const rest = chat.warning.getByText('Found before anything was sent');
    await expect(rest).toBeHidden();
    await chat.warning.getByRole('button', { name: 'More' }).press('Enter');
    await expect(rest).toBeVisible();
    expect(await heightOf()).toBeLessThanOrEqual(740 / 2);
    await expectAccessible(page);
    await chat.warning.getByRole('button', { name: 'Less' }).click();
    await chat.warning.getByRole('button', { name: 'Look at the checks' }).click();
    await expect(chat.verdict).toBeVisible();
    // On a wide screen all of it is there at once.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(rest).toBeVisible();
    await expect(chat.warning.getByRole('button', { name: /More|Less/ })).toBeHidden();
  });

  for (const [tampering, reason, check] of [
    ['wrong-key', 'TEE attestation verification failed', 'signing-key'],
    ['wrong-nonce', 'Attestation nonce mismatch', 'nonce'],
    ['debug', 'TDX debug mode detected', 'debug-off'],
  ] as const) {
    test(`an enclave with ${tampering} stops the conversation before anything is sent`, async ({ chat, page }) => {
      await chat.open('e2ee-guide');
      await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
      await chat.tamper(tampering);
      // What was verified a moment ago is verified again for this conversation.
      await chat.begin(`${QUESTION} ${CANARY}`);
      await expect(chat.warning).toContainText(reason);
      await expect(chat.warning).toContainText('Found before anything was sent');
      await expect(chat.verdict).toHaveAttribute('data-verdict', 'failed');
      await expect(page.locator(`[data-check="${check}"]`)).toHaveAttribute('data-outcome', 'failed');
      await expect(page.getByRole('button', { name: 'Ask again' }).first()).toBeDisabled();
      if (tampering === 'wrong-key') await expectAccessible(page);

      await expect(chat.verdict.getByRole('list', { name: 'What failed' })).toBeVisible();
      await expect(chat.answers.last().getByRole('button', { name: 'What crossed the wire' })).toHaveCount(0);
      await page.reload();
      await expect(chat.warning).toContainText(reason);
      await expect(chat.answers.last()).toContainText('Nothing was sent.');
      await chat.question.fill('Anything?');
      await chat.question.press('Enter');
      expect(chat.sentBodies).toEqual([]);

      // Dismissed while the enclave still lies, the warning is back, and still nothing has left.
      await dismiss(page);
      await chat.question.press('Enter');
      await expect(chat.warning).toContainText(reason);
      expect(chat.sentBodies).toEqual([]);

      await chat.tamper(null);
      await dismiss(page);
      await expect(chat.warning).toBeHidden();
      const answer = await chat.ask(QUESTION);
      await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
      expect(chat.sentBodies).toHaveLength(1);
    });
  }

  test('an attested model that takes plain text signs what it answers, and the page says who reads it', async ({ chat, page }) => {
    await chat.open('tee-guide');
    await expect(page.getByText('Not encrypted: this gateway and the enclave read it.')).toBeVisible();
    const answer = await chat.ask(QUESTION);
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
  });

  test('an encrypted answer is held to a schema too', ({ chat, page }) => expectFittingDocument(chat, page, 'e2ee-guide'));

  test('an answer that was touched on its way is not vouched for, and raises the warning', async ({ chat, page }) => {
    await chat.open('tee-guide');
    await page.route('**/chat/completions', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('retrieval', 'reviewed!') });
    });
    const answer = await chat.ask(QUESTION);
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'failed');
    await expect(chat.warning).toContainText('The signature of an answer does not hold.');
  });

  async function dismiss(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Dismiss…' }).click();
    const confirm = page.getByRole('button', { name: 'Dismiss the warning' });
    await expect(confirm).toBeDisabled();
    await page.getByRole('checkbox').check();
    await confirm.click();
  }
});

test.describe('a plain chat', () => {
  test('streams, is stopped, asked again, and edited', async ({ chat, page }) => {
    await chat.open('guide');
    // As over a slow line: otherwise the answer can be there before anybody stops it.
    const network = await page.context().newCDPSession(page);
    const line = { offline: false, latency: 0, uploadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', { ...line, downloadThroughput: 1_500 });
    await chat.begin(QUESTION);
    await expect(page.getByText('Answering…')).toBeVisible();
    await page.keyboard.press('Escape');
    await network.send('Network.emulateNetworkConditions', { ...line, downloadThroughput: -1 });
    await expect(chat.answers.last()).toContainText('Stopped. What had been sent and produced until then is charged.');
    await expect(chat.answers.last().getByTestId('answer-facts')).toContainText('tokens');
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

  test('sends the system prompt and what was said before', async ({ chat, page }) => {
    await chat.open('guide');
    await chat.show('Setup');
    await page.getByLabel('System prompt').fill('Be brief.');
    await chat.ask(QUESTION);
    await chat.ask('And with Solana?');
    const { messages } = JSON.parse(chat.sentBodies.at(-1) ?? '') as { messages: { role: string; content: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[0]?.content).toBe('Be brief.');
  });

  test('shows Markdown without its HTML, and code that can be copied', async ({ chat, page }) => {
    await chat.open('guide');
    const text = '<img src=x onerror="globalThis.hacked = true"><b>bold?</b>\n\n**yes** [bad](javascript:alert(1)) [good](https://example.com/)\n\n```ts\nconst a = 1;\n```\n';
    const event = (delta: object, finish: string | null) => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'guide', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    await page.route('**/chat/completions', (route) => route.fulfill({ contentType: 'text/event-stream', body: `${event({ content: text }, null)}${event({}, 'stop')}data: [DONE]\n\n` }));
    const answer = await chat.ask('Show me.');
    await expect(answer.locator('strong')).toHaveText('yes');
    await expect(answer.locator('b, img')).toHaveCount(0);
    await expect(answer.getByRole('link')).toHaveCount(1);
    await expect(answer.getByRole('link', { name: 'good' })).toHaveAttribute('rel', /noopener/);
    await answer.getByRole('button', { name: 'Copy the code' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1;');
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  });

  test('says what a refusal means', async ({ chat, shell, page }) => {
    await chat.open('guide');
    await shell.useKey('tpk_no_such_key_at_all');
    await chat.ask(QUESTION);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expect(page.getByText('HTTP 401')).toBeVisible();
  });

  test('shows itself as code that masks the key', async ({ chat, page }) => {
    await chat.open('guide');
    await chat.show('Code');
    const code = page.getByLabel('The request in curl');
    await expect(code).toContainText('/api/v1/chat/completions');
    await expect(code).not.toContainText(process.env.E2E_DEMO_KEY ?? 'no key');
    await page.getByRole('button', { name: 'openai', exact: false }).click();
    await expect(page.getByLabel('The request in openai')).toContainText("import OpenAI from 'openai'");
    await chat.chooseModel('e2ee-guide');
    await expect(page.getByText('No curl here')).toBeVisible();
    await expect(page.getByLabel('The request in Command')).toContainText('npm run private-chat --');
  });
});

test.describe('structured output', () => {
  test('is a document that fits the schema', ({ chat, page }) => expectFittingDocument(chat, page, 'guide'));

  test('names the faults of a schema by path, and sends nothing with it', async ({ chat, page }) => {
    await chat.open('guide');
    await chat.show('Setup');
    await page.getByRole('button', { name: 'Add a schema' }).click();
    await typeInEditor(page.locator('.cm-content'), '{"type":"object","properties":{"a":{"type":"text"}}}');
    const faults = page.getByRole('list', { name: 'Faults of the schema' });
    await expect(faults).toContainText('properties.a.type:');
    await expect(faults).toContainText('additionalProperties:');
    await chat.question.fill(QUESTION);
    await chat.question.press('Enter');
    await expect(page.getByText('The schema has faults.')).toBeVisible();
    expect(chat.sentBodies).toEqual([]);
    await expectAccessible(page);
  });
});

test.describe('conversations', () => {
  test('survive a reload, are renamed, exported and erased', async ({ chat, page }) => {
    await chat.open('guide');
    await chat.ask(`Tell me of ${CANARY}`);
    await page.reload();
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.turns.first()).toContainText(CANARY);
    await chat.show('Kept');
    const kept = page.getByRole('list', { name: 'Kept conversations' });
    await kept.getByRole('button', { name: /^Rename/ }).click();
    await page.getByLabel('Name of the conversation').fill('Islands');
    await page.keyboard.press('Enter');
    await expect(kept).toContainText('Islands');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export all' }).click()]);
    const exported = await readFile(await download.path(), 'utf8');
    expect(exported).toContain(CANARY);
    expect(exported).not.toContain(process.env.E2E_DEMO_KEY ?? 'no key');

    await page.getByRole('button', { name: 'New conversation' }).click();
    await chat.ask('Another one');
    await chat.show('Kept');
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
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Model: tee-guide' }).or(page.getByRole('button', { name: 'Model: guide' }))).toBeVisible();
  await chat.question.focus();
  await page.keyboard.type('First line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('How do I top up?');
  await expect(page.getByRole('button', { name: /^Send/ })).toBeEnabled();
  await page.keyboard.press('Enter');
  await chat.settled();
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.turns.first()).toContainText('First line');
  await page.getByRole('tab', { name: 'Lock' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('System prompt')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('conversation and lock are looked at in turn, and nothing is wider than the screen', async ({ chat, page }) => {
    await chat.open('guide');
    await chat.ask(QUESTION);
    await expect(chat.question).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Lock: No lock' }).getByText('No lock')).toBeVisible();
    for (const view of ['Lock', 'Setup', 'Code', 'Kept', 'Chat']) {
      await page.getByRole('group', { name: 'View' }).getByRole('button', { name: view }).click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(390);
    }
    await expectAccessible(page);
  });
});
