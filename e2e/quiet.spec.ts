import { expect, test } from './console-test';

test('a call makes the balance be read again, and only then', async ({ rpc, page }) => {
  let reads = 0;
  page.on('request', (request) => (reads += new URL(request.url()).pathname === '/api/v1/billing/balance' ? 1 : 0));
  await rpc.open();
  await expect.poll(() => reads).toBeGreaterThan(0);
  const before = reads;
  await rpc.send();
  await expect(rpc.answer).toContainText('result');
  await expect.poll(() => reads).toBeGreaterThan(before);
  await page.waitForTimeout(1500);
  expect(reads - before).toBeLessThanOrEqual(2);
});
