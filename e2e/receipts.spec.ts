import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';

const SENT = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';

async function receiptOf(request: APIRequestContext): Promise<{ receipt: Buffer; answer: Buffer }> {
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  const authorization = `Bearer ${demoKey}`;
  const answer = await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
    headers: { authorization, 'content-type': 'application/json', 'x-receipt': 'true' },
    data: SENT,
  });
  const receipt = await request.get(answer.headers()['x-receipt'] ?? '', { headers: { authorization } });
  return { receipt: await receipt.body(), answer: await answer.body() };
}

/** Drops a file on the page's heading. @returns whether the page accepted it while it was dragged */
function drop(page: Page, name: string, content: string, bytes = content.length): Promise<boolean> {
  return page.getByRole('heading', { name: 'Verify a receipt', level: 1 }).evaluate(
    (heading, dropped) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([dropped.content.padEnd(dropped.bytes)], dropped.name));
      const event = (type: string) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
      // A browser drops files only where the page has accepted them while they were dragged.
      const isAccepted = !heading.dispatchEvent(event('dragover'));
      if (isAccepted) heading.dispatchEvent(event('drop'));
      return isAccepted;
    },
    { name, content, bytes },
  );
}

test('a receipt is checked in the browser, hop by hop, with files that are dropped or chosen', async ({
  page,
  request,
}) => {
  const { receipt, answer } = await receiptOf(request);
  const hop = (name: string) => page.locator(`[data-hop=${name}]`);
  await page.goto('/receipts');
  await expect(page.getByRole('main').getByRole('link', { name: /Usage/ })).toHaveAttribute('href', '/usage');
  await expect(page.getByRole('button', { name: 'Choose file: Receipt' })).toBeEnabled();

  await test.step('a receipt that is dropped on the page is checked, and a file that is too large is not read', async () => {
    expect(await drop(page, 'mine.json', receipt.toString())).toBe(true);
    await expect(page.getByText('Nothing in the receipt is refuted')).toBeVisible();
    await expect(page.getByText('mine.json')).toBeVisible();
    await expect(hop('signature')).toHaveAttribute('data-outcome', 'proven');

    await drop(page, 'huge.json', '', 64 * 1_048_576 + 1);
    await expect(page.getByText('huge.json is larger than 64 MB.')).toBeVisible();
    await expect(page.getByText('mine.json')).toBeVisible();

    await drop(page, 'other.json', '{}');
    await expect(page.getByText('huge.json is larger')).toBeHidden();
    await expect(hop('form')).toHaveAttribute('data-outcome', 'refused');
    await expect(page.getByText('Nothing in the receipt is refuted')).toBeHidden();
  });

  await test.step('a receipt is checked with the files that were sent and received', async () => {
    const choose = (name: string, buffer: Buffer) =>
      page.getByTestId(`receipt-file-${name}`).setInputFiles({ name, mimeType: 'application/json', buffer });
    await choose('receipt', receipt);
    await expect(page.getByText('Nothing in the receipt is refuted')).toBeVisible();
    await expect(hop('signature')).toHaveAttribute('data-outcome', 'proven');
    await expect(hop('answer')).toHaveAttribute('data-outcome', 'unchecked');
    await choose('request', Buffer.from(SENT));
    await choose('answer', answer);
    await expect(hop('request')).toHaveAttribute('data-outcome', 'proven');
    await expect(hop('answer')).toHaveAttribute('data-outcome', 'proven');
    await expectAccessibleInBothThemes(page);

    await choose('answer', Buffer.from('{}'));
    await expect(page.getByRole('alert').filter({ hasText: 'The receipt is not valid' })).toBeVisible();
    await expect(hop('answer')).toHaveAttribute('data-outcome', 'refused');
    await page.getByRole('button', { name: 'Remove file: Answer' }).click();
    await expect(hop('answer')).toHaveAttribute('data-outcome', 'unchecked');
    await choose('receipt', Buffer.from('{}'));
    await expect(hop('form')).toHaveAttribute('data-outcome', 'refused');
  });
});
