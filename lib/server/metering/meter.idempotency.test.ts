import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetExpired } from './forget-expired';
import { describeStores } from '../testing/describe-stores';
import type { MeteredStore } from '../testing/metered-store';

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;
const BODY = Buffer.from('{"result":"é"}');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

const under = (key: string, fingerprint = 'f') => ({ idempotency: { key, fingerprint } });

describeStores('idempotency keys', (open) => {
  async function charged(): Promise<{ books: MeteredStore; account: number }> {
    const books = await open();
    const account = await books.account({ usd: 100 });
    await books.charge(books.request(account, 10, under('k')), { replayBody: BODY });
    return { books, account };
  }

  describe('the same key and the same request within 24 hours', () => {
    it('is answered with the kept bytes, and charges and holds nothing', async () => {
      const { books, account } = await charged();
      const admission = await books.meter.reserve(books.request(account, 10, under('k')));
      expect(admission.outcome).toBe('replayed');
      expect(admission.outcome === 'replayed' && Buffer.compare(BODY, admission.body)).toBe(0);
      expect(await books.spendable(account)).toBe(90);
    });

    it('needs no balance', async () => {
      const { books, account } = await charged();
      await books.charge(books.request(account, 90));
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
    });

    it('survives a restart', async () => {
      const { books, account } = await charged();
      const again = await books.reopen();
      expect((await again.meter.reserve(again.request(account, 10, under('k')))).outcome).toBe('replayed');
    });

    it('counts toward the minute cap, and is refused by it', async () => {
      const limits = { requestsPerMinute: { standard: 2, paid: 2, staff: 2 }, creditsPerDay: { standard: null, paid: null, staff: null } };
      const books = await open(limits);
      const account = await books.account({ usd: 100 });
      await books.charge(books.request(account, 10, under('k')), { replayBody: BODY });
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
      expect(await books.refusal(books.request(account, 10, under('k')))).toMatchObject({ reason: 'minute-cap' });
    });

    it('ends after 24 hours, to the millisecond, and the key may be used for another request', async () => {
      const { books, account } = await charged();
      vi.setSystemTime(NOON + DAY - 1);
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
      vi.setSystemTime(NOON + DAY);
      await books.charge(books.request(account, 10, under('k', 'other')), { replayBody: Buffer.from('new') });
      const admission = await books.meter.reserve(books.request(account, 10, under('k', 'other')));
      expect(admission.outcome === 'replayed' && Buffer.from(admission.body).toString()).toBe('new');
      expect(await books.spendable(account)).toBe(80);
    });

    it('is deleted after that, and not before', async () => {
      const { books } = await charged();
      const count = async () => (await books.store.db.selectFrom('idempotency_records').select('key').execute()).length;
      await forgetExpired(books.store.db, NOON + DAY - 1);
      expect(await count()).toBe(1);
      await forgetExpired(books.store.db, NOON + DAY);
      expect(await count()).toBe(0);
    });
  });

  describe('the pair of caller and key', () => {
    it('refuses a different request', async () => {
      const { books, account } = await charged();
      expect(await books.refusal(books.request(account, 10, under('k', 'other')))).toEqual({ reason: 'key-reused' });
      expect(await books.spendable(account)).toBe(90);
    });

    it('keeps callers apart, and letter case', async () => {
      const { books, account } = await charged();
      const other = await books.account({ usd: 100 });
      await books.admit(books.request(other, 10, under('k', 'other')));
      await books.admit(books.request(account, 10, under('K', 'other')));
    });

    it('is shared by the keys of one account', async () => {
      const { books, account } = await charged();
      const key = await books.key(account);
      expect((await books.meter.reserve(books.request(account, 10, { key, ...under('k') }))).outcome).toBe('replayed');
    });
  });

  describe('while the first request runs', () => {
    it('a second is a collision, whatever its body', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      const first = await books.admit(books.request(account, 10, under('k')));
      const collision = { reason: 'collision', kind: 'idempotency-key' };
      expect(await books.refusal(books.request(account, 10, under('k')))).toEqual(collision);
      expect(await books.refusal(books.request(account, 10, under('k', 'other')))).toEqual(collision);
      await books.admit(books.request(account, 10, under('another')));
      await books.settle(first, 10, { replayBody: BODY });
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
    });

    it('its failure frees the key for another try, of any body', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      await books.meter.release(await books.admit(books.request(account, 10, under('k'))));
      await books.charge(books.request(account, 10, under('k', 'other')), { replayBody: BODY });
      await turn();
      expect(await books.refusal(books.request(account, 10, under('k')))).toEqual({ reason: 'key-reused' });
    });
  });
});
