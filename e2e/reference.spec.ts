import type { Page } from '@playwright/test';
import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';

interface Served {
  info: { version: string };
  paths: Record<
    string,
    Record<string, { operationId: string; summary: string; description: string; responses: Record<string, unknown> }>
  >;
  components: { schemas: Record<string, unknown> };
}

/**
 * Returns the parts of a description that the page does not show. Reads all at once, because single expectations would
 * take a minute.
 */
function notShown(page: Page, { paths, components }: Served): Promise<string[]> {
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { summary, responses }]) => ({
      summary,
      parts: [verb.toUpperCase(), path],
      statuses: Object.keys(responses),
    })),
  );
  return page.evaluate(
    ({ operations, schemas }) => {
      const titled = (title: string) =>
        [...document.querySelectorAll('section[aria-labelledby]')].filter(
          (section) => document.getElementById(section.getAttribute('aria-labelledby') ?? '')?.textContent === title,
        );
      const visibleTexts = (section: Element | undefined, kind: string) =>
        [...(section?.querySelectorAll(kind) ?? [])]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .map(({ textContent }) => textContent);
      const missing = operations.flatMap(({ summary, parts, statuses }) => {
        const [section, ...more] = titled(summary);
        if (section === undefined || more.length > 0) return [`${summary}: in ${titled(summary).length} sections`];
        const rows = visibleTexts(section, 'button');
        return [
          ...parts.filter((part) => !section.textContent.includes(part)),
          ...statuses.filter((status) => !rows.some((row) => row.startsWith(status))),
        ].map((part) => `${summary}: ${part}`);
      });
      const headings = visibleTexts(titled('Schemas')[0], 'h3');
      return [...missing, ...schemas.filter((name) => !headings.includes(name))];
    },
    { operations, schemas: Object.keys(components.schemas) },
  );
}

test.describe('the API reference', () => {
  test('shows all that the gateway serves, finds it by words, and unfolds by keyboard without an accessibility violation', async ({
    reference,
    page,
    request,
  }) => {
    const served = (await (await request.get('/api/v1/openapi.json')).json()) as Served;
    await reference.open();
    await test.step('every operation, response and schema', async () => {
      await expect.poll(() => notShown(page, served)).toEqual([]);
      await expect(page.getByText(served.info.version)).toBeVisible();
    });
    await test.step('finds operations, methods, errors and fields, and says where nothing matches', async () => {
      await reference.search('eth_getLogs');
      await expect(reference.section('JSON-RPC methods').getByRole('link', { name: /eth_getLogs/ })).toBeVisible();
      await expect(reference.section('List the networks')).toHaveCount(0);
      await reference.search('idempotency_key_reused');
      await expect(reference.section('Errors')).toContainText('Use a new Idempotency-Key for each new request');
      await reference.search('<script>alert(1)</script>');
      await expect(page.getByText('Nothing in this reference has all of these words.')).toBeVisible();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect(reference.section('List the networks')).toBeVisible();
    });
    // console.spec.ts checks the whole folded page.
    await reference.search('crypto/rpc/network');
    await expect(reference.section('Schemas')).toBeHidden();
    const section = reference.section(/^Forward a JSON-RPC/);
    await test.step('unfolds schemas by keyboard, down to their members', async () => {
      const response = section.getByRole('button', { name: /^200 / });
      await response.focus();
      await page.keyboard.press('Enter');
      await expect(response).toHaveAttribute('aria-expanded', 'true');
      // The schema's name links to its section. The next Tab stop is its first form.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(section.getByText('jsonrpc', { exact: true }).first()).toBeVisible();
    });
    await test.step('has no serious accessibility violation when unfolded, in either theme', async () => {
      await section
        .getByRole('button', { name: /^choice 1/ })
        .first()
        .click();
      await reference.section('List the networks').getByRole('button', { name: 'Run' }).click();
      await expect(reference.section('List the networks')).toContainText('HTTP 200');
      await expectAccessibleInBothThemes(page);
    });
  });

  test('has the first operation in its HTML, which stays in place when the description arrives', async ({
    reference,
    page,
    request,
  }) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/v1/openapi.json', async (route) => {
      await released;
      await route.continue();
    });
    const served = (await (await request.get('/api/v1/openapi.json')).json()) as Served;
    const first = Object.values(Object.values(served.paths)[0] ?? {})[0];
    const text = page.getByText(first?.description ?? '', { exact: true });
    // On a busy machine, the server may render the page before it has the description.
    await expect(async () => {
      await page.goto('/reference');
      await expect(text).toBeVisible({ timeout: 2_000 });
    }).toPass();
    const element = await text.elementHandle();
    const before = await element?.boundingBox();
    release();
    await expect(reference.section(first?.summary ?? '').getByText('Parameters')).toBeVisible();
    expect(await element?.boundingBox()).toEqual(before);
  });

  test('runs what only reads in place, shows requests in the language that was chosen, and opens an example where it works', async ({
    reference,
    rpc,
    page,
  }) => {
    await reference.open();
    const proxy = reference.section(/^Forward a JSON-RPC/);
    await expect(proxy.getByLabel(/as curl$/)).toContainText('Bearer tpk_••••');
    await test.step('runs what only reads in place, and shows a refusal as it is', async () => {
      const section = reference.section('List the networks');
      await section.getByRole('button', { name: 'Run' }).click();
      await expect(section.getByRole('region', { name: 'Answer' })).toContainText('HTTP 200');
      await expect(section).toContainText('"ethereum-mainnet"');
      await page.route('**/api/v1/crypto/rpc/networks', (route) =>
        route.fulfill({ status: 429, json: { error: 'Too many requests in this minute.' } }),
      );
      await section.getByRole('button', { name: 'Run' }).click();
      await expect(section.getByRole('region', { name: 'Answer' })).toContainText('HTTP 429');
      await page.unroute('**/api/v1/crypto/rpc/networks');
      await page.route('**/api/v1/crypto/rpc/networks', (route) => route.abort('connectionrefused'));
      await section.getByRole('button', { name: 'Run' }).click();
      await expect(section.getByRole('alert')).toContainText('does not answer');
      await page.unroute('**/api/v1/crypto/rpc/networks');
    });
    await test.step('shows every request in the language that was chosen once, and an example of its answer', async () => {
      const section = reference.section(/balances and today/);
      await expect(section.getByLabel(/^Example answer 200/)).toContainText('canConsume');
      await section.getByRole('button', { name: 'turnpike-client' }).click();
      await expect(section.getByLabel(/as turnpike-client$/)).toContainText('gateway.fetch(');
      await proxy.getByRole('button', { name: 'Python' }).click();
      await expect(section.getByLabel(/as Python$/)).toContainText('urlopen(request)');
    });
    await test.step('opens the example of the proxy on the RPC page, where it works', async () => {
      await proxy.getByRole('button', { name: 'batch' }).click();
      await proxy.getByRole('link', { name: 'Try it on the RPC page' }).click();
      await expect(rpc.editor).toContainText('eth_getBalance');
      await expect(rpc.sendButton).toBeEnabled();
      await rpc.send();
      await expect(rpc.answer).toContainText('2 results');
      await expect(page).toHaveURL(/\/rpc\?/);
    });
  });

  test('is where an error leads: its code, its sentence and its cure', async ({ reference, rpc, page }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_accounts');
    await rpc.send();
    await rpc.answer.getByRole('link', { name: 'UNSUPPORTED_METHOD' }).click();
    await expect(page).toHaveURL(/\/reference#error-UNSUPPORTED_METHOD$/);
    await expect(reference.section('Errors').getByText('UNSUPPORTED_METHOD')).toBeInViewport();
  });

  test('says why it is not there, and can be asked for again', async ({ reference, page }) => {
    await page.route('**/api/v1/openapi.json', (route) =>
      route.fulfill({ status: 404, json: { error: 'There is nothing at this path.', code: 'NOT_FOUND' } }),
    );
    await page.goto('/reference');
    await expect(page.getByRole('alert').filter({ hasText: 'There is nothing at this path.' })).toBeVisible();
    await page.unroute('**/api/v1/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(reference.navigation).toBeVisible();
  });
});
