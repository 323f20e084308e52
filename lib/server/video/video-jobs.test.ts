import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../config/secret';
import {
  deleteVideo,
  failVideo,
  leaseVideo,
  leftMedia,
  queueVideo,
  readVideo,
  recordVideoRequest,
  refundGivenUp,
  type VideoRequest,
} from './video-requests';
import { createLog } from '../telemetry/log';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { boxedMedia, json, ScriptedStudio } from '@/test/scripted-studio';
import { tempFolder } from '@/test/temp-folder';
import { FolderStorage, type MediaStorage, StorageAway } from './storage/media-storage';
import { VideoUpstream } from './upstream';
import { VideoJobs, type VideoJobsOptions } from './video-jobs';

const PRICE = 250_000_000;
const USD = 1_000_000_000;
const HOUR_MS = 3_600_000;
const CAPS = { perCaller: 5, inAll: 100 };

interface Setting {
  books: MeteredStore;
  studio: ScriptedStudio;
  folder: string;
  accountId: number;
  /** Clock shared by all jobs of the test. */
  clock: { ahead: number };
  jobs: VideoJobs;
  /** Creates the jobs of another process with the same database and storage, as after a crash. */
  another(options?: Partial<VideoJobsOptions>, idempotencyKeys?: boolean): VideoJobs;
  /** Creates a paid and queued request, as the endpoint does. */
  queued(): Promise<string>;
  row(id: string): Promise<VideoRequest>;
  balance(): Promise<number>;
}

async function setUp(books: MeteredStore): Promise<Setting> {
  const [studio, folder, clock] = [await ScriptedStudio.open(), tempFolder(), { ahead: 0 }];
  const { db } = books.store;
  const accountId = await books.account({ usd: USD });
  const storage = new FolderStorage(join(folder, 'video'));
  const another: Setting['another'] = (options = {}, idempotencyKeys = true) => {
    const limits = { connectTimeoutMs: 1_000, answerTimeoutMs: 2_000, mediaBytesMax: 1_000_000 };
    const upstream = new VideoUpstream(
      { name: 'studio', url: studio.url, key: new Secret('studio-key-123'), idempotencyKeys },
      limits,
    );
    const config = { requestTimeoutMs: HOUR_MS, pollIntervalMs: 3_600_000, keepHours: 24, sweepIntervalMs: 3_600_000 };
    const jobs = new VideoJobs({
      db,
      log: createLog('silent'),
      config,
      storage,
      upstream: () => upstream,
      spoolFolder: join(folder, 'incoming'),
      exclusive: true,
      unpaidAfterMs: 60_000,
      now: () => Date.now() + clock.ahead,
      ...options,
    });
    onTestFinished(async () => {
      await jobs.close();
      await upstream.close();
    });
    return jobs;
  };
  const record = async (requestId: string): Promise<string> => {
    const id = randomUUID();
    await recordVideoRequest(
      db,
      {
        id,
        account_id: accountId,
        model: 'film',
        upstream: 'studio',
        content: '{"model":"film","prompt":"x"}',
        price: PRICE,
        request_id: requestId,
      },
      CAPS,
      Date.now(),
    );
    return id;
  };
  return {
    books,
    studio,
    folder,
    accountId,
    clock,
    another,
    jobs: another(),
    queued: async () => {
      const requestId = randomUUID().replaceAll('-', '');
      const id = await record(requestId);
      await books.charge(books.request(accountId, PRICE), { requestId });
      await queueVideo(db, id, Date.now());
      return id;
    },
    row: (id) => readVideo(db, id),
    balance: async () => (await books.balances(accountId)).usd,
  };
}

/** Runs both steps of a request: submitting it and fetching the video. */
async function finish(jobs: VideoJobs, id: string): Promise<void> {
  await jobs.advance(id);
  await jobs.advance(id);
}

/** Returns the name of the media that a sweep deletes first. */
const leftFirst = async ({ store: { db } }: MeteredStore): Promise<string> =>
  (await leftMedia(db, 1))[0]?.mediaKey ?? '';

const mediaIn = (folder: string): string[] => readdirSync(join(folder, 'video'));

describeStores('Video jobs', (open) => {
  const start = async () => setUp(await open());

  describe('a request', () => {
    it('is submitted, made, stored whole, and paid once; the upstream may then forget it', async () => {
      const { jobs, studio, queued, row, balance, folder, books } = await start();
      const id = await queued();
      await jobs.advance(id);
      expect(await row(id)).toMatchObject({ state: 'PROCESSING', upstream_id: studio.orders[0]?.id });
      await jobs.advance(id);
      expect(await row(id)).toMatchObject({ state: 'COMPLETED', media_bytes: studio.media.length });
      expect(readFileSync(join(folder, 'video', `${id}.mp4`))).toEqual(studio.media);
      expect(studio.deleted).toEqual([studio.orders[0]?.id]);
      expect(studio.authorization).toBe('Bearer studio-key-123');
      expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
      expect(await balance()).toBe(USD - PRICE);
      expect(await books.faults()).toEqual([]);
    });

    it('that the upstream refuses is paid back to the unit, with its sentence and without the key in it', async () => {
      const { jobs, studio, queued, row, balance, books } = await start();
      studio.intercept = (path, response) => (
        json(response, 400, { error: `The prompt is too sad for Bearer studio-key-123 at ${studio.url}.` }),
        path === 'video/queue'
      );
      const id = await queued();
      await jobs.advance(id);
      const failed = await row(id);
      expect(failed).toMatchObject({ state: 'FAILED', refunded: PRICE });
      expect(failed.error).toContain('too sad');
      expect(failed.error).not.toMatch(/studio-key|127\.0\.0\.1/);
      expect(await balance()).toBe(USD);
      expect(await books.faults()).toEqual([]);
    });

    it('that fails while it is made is paid back', async () => {
      const { jobs, studio, queued, row, balance } = await start();
      const id = await queued();
      studio.intercept = (path, response) =>
        path === 'video/retrieve' && (json(response, 422, { error: 'Out of film.', code: 'VIDEO_FAILED' }), true);
      await finish(jobs, id);
      expect(await row(id)).toMatchObject({ state: 'FAILED', error: 'Out of film.' });
      expect(await balance()).toBe(USD);
    });

    it('that takes too long is paid back, and its upstream told', async () => {
      const { jobs, studio, queued, row, balance, clock } = await start();
      studio.isDone = false;
      const id = await queued();
      await finish(jobs, id);
      expect(await row(id)).toMatchObject({ state: 'PROCESSING', expected_ms: 1_234 });
      clock.ahead = 2 * HOUR_MS;
      await jobs.advance(id);
      expect(await row(id)).toMatchObject({ state: 'FAILED', error: 'The video took too long.' });
      expect(studio.deleted).toHaveLength(1);
      expect(await balance()).toBe(USD);
    });

    it.each<[string, Buffer]>([
      ['no MP4', Buffer.from('<html>Sorry</html>')],
      ['an MP4 that is cut off', boxedMedia().subarray(0, 500)],
      ['nothing', Buffer.alloc(0)],
    ])('for which the upstream sends %s is not completed by it', async (_name, media) => {
      const { jobs, studio, queued, row, folder } = await start();
      studio.media = media;
      const id = await queued();
      await finish(jobs, id);
      expect((await row(id)).state).not.toBe('COMPLETED');
      expect(mediaIn(folder)).toEqual([]);
      expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
    });

    it('whose media are larger than allowed is paid back', async () => {
      const { jobs, studio, queued, row, balance } = await start();
      studio.media = boxedMedia(1_100_000);
      const id = await queued();
      await finish(jobs, id);
      expect(await row(id)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('larger') as string });
      expect(await balance()).toBe(USD);
    });

    it('waits while the upstream is away, or too busy, and is made when it is back', async () => {
      const { jobs, studio, queued, row } = await start();
      const id = await queued();
      studio.intercept = (_path, response) => (json(response, 503, { error: 'Busy.' }, { 'retry-after': '1' }), true);
      await jobs.advance(id);
      expect(await row(id)).toMatchObject({ state: 'QUEUED' });
      studio.intercept = (_path, response) => (response.destroy(), true);
      await jobs.advance(id);
      studio.intercept = null;
      await finish(jobs, id);
      expect((await row(id)).state).toBe('COMPLETED');
    });
  });

  describe('a crash', () => {
    it('after the upstream heard the request and before that was noted has it made once', async () => {
      const { jobs, studio, queued, row, another } = await start();
      const id = await queued();
      studio.intercept = (path, response) => path === 'video/queue' && (response.destroy(), true);
      await jobs.advance(id);
      studio.intercept = null;
      await finish(another(), id);
      expect((await row(id)).state).toBe('COMPLETED');
      expect(studio.orders).toHaveLength(1);
    });

    it('there, with an upstream that keeps no idempotency keys, is paid back instead of made twice', async () => {
      const { studio, queued, row, another, balance } = await start();
      studio.keepsKeys = false;
      const id = await queued();
      studio.intercept = (path, response) => path === 'video/queue' && (response.destroy(), true);
      await another({}, false).advance(id);
      studio.intercept = null;
      await another({}, false).advance(id);
      expect((await row(id)).state).toBe('FAILED');
      expect(studio.orders).toHaveLength(1);
      expect(await balance()).toBe(USD);
    });

    it('before the media were stored, or after, has them stored once more', async () => {
      const { studio, queued, row, another, folder } = await start();
      for (const when of ['before', 'after'] as const) {
        const id = await queued();
        const storage = new FolderStorage(join(folder, 'video'));
        const dying: MediaStorage = {
          keep: async (name, file) => {
            if (when === 'after') await storage.keep(name, file);
            throw new StorageAway('The process ends here.');
          },
          open: (name) => storage.open(name),
          delete: (name) => storage.delete(name),
          close: () => Promise.resolve(),
        };
        await finish(another({ storage: dying }), id);
        expect((await row(id)).state).toBe('PROCESSING');
        await another().advance(id);
        expect((await row(id)).state).toBe('COMPLETED');
        expect(readFileSync(join(folder, 'video', `${id}.mp4`))).toEqual(studio.media);
      }
    });

    it('of a whole process leaves what the next one takes up by itself', async () => {
      const { queued, row, another, books } = await start();
      const id = await queued();
      // The dead process still holds the lease.
      await leaseVideo(books.store.db, id, 'the dead', 90_000, Date.now());
      const next = another({
        config: { requestTimeoutMs: HOUR_MS, pollIntervalMs: 10, keepHours: 24, sweepIntervalMs: HOUR_MS },
      });
      await next.start();
      await expect.poll(async () => (await row(id)).state, { timeout: 10_000 }).toBe('COMPLETED');
    });

    it('between the record and the charge takes nothing; between the charge and the queue it is paid back', async () => {
      const { books, accountId, another, row, balance } = await start();
      const ids: string[] = [];
      for (const isCharged of [false, true]) {
        const [id, requestId] = [randomUUID(), randomUUID().replaceAll('-', '')];
        await recordVideoRequest(
          books.store.db,
          {
            id,
            account_id: accountId,
            model: 'film',
            upstream: 'studio',
            content: '{}',
            price: PRICE,
            request_id: requestId,
          },
          CAPS,
          Date.now(),
        );
        if (isCharged) await books.charge(books.request(accountId, PRICE), { requestId });
        ids.push(id);
      }
      expect(await balance()).toBe(USD - PRICE);
      await another().start();
      expect((await row(ids[0] as string)).refunded).toBe(0);
      expect((await row(ids[1] as string)).refunded).toBe(PRICE);
      expect(await balance()).toBe(USD);
      expect(await books.faults()).toEqual([]);
      // A slow process that charges after the request was given up cannot queue it.
      expect(await queueVideo(books.store.db, ids[0] as string, Date.now())).toBe(false);
    });

    it('on a shared store gives up what was not paid only when its charge can come no more', async () => {
      const { books, accountId, another, row, clock } = await start();
      const id = randomUUID();
      await recordVideoRequest(
        books.store.db,
        { id, account_id: accountId, model: 'film', upstream: 'studio', content: '{}', price: PRICE, request_id: 'r' },
        CAPS,
        Date.now(),
      );
      const jobs = another({ exclusive: false });
      await jobs.sweep();
      expect((await row(id)).state).toBe('UNPAID');
      clock.ahead = 61_000;
      await jobs.sweep();
      expect((await row(id)).state).toBe('FAILED');
    });
  });

  describe('money', () => {
    it('is refunded once, even if several processes give up at the same time', async () => {
      const { books, queued, balance } = await start();
      const id = await queued();
      const now = Date.now();
      const outcomes = await Promise.all([1, 2, 3].map(() => failVideo(books.store.db, id, 'No.', now)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      await Promise.all([refundGivenUp(books.store.db, id, now), refundGivenUp(books.store.db, id, now)]);
      expect(await balance()).toBe(USD);
      expect(await books.faults()).toEqual([]);
    });

    it('comes back to the pots it came from, the daily allocation while its day lasts, and to the limit of its key', async () => {
      const { books } = await start();
      const { db } = books.store;
      const accountId = await books.account({ diem: 100, bundled: 200, usd: 300 });
      const key = await books.key(accountId, { limitUsdNano: 300 });
      const charge = async (): Promise<string> => {
        const [id, requestId] = [randomUUID(), randomUUID().replaceAll('-', '')];
        await recordVideoRequest(
          db,
          {
            id,
            account_id: accountId,
            model: 'film',
            upstream: 'studio',
            content: '{}',
            price: 350,
            request_id: requestId,
          },
          CAPS,
          Date.now(),
        );
        await books.charge(books.request(accountId, 350, { key }), { requestId });
        return id;
      };
      const id = await charge();
      expect(await books.balances(accountId)).toMatchObject({ diem: 0, bundled: 0, usd: 250 });
      expect((await books.refusal(books.request(accountId, 51, { key }))).reason).toBe('key-limit');
      await failVideo(db, id, 'No.', Date.now());
      expect(await books.balances(accountId)).toMatchObject({ diem: 100, bundled: 200, usd: 300 });
      await turn();
      await charge();
      expect(await books.faults()).toEqual([]);
    });

    it('of a daily allocation whose day is over does not come back: it would have expired', async () => {
      const { books } = await start();
      const { db } = books.store;
      const accountId = await books.account({ diem: 100, usd: 50 });
      const id = randomUUID();
      await recordVideoRequest(
        db,
        { id, account_id: accountId, model: 'film', upstream: 'studio', content: '{}', price: 150, request_id: 'x1' },
        CAPS,
        Date.now(),
      );
      await books.charge(books.request(accountId, 150), { requestId: 'x1' });
      await failVideo(db, id, 'No.', Date.now() + 86_400_000);
      expect(await books.balances(accountId)).toMatchObject({ diem: 0, usd: 50 });
      expect(await books.faults()).toEqual([]);
    });
  });

  describe('several at once', () => {
    it('gateways on one store do not both work on a request', async () => {
      const { studio, queued, row, another } = await start();
      const id = await queued();
      const gateways = [another({ exclusive: false }), another({ exclusive: false }), another({ exclusive: false })];
      await Promise.all(gateways.map((jobs) => jobs.advance(id)));
      expect(studio.asked.filter((path) => path === 'video/queue')).toHaveLength(1);
      await Promise.all(gateways.map((jobs) => jobs.advance(id)));
      await Promise.all(gateways.map((jobs) => jobs.advance(id)));
      expect((await row(id)).state).toBe('COMPLETED');
      expect(studio.orders).toHaveLength(1);
    });

    it('deletions: one succeeds, and the bytes are gone', async () => {
      const { jobs, queued, another, folder, row } = await start();
      const id = await queued();
      await finish(jobs, id);
      const other = another({ exclusive: false });
      const outcomes = await Promise.all([jobs.remove(id), other.remove(id), jobs.remove(id), other.remove(id)]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(mediaIn(folder)).toEqual([]);
      expect(await row(id)).toMatchObject({ state: 'DELETED', content: '{}', media_key: null });
    });

    it('requests of one caller stay under its cap', async () => {
      const { books, accountId } = await start();
      const record = () =>
        recordVideoRequest(
          books.store.db,
          {
            id: randomUUID(),
            account_id: accountId,
            model: 'film',
            upstream: 'studio',
            content: '{}',
            price: 1,
            request_id: randomUUID(),
          },
          { perCaller: 3, inAll: 100 },
          Date.now(),
        );
      const outcomes = await Promise.all(Array.from({ length: 8 }, record));
      expect(outcomes.filter(Boolean)).toHaveLength(3);
    });
  });

  describe('the sweep', () => {
    it('deletes what is older than a day with its bytes, and nothing else', async () => {
      const { jobs, queued, row, clock, folder } = await start();
      const old = await queued();
      await finish(jobs, old);
      clock.ahead = 12 * HOUR_MS;
      const young = await queued();
      await jobs.sweep();
      expect((await row(old)).state).toBe('COMPLETED');
      clock.ahead = 24 * HOUR_MS + 60_000;
      await jobs.sweep();
      expect((await row(old)).state).toBe('DELETED');
      expect((await row(young)).state).toBe('QUEUED');
      expect(mediaIn(folder)).toEqual([]);
    });

    it('deletes bytes that a crash left behind after the deletion was written', async () => {
      const { jobs, queued, folder, books, row } = await start();
      const id = await queued();
      await finish(jobs, id);
      await deleteVideo(books.store.db, id, Date.now());
      expect(existsSync(join(folder, 'video', `${id}.mp4`))).toBe(true);
      await jobs.sweep();
      expect(mediaIn(folder)).toEqual([]);
      expect((await row(id)).media_key).toBeNull();
    });

    it('is made at the start, too', async () => {
      const { jobs, queued, folder, books, another } = await start();
      const id = await queued();
      await finish(jobs, id);
      await deleteVideo(books.store.db, id, Date.now());
      await another().start();
      await expect.poll(() => mediaIn(folder), { timeout: 10_000 }).toEqual([]);
    });

    it('never touches the media of a request that is still being made', async () => {
      const { jobs, queued, folder, books, row, another } = await start();
      const id = await queued();
      const storage = new FolderStorage(join(folder, 'video'));
      const sweeping: MediaStorage = {
        keep: async (name, file) => {
          await storage.keep(name, file);
          await another().sweep();
          expect(mediaIn(folder)).toEqual([name]);
        },
        open: (name) => storage.open(name),
        delete: (name) => storage.delete(name),
        close: () => Promise.resolve(),
      };
      await finish(another({ storage: sweeping }), id);
      await jobs.sweep();
      expect((await row(id)).state).toBe('COMPLETED');
      expect(mediaIn(folder)).toEqual([`${id}.mp4`]);
      expect(await books.faults()).toEqual([]);
    });

    it('deletes bytes that came after their request was given up, by a process that then ended', async () => {
      const { jobs, queued, folder, books, row, another, clock } = await start();
      const id = await queued();
      const storage = new FolderStorage(join(folder, 'video'));
      const dying: MediaStorage = {
        keep: async (name, file) => {
          await failVideo(books.store.db, id, 'It took too long.', Date.now());
          await jobs.sweep();
          await storage.keep(name, file);
          throw new StorageAway('The process ends here.');
        },
        open: (name) => storage.open(name),
        delete: (name) => storage.delete(name),
        close: () => Promise.resolve(),
      };
      await finish(another({ storage: dying }), id);
      expect(mediaIn(folder)).toEqual([`${id}.mp4`]);
      await jobs.sweep();
      expect(mediaIn(folder)).toEqual([]);
      clock.ahead = 2 * HOUR_MS;
      await jobs.sweep();
      expect(await row(id)).toMatchObject({ state: 'FAILED', media_key: null });
    });

    it('deletes and pays back what it can where the storage refuses one deletion', async () => {
      const { jobs, queued, folder, books, accountId, another, row, clock, balance } = await start();
      const ids = [await queued(), await queued()];
      for (const id of ids) {
        await finish(jobs, id);
        await deleteVideo(books.store.db, id, Date.now());
      }
      const [unpaid, requestId] = [randomUUID(), randomUUID().replaceAll('-', '')];
      await recordVideoRequest(
        books.store.db,
        {
          id: unpaid,
          account_id: accountId,
          model: 'film',
          upstream: 'studio',
          content: '{}',
          price: PRICE,
          request_id: requestId,
        },
        CAPS,
        Date.now(),
      );
      await books.charge(books.request(accountId, PRICE), { requestId });
      clock.ahead = 61_000;
      const storage = new FolderStorage(join(folder, 'video'));
      const stubborn = await leftFirst(books);
      const refusing: MediaStorage = {
        keep: (name, file) => storage.keep(name, file),
        open: (name) => storage.open(name),
        delete: (name) => (name === stubborn ? Promise.reject(new StorageAway('Not this one.')) : storage.delete(name)),
        close: () => Promise.resolve(),
      };
      await another({ storage: refusing }).sweep();
      expect(mediaIn(folder)).toEqual([stubborn]);
      expect((await row(unpaid)).state).toBe('FAILED');
      expect(await balance()).toBe(USD - 2 * PRICE);
    });
  });
});
