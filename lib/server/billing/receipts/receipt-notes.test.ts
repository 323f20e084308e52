import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { Database } from '../../db/schema';
import type { Call, Reply } from '../../http/call';
import type { PaidCall } from '../paid-call';
import type { PaidService } from '../paid-service';
import { ReceiptNotes } from './receipt-notes';

/** Records an answer of a chain. @returns whether its parts were joined */
async function joins(body: readonly Uint8Array[]): Promise<boolean> {
  const notes = new ReceiptNotes({
    db: { transaction: () => ({ execute: () => Promise.resolve(true) }) } as unknown as Database,
    origin: 'http://gateway.example',
    perAccountMax: 1,
    now: () => 0,
    log: pino({ level: 'silent' }),
  });
  const record = { model: null, network: 'ethereum-mainnet', method: 'eth_getLogs' };
  const call = { path: '/', method: 'POST', requestId: 'a', record, header: () => null } as unknown as Call;
  const paid = { caller: { accountId: 1, wallet: '0x1' }, paymentId: null, charge: null } as unknown as PaidCall;
  const service = {
    repetition: {},
    price: () => ({ maxNanoUsd: 1, maxCredits: 0 }),
    asked: () => ({ isBatch: false, items: [{ method: 'eth_getLogs', block: null }] }),
    fulfil: () => Promise.resolve({ status: 200, headers: {}, body } satisfies Reply),
  } as unknown as PaidService<null>;
  const concat = vi.spyOn(Buffer, 'concat');
  try {
    await notes.noted(call, service, async (_call, noting) => noting.fulfil(paid, null));
    return concat.mock.calls.some(([parts]) => parts === body);
  } finally {
    concat.mockRestore();
  }
}

it('a small answer is searched for its block', async () => {
  expect(await joins([Buffer.from('{"result":'), Buffer.from('{}}')])).toBe(true);
});

it('a huge answer is not joined to find its block', async () => {
  expect(await joins(Array<Uint8Array>(5).fill(Buffer.alloc(65_536)))).toBe(false);
});
