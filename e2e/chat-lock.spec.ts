import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { expect, test } from './console-test';
import { expectAccessible } from './pages/accessibility';
import { expectFittingDocument } from './pages/fitting-document';

const QUESTION = 'How do I top up with USDC?';
const CANARY = 'zanzibar-7f3a9c';

// These tests run one after another, because some of them change the key of the enclave that all share.
test.describe('the lock', () => {
  test.describe.configure({ mode: 'serial' });
  test.skip(!process.env.E2E_SANDBOX_URL, 'E2E_SANDBOX_URL does not say where the sandbox is');

  test('an encrypted chat is verified here, sent as ciphertext, signed, and goes on after a new key of the enclave', async ({
    chat,
    page,
  }) => {
    await chat.open('e2ee-guide');
    await test.step('is verified here, sent as ciphertext, and its signature checked', async () => {
      await chat.show('Privacy');
      await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
      await expect(chat.verdict).toContainText('verified: true');
      await expect(chat.verdict).toContainText('shown, but not relied on');
      for (const check of ['certificate-chain', 'revocation', 'tcb-status', 'debug-off', 'nonce', 'signing-key']) {
        await expect(page.locator(`[data-check="${check}"]`), check).toHaveAttribute('data-outcome', 'passed');
      }
      const answer = await chat.ask(`${QUESTION} ${CANARY}`);
      await expect(answer).toContainText('top-up');
      await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
      await expect(answer.getByTestId('answer-facts')).toHaveText(
        /e2ee-guide · [\d,]+ \+ [\d,]+ tokens · \$0\.0\d+ · /,
      );

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

    await test.step('a second question folds the first into ciphertext, and a new key is attested by itself', async () => {
      await chat.rotate();
      const answer = await chat.ask('And staking?');
      await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
      expect(chat.sentBodies.length).toBeGreaterThanOrEqual(2);
      for (const body of chat.sentBodies) expect(body).not.toContain(CANARY);
    });
  });

  test('an encrypted answer is held to a schema, its attestation is exported, and its workload pinned', async ({
    chat,
    page,
  }) => {
    await expectFittingDocument(chat, page, 'e2ee-guide');
    await test.step('the exported file is verified again by the code behind the command', async () => {
      await chat.show('Privacy');
      await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        chat.privacyPanel.getByRole('button', { name: 'Export' }).click(),
      ]);
      const { report, expected, checkedAtMs, roots } = readExportedAttestation(
        await readFile(await download.path(), 'utf8'),
      );
      expect(
        (await verifyAttestation({ report, expected, policy: { ...DEFAULT_POLICY, roots }, nowMs: checkedAtMs }))
          .conclusion,
      ).toBe('simulated');
    });

    await test.step('a workload is pinned by what the quote says, and told from another', async () => {
      await chat.privacyPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
      await expect(page.locator('[data-check="workload"]')).toHaveAttribute('data-outcome', 'passed');
      await chat.privacyPanel.getByRole('button', { name: /^Unpin/ }).click();
      await expect(page.locator('[data-check="workload"]')).toHaveAttribute('data-outcome', 'not-checkable');
      await chat.privacyPanel.getByText('Pin measurements of your own').click();
      await chat.privacyPanel.getByLabel('Name').fill('other');
      await chat.privacyPanel.getByLabel('Compose file (sha256)').fill('abcd');
      await chat.privacyPanel.getByRole('button', { name: 'Pin them' }).click();
      await expect(chat.privacyPanel).toContainText('takes 64 hexadecimal characters');
      await chat.privacyPanel.getByLabel('Compose file (sha256)').fill('ab'.repeat(32));
      await chat.privacyPanel.getByRole('button', { name: 'Pin them' }).click();
      await expect(chat.privacyPanel).toContainText('Missing: MRTD, RTMR0, RTMR1 and RTMR2.');
      for (const register of ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2'])
        await chat.privacyPanel.getByLabel(register, { exact: true }).fill('cd'.repeat(48));
      await chat.privacyPanel.getByRole('button', { name: 'Pin them' }).click();
      await expect(page.locator('[data-check="workload"]')).toHaveAttribute('data-outcome', 'failed');
    });
  });

  test('a pin of earlier, a compose hash alone, verifies nothing, says what it lacks, and is completed in one act', async ({
    chat,
    page,
  }) => {
    await chat.trustSimulator();
    const composeHash = await chat.measuredComposeHash('e2ee-guide');
    await page.addInitScript((hash) => {
      if (localStorage.getItem('turnpike.workload-pins') === null)
        localStorage.setItem('turnpike.workload-pins', JSON.stringify([{ name: 'of earlier', composeHash: hash }]));
    }, composeHash);
    await chat.open('e2ee-guide');
    await chat.show('Privacy');
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'unknown-workload');
    await expect(chat.verdict).toContainText(
      'it must also pin MRTD, RTMR0, RTMR1 and RTMR2, in addition to the hash of the compose file',
    );
    await expect(page.getByText('so nothing is sent.')).toBeVisible();
    await expectAccessible(page);
    await chat.privacyPanel.getByRole('button', { name: 'Add what was measured now to of earlier' }).click();
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'verified');
    await expect(chat.verdict).toContainText('Workload: of earlier');
    expect(chat.sentBodies).toEqual([]);
  });

  test('an answer by a key that was attested only afterwards is not shown as verified', async ({ chat, page }) => {
    await chat.trustSimulator();
    await chat.open('tee-guide');
    await chat.show('Privacy');
    await chat.privacyPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'verified');
    const before = await chat.ask(QUESTION);
    await expect(before.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
    await chat.rotate();
    const answer = await chat.ask(QUESTION);
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'attested-after');
    await expect(answer).toContainText(
      'Answered by a key other than the one attested before; that key was attested after the answer.',
    );
    await expect(chat.verdict).toContainText('A different key from before');
    await expect(chat.warning).toBeHidden();
    await expectAccessible(page);
    const next = await chat.ask(QUESTION);
    await expect(next.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
  });

  test('genuine hardware gets nothing until its workload is pinned, and is verified then', async ({ chat, page }) => {
    await chat.trustSimulator();
    await chat.open('e2ee-guide');
    await chat.show('Privacy');
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'unknown-workload');
    await expect(chat.verdict).toContainText('Genuine hardware, unknown workload');
    await expect(page.getByRole('button', { name: 'Privacy: Unknown workload' })).toBeVisible();
    await expect(page.getByText(/You have not pinned what runs in this enclave, so nothing is sent\./)).toBeVisible();
    await expect(page.getByRole('button', { name: QUESTION })).toBeDisabled();
    await chat.question.fill(QUESTION);
    await chat.question.press('Enter');
    await expectAccessible(page);
    expect(chat.sentBodies).toEqual([]);

    await chat.verdict.getByRole('button', { name: 'Send whatever runs there' }).click();
    await expect(page.getByText('Encrypted in this browser, for whatever runs in the enclave.')).toBeVisible();
    await chat.verdict.getByRole('button', { name: 'Send to pinned workloads only' }).click();
    await expect(page.getByText('so nothing is sent.')).toBeVisible();

    await chat.privacyPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'verified');
    await expect(chat.verdict).toContainText('Workload: e2ee-guide of');
    await expect(chat.privacyPanel.getByRole('region', { name: 'Is it genuine hardware?' })).toBeVisible();
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
    // A wide screen shows everything at once.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(rest).toBeVisible();
    await expect(chat.warning.getByRole('button', { name: /More|Less/ })).toBeHidden();
  });

  test('an enclave that lies stops the conversation before anything is sent', async ({ chat, page }) => {
    await chat.open('e2ee-guide');
    for (const [tampering, reason, check] of [
      ['wrong-key', 'TEE attestation verification failed', 'signing-key'],
      ['wrong-nonce', 'Attestation nonce mismatch', 'nonce'],
      ['debug', 'TDX debug mode detected', 'debug-off'],
    ] as const) {
      const sent = [...chat.sentBodies];
      await chat.show('Privacy');
      await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
      await chat.tamper(tampering);
      // A new conversation verifies again, even if the enclave was verified a moment ago.
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
      expect(chat.sentBodies).toEqual(sent);

      // If the warning is dismissed while the enclave still lies, it appears again, and nothing was sent.
      await dismiss(page);
      await chat.question.press('Enter');
      await expect(chat.warning).toContainText(reason);
      expect(chat.sentBodies).toEqual(sent);

      await chat.tamper(null);
      await dismiss(page);
      await expect(chat.warning).toBeHidden();
      const answer = await chat.ask(QUESTION);
      await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
      expect(chat.sentBodies).toHaveLength(sent.length + 1);
      await page.getByRole('button', { name: 'New conversation' }).click();
      await expect(chat.turns).toHaveCount(0);
    }
  });

  test('an attested model that takes plain text signs what it answers, and the page says who reads it and if it was touched', async ({
    chat,
    page,
  }) => {
    await chat.open('tee-guide');
    await expect(
      page.getByText('Not encrypted: this gateway, the provider’s servers and the enclave can read it.'),
    ).toBeVisible();
    const answer = await chat.ask(QUESTION);
    await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', 'verified');
    await expect(chat.warning).toBeHidden();

    await test.step('a touched answer is not vouched for, and raises the warning', async () => {
      await page.route('**/chat/completions', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace('retrieval', 'reviewed!') });
      });
      const touched = await chat.ask(QUESTION);
      await expect(touched.locator('[data-signature]')).toHaveAttribute('data-signature', 'failed');
      await expect(chat.warning).toContainText('The signature of an answer is not valid.');
    });
  });

  async function dismiss(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Dismiss…' }).click();
    const confirm = page.getByRole('button', { name: 'Dismiss the warning' });
    await expect(confirm).toBeDisabled();
    await page.getByRole('checkbox').check();
    await confirm.click();
  }
});
