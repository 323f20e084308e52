import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { creditWithin } from '../db/credits';
import { completeVideo, failVideo, noteVideo, queueVideo, recordVideoRequest } from '../video/video-requests';
import { newVideoRefundFaults, videoRefundFaults } from './video-refund-check';

const PRICE = 150;

interface Charged {
  id: string;
  requestId: string;
  accountId: number;
}

/** Creates a queued video that was charged to two balances. */
async function chargedVideo(books: MeteredStore): Promise<Charged> {
  const { db } = books.store;
  const [id, requestId, accountId] = [
    randomUUID(),
    randomUUID().replaceAll('-', ''),
    await books.account({ bundled: 100, usd: 100 }),
  ];
  await recordVideoRequest(
    db,
    {
      id,
      account_id: accountId,
      model: 'film',
      upstream: 'studio',
      content: '{}',
      price: PRICE,
      request_id: requestId,
    },
    { perCaller: 5, inAll: 100 },
    Date.now(),
  );
  await books.charge(books.request(accountId, PRICE), { requestId });
  await queueVideo(db, id, Date.now());
  return { id, requestId, accountId };
}

const payBack = ({ store: { db } }: MeteredStore, { id, requestId, accountId }: Charged, amountNanoUsd: number) =>
  creditWithin(
    db,
    { accountId, pot: 'usd', kind: 'REFUND', amountNanoUsd, detail: `video ${id}`, requestId },
    Date.now(),
  );

describeStores('What is paid back for videos', (open) => {
  describe('the books', () => {
    it('agree before, while and after a video fails, and when it was made', async () => {
      const books = await open();
      const { db } = books.store;
      const [failed, made] = [await chargedVideo(books), await chargedVideo(books)];
      expect(await books.faults()).toEqual([]);
      await failVideo(db, failed.id, 'No.', Date.now());
      await noteVideo(db, made.id, { state: 'PROCESSING', upstream_id: 'x' });
      await completeVideo(db, made.id, 100, Date.now());
      expect(await books.faults()).toEqual([]);
    });

    it('agree when the row of a refund was dropped, a week after it was deleted, and not before', async () => {
      const books = await open();
      const failed = await chargedVideo(books);
      await failVideo(books.store.db, failed.id, 'No.', Date.now());
      await books.store.db.deleteFrom('video_requests').execute();
      expect(await videoRefundFaults(books.store.db)).toHaveLength(2);
      expect(await videoRefundFaults(books.store.db, Date.now() + 7 * 86_400_000)).toEqual([]);
    });
  });

  describe('is a fault', () => {
    it('for a video that did not fail, or that never was', async () => {
      const books = await open();
      const video = await chargedVideo(books);
      await payBack(books, video, 50);
      expect(await books.faults()).toContainEqual(expect.stringMatching(/it refunds "video .*", which is QUEUED/));
      await payBack(books, { ...video, id: randomUUID() }, 1);
      expect(await books.faults()).toContainEqual(expect.stringContaining('which does not exist'));
    });

    it('for the video of another account', async () => {
      const books = await open();
      const [mine, other] = [await chargedVideo(books), await books.account({ usd: 1 })];
      await failVideo(books.store.db, mine.id, 'No.', Date.now());
      await payBack(books, { ...mine, accountId: other }, 50);
      const faults = await books.faults();
      expect(faults).toContainEqual(expect.stringContaining('or belongs to another account'));
      expect(faults).toContainEqual(
        expect.stringContaining(
          `account ${other}, request ${mine.requestId}, pot usd: 0 nano-USD were charged, and 50 refunded in 1 rows`,
        ),
      );
    });

    it('twice, even where both are no more than was charged', async () => {
      const books = await open();
      const video = await chargedVideo(books);
      await sql`update video_requests set state = 'FAILED', refunded = ${PRICE} where id = ${video.id}`.execute(
        books.store.db,
      );
      await payBack(books, video, 20);
      expect(await books.faults()).toEqual([]);
      await payBack(books, video, 20);
      expect(await books.faults()).toEqual([
        `account ${video.accountId}, request ${video.requestId}, pot usd: 50 nano-USD were charged, and 40 refunded in 2 rows`,
      ]);
    });

    it('where it is more than was charged to that pot', async () => {
      const books = await open();
      const video = await chargedVideo(books);
      await sql`update video_requests set state = 'FAILED', refunded = ${PRICE} where id = ${video.id}`.execute(
        books.store.db,
      );
      await payBack(books, video, 51);
      expect(await books.faults()).toContainEqual(expect.stringContaining('50 nano-USD were charged, and 51 refunded'));
    });

    it('for a check after the last proof too', async () => {
      const books = await open();
      const { db } = books.store;
      const since = { throughId: 0, archiveId: 0, at: Date.now() };
      const [failed, twice, lost] = [await chargedVideo(books), await chargedVideo(books), await chargedVideo(books)];
      await failVideo(db, failed.id, 'No.', Date.now());
      expect(await newVideoRefundFaults(db, since)).toEqual([]);
      await failVideo(db, twice.id, 'No.', Date.now());
      await payBack(books, twice, 1);
      await sql`update video_requests set state = 'FAILED' where id = ${lost.id}`.execute(db);
      const found = await newVideoRefundFaults(db, since);
      expect(found).toContainEqual(expect.stringContaining('and 51 refunded in 2 rows'));
      expect(found.toSorted()).toEqual((await videoRefundFaults(db)).toSorted());
      expect(found).toHaveLength(3);
    });

    it('where a video failed and nothing came back', async () => {
      const books = await open();
      const video = await chargedVideo(books);
      await sql`update video_requests set state = 'FAILED' where id = ${video.id}`.execute(books.store.db);
      expect(await books.faults()).toEqual([
        `video ${video.id}, FAILED: ${PRICE} nano-USD were charged, 0 are recorded as refunded, and the ledger refunds 0`,
      ]);
    });
  });
});
