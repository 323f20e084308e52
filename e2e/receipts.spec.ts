import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';

test('a receipt is checked in the browser, hop by hop, with the files that were sent and received', async ({
  page,
  request,
}) => {
  const demoKey = ((await (await request.get('/api/sandbox')).json()) as { demoKey: string }).demoKey;
  const authorization = `Bearer ${demoKey}`;
  const sent = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
  const answer = await request.post('/api/v1/crypto/rpc/sandbox-testnet', {
    headers: { authorization, 'content-type': 'application/json', 'x-receipt': 'true' },
    data: sent,
  });
  const receipt = await (await request.get(answer.headers()['x-receipt'] ?? '', { headers: { authorization } })).body();
  const choose = (name: string, buffer: Buffer) =>
    page.getByTestId(`receipt-file-${name}`).setInputFiles({ name, mimeType: 'application/json', buffer });
  const hop = (name: string) => page.locator(`[data-hop=${name}]`);

  await page.goto('/receipts');
  await expect(page.getByRole('button', { name: 'Choose file: Receipt' })).toBeEnabled();
  await choose('receipt', receipt);
  await expect(page.getByText('Nothing in the receipt is refuted')).toBeVisible();
  await expect(hop('signature')).toHaveAttribute('data-outcome', 'proven');
  await expect(hop('answer')).toHaveAttribute('data-outcome', 'unchecked');
  await choose('request', Buffer.from(sent));
  await choose('answer', await answer.body());
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
