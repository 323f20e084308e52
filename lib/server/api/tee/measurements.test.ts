import { expect, it } from 'vitest';
import { MeasurementLog } from '@/lib/server/attestation/measurement-log';
import { ReceiptKeys } from '@/lib/server/billing/receipts/receipt-keys';
import { chatGateway } from '@/test/chat-gateway';

const ENTRIES = 51;

async function measuredGateway() {
  const { gateway, get } = await chatGateway({});
  const { db, config, log } = gateway;
  const keys = await ReceiptKeys.open(db, config.secret);
  const measured = new MeasurementLog({ db, keys, now: () => 5_000, log });
  for (let index = 0; index < ENTRIES; index += 1) {
    const measurements = { kind: 'intel-tdx', mrTd: index.toString(16).padStart(4, '0') };
    const enclaves = [{ role: 'model', hardware: 'intel-tdx', isUsed: true, measurements }];
    await measured.note(index === 0 ? 'first' : 'm', { conclusion: 'verified', enclaves } as never);
  }
  return { get };
}

it('GET /tee/measurements lists the log in pages, to anybody', async () => {
  const { get } = await measuredGateway();
  const page = async (query: string) => (await get(`/tee/measurements${query}`, { key: null })).json;
  const first = await page('');
  expect(first).toMatchObject({ head: { seq: ENTRIES }, next: 50 });
  expect(first['entries']).toHaveLength(50);
  expect(await page('?after=50')).toMatchObject({
    entries: [
      {
        seq: ENTRIES,
        model: 'm',
        at: 5,
        lastSeen: 5,
        skippedAfter: 0,
        changed: ['mrTd'],
        signature: expect.any(String),
      },
    ],
    next: null,
  });
  expect(await page('?limit=200')).toMatchObject({ next: null });
  expect(await page('?after=1&limit=2')).toMatchObject({ entries: [{ seq: 2 }, { seq: 3 }], next: 3 });
  expect(await page('?model=first')).toMatchObject({ entries: [{ seq: 1 }], next: null });
  expect(await page('?model=none')).toMatchObject({ entries: [], head: { seq: ENTRIES }, next: null });
});

it('GET /tee/measurements is 400 for a cursor or limit that is no number, and for a bad model', async () => {
  const { get } = await chatGateway({});
  const limits = ['?limit=0', '?limit=201', '?limit=x', '?limit='];
  const models = ['?model=', '?model=a%00', `?model=${'m'.repeat(300)}`];
  for (const query of ['?after=-1', '?after=x', '?after=1e3', ...limits, ...models])
    expect((await get(`/tee/measurements${query}`, { key: null })).status).toBe(400);
});
