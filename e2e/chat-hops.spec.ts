import { expect, test } from './console-test';
import { chooseOption } from './pages/choose-option';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { expectNoPanning } from './pages/narrow';
import { OwnEnclave } from './pages/own-enclave';

const CHAIN = 'near-cloud-guide';

test('the way through two enclaves is told hop by hop and pinned in one act, and without enclaves all is claims', async ({
  chat,
  page,
}) => {
  await chat.open(CHAIN);
  await chat.show('Privacy');
  await test.step('each hop says who runs it, what it could read, and what proves it', async () => {
    await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
    await expect(chat.verdict).toContainText(/\d+ of \d+ checks of 2 enclaves passed/);
    const hops = chat.privacyPanel.getByRole('list', { name: 'The path of a prompt' }).getByRole('listitem');
    const told = () =>
      hops.evaluateAll((items) =>
        items.map((item) => `${item.getAttribute('data-hop')} ${item.getAttribute('data-standing')}`),
      );
    await expect
      .poll(told)
      .toEqual([
        'client claim',
        'gateway simulated',
        'provider simulated',
        'router simulated',
        'model simulated',
        'gpu claim',
      ]);
    for (const at of [1, 2, 3]) await expect(hops.nth(at)).toContainText('not a word of it');
    await expect(hops.nth(3)).toContainText('Intel TDX');
    await expect(hops.nth(4)).toContainText('Every word, question and answer.');
    await expect(hops.nth(5)).toContainText('Nothing that can be checked');

    // Passed checks are folded. Each enclave shows their number, and the number opens the list of checks.
    const router = chat.privacyPanel.locator('[data-enclave="router"]');
    await expect(router.locator('[data-check="quote-signature"]')).toBeHidden();
    await router.getByText('The router’s enclave').click();
    await expect(router.locator('[data-check="quote-signature"]')).toBeVisible();
    await expect(router.locator('[data-check="quote-signature"]')).toHaveAttribute('data-outcome', 'passed');
    await expectAccessibleInBothThemes(page);
  });

  await test.step('one act pins every enclave of a chain', async () => {
    await chat.privacyPanel.getByRole('button', { name: 'Pin what runs there now' }).click();
    for (const role of ['router', 'model'])
      await expect(chat.privacyPanel.locator(`[data-enclave="${role}"] [data-check="workload"]`), role).toHaveAttribute(
        'data-outcome',
        'passed',
      );
    await expect(chat.privacyPanel.getByRole('list', { name: 'Pinned workloads' }).getByRole('listitem')).toHaveCount(
      2,
    );
    await expect(chat.privacyPanel.getByRole('button', { name: 'Pin what runs there now' })).toBeHidden();
  });

  await test.step('a model outside of enclaves is claims from end to end', async () => {
    await chat.chooseModel('guide');
    await chat.show('Privacy');
    await expect(chat.privacyPanel.locator('[data-hop]')).toHaveCount(4);
    const standings = await chat.privacyPanel
      .locator('[data-hop]')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-standing')));
    expect(standings).toEqual(['claim', 'claim', 'claim', 'claim']);
  });
});

test('a chain fits a phone, and nothing of it can be panned sideways', async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await chat.open(CHAIN);
  await chooseOption(page.getByRole('combobox', { name: 'View' }), 'Privacy');
  await expect(chat.privacyPanel.locator('[data-hop="gpu"]')).toBeVisible();
  await expectNoPanning(page);
  const overflow = await chat.privacyPanel.evaluate((panel) => panel.scrollWidth - panel.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('a change of measurement is shown as a difference until it was seen, however often it is verified again', async ({
  chat,
  page,
}) => {
  const enclave = await OwnEnclave.for(page, 'near-cloud');
  await chat.open(CHAIN);
  await chat.show('Privacy');
  await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
  const changes = chat.privacyPanel.getByRole('list', { name: 'What changed' });
  const again = () => chat.privacyPanel.getByRole('button', { name: 'Verify again' }).click();
  await again();
  await expect(chat.verdict).toBeVisible();
  await expect(changes).toBeHidden();

  enclave.update();
  await again();
  await expect(changes.locator('[data-change="composeHash"]')).toContainText(
    /Before\s*[0-9a-f]{64}\s*Now\s*[0-9a-f]{64}/,
  );
  await expect(chat.verdict.getByRole('heading', { name: 'Changed since; by itself simulated' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Privacy: Changed' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await again();
  await expect(chat.verdict.getByRole('heading', { name: 'Changed since; by itself simulated' })).toBeVisible();

  await chat.privacyPanel.getByRole('button', { name: 'I have seen it' }).click();
  await expect(changes).toBeHidden();
  await again();
  await expect(chat.verdict.getByRole('heading', { name: 'Simulated', exact: true })).toBeVisible();
  await expect(changes).toBeHidden();
});
