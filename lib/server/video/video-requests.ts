import type { Insertable, Selectable } from 'kysely';
import { lockAccount } from '../db/accounts';
import type { Database, Schema, VideoState } from '../db/schema';
import { refundWithin } from '../billing/video-refunds';

export type VideoRequest = Selectable<Schema['video_requests']>;

const OPEN_VIDEO_STATES = ['UNPAID', 'QUEUED', 'PROCESSING'] as const satisfies readonly VideoState[];
const RUNNING_STATES = ['QUEUED', 'PROCESSING'] as const;
const SAMPLES = 20;

type NewVideoRequest = Pick<
  Insertable<Schema['video_requests']>,
  'id' | 'account_id' | 'model' | 'upstream' | 'content' | 'price' | 'request_id'
>;

/**
 * Records a request before it is charged. Does not record it if the caller, or all callers together, have too many open
 * requests.
 * @returns whether the request was recorded
 */
export function recordVideoRequest(
  db: Database,
  request: NewVideoRequest,
  { perCaller, inAll }: { perCaller: number; inAll: number },
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Makes a caller's concurrent requests wait for each other, so that the limit is exact.
    await lockAccount(transaction, request.account_id);
    if ((await countOpen(transaction, request.account_id)) >= perCaller || (await countOpen(transaction)) >= inAll)
      return false;
    const unset = {
      submitted_at: null,
      upstream_id: null,
      expected_ms: null,
      media_key: null,
      media_bytes: null,
      error: null,
      lease_owner: null,
      ended_at: null,
      execution_ms: null,
    };
    await transaction
      .insertInto('video_requests')
      .values({ ...request, ...unset, state: 'UNPAID', next_look_at: now, created_at: now })
      .execute();
    return true;
  });
}

async function countOpen(db: Database, accountId?: number): Promise<number> {
  let query = db
    .selectFrom('video_requests')
    .select((row) => row.fn.countAll<number>().as('open'))
    .where('state', 'in', OPEN_VIDEO_STATES);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  return Number((await query.executeTakeFirstOrThrow()).open);
}

/** Starts a request whose charge is in the ledger. @returns false if the request has been given up */
export async function queueVideo(db: Database, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('video_requests')
    .set({ state: 'QUEUED', next_look_at: now })
    .where('id', '=', id)
    .where('state', '=', 'UNPAID')
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/**
 * Returns an account's request with this id. If a model is given, the request must be for that model. Includes deleted
 * requests.
 */
export async function findVideo(
  db: Database,
  { id, accountId, model }: { id: string; accountId: number; model?: string | undefined },
): Promise<VideoRequest | undefined> {
  const found = await db
    .selectFrom('video_requests')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return model === undefined || found?.model === model ? found : undefined;
}

/** @throws Error if no request has this id */
export function readVideo(db: Database, id: string): Promise<VideoRequest> {
  return db.selectFrom('video_requests').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Returns the ids of paid requests whose next step is due. Those that have been due longest come first. */
export async function dueVideos(db: Database, limit: number, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('video_requests')
    .select('id')
    .where('state', 'in', RUNNING_STATES)
    .where('next_look_at', '<=', now)
    .where('lease_until', '<', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Leases a request to a process for `forMs` milliseconds. Returns null if it is taken or the request has ended. */
export async function leaseVideo(
  db: Database,
  id: string,
  owner: string,
  forMs: number,
  now: number,
): Promise<VideoRequest | null> {
  const leased = await db
    .updateTable('video_requests')
    .set({ lease_owner: owner, lease_until: now + forMs })
    .where('id', '=', id)
    .where('state', 'in', RUNNING_STATES)
    .where((row) =>
      row.or([row('lease_owner', 'is', null), row('lease_owner', '=', owner), row('lease_until', '<', now)]),
    )
    .returningAll()
    .executeTakeFirst();
  return leased ?? null;
}

/** Renews a lease. @returns false if another process holds the lease, or if the request has ended */
export async function renewVideoLease(
  db: Database,
  id: string,
  owner: string,
  forMs: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('video_requests')
    .set({ lease_until: now + forMs })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('state', 'in', RUNNING_STATES)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Ends a lease. The request's next step is due at `nextLookAt`. */
export async function leaveVideo(db: Database, id: string, owner: string, nextLookAt: number): Promise<void> {
  await db
    .updateTable('video_requests')
    .set((row) => ({ lease_owner: null, lease_until: 0, next_look_at: nextLookAt, looks: row('looks', '+', 1) }))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Frees all leases. Call this only if no other process uses the database. */
export async function freeVideoLeases(db: Database, now: number): Promise<void> {
  await db
    .updateTable('video_requests')
    .set({ lease_owner: null, lease_until: 0, next_look_at: now })
    .where('state', 'in', RUNNING_STATES)
    .execute();
}

/**
 * Stores the result of a step if the request is still open.
 * @returns whether the request is still open
 */
export async function noteVideo(
  db: Database,
  id: string,
  note: Partial<Pick<VideoRequest, 'submitted_at' | 'upstream_id' | 'expected_ms' | 'media_key'>> & {
    state?: 'PROCESSING';
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('video_requests')
    .set(note)
    .where('id', '=', id)
    .where('state', 'in', RUNNING_STATES)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Completes a request whose media are stored. @returns false if the request was not in progress */
export async function completeVideo(db: Database, id: string, mediaBytes: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('video_requests')
    .set((row) => ({
      state: 'COMPLETED' as const,
      media_bytes: mediaBytes,
      ended_at: now,
      execution_ms: row(row.val(now), '-', row.ref('created_at')),
      lease_owner: null,
      lease_until: 0,
    }))
    .where('id', '=', id)
    .where('state', '=', 'PROCESSING')
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/**
 * Marks a request as failed and refunds its charge, in one transaction. A second call changes nothing.
 * @param error reason that the caller sees
 * @returns whether this call marked the request
 */
export function failVideo(db: Database, id: string, error: string, now: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const failed = await transaction
      .updateTable('video_requests')
      .set({ state: 'FAILED', error, ended_at: now, lease_owner: null, lease_until: 0 })
      .where('id', '=', id)
      .where('state', 'in', OPEN_VIDEO_STATES)
      .returningAll()
      .executeTakeFirst();
    if (!failed) return false;
    await refundWithin(transaction, failed, now);
    return true;
  });
}

/** Refunds a request that was given up before its charge reached the ledger. */
export function refundGivenUp(db: Database, id: string, now: number): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    // Locks the row until the commit, so that a concurrent call sees this refund.
    const request = await transaction
      .updateTable('video_requests')
      .set((row) => ({ state: row.ref('state') }))
      .where('id', '=', id)
      .where('state', 'in', ['FAILED', 'DELETED'])
      .returningAll()
      .executeTakeFirst();
    if (request && request.refunded === 0) await refundWithin(transaction, request, now);
  });
}

/**
 * Marks an ended request as deleted, and erases its content. If two calls are concurrent, only one succeeds.
 * @returns deleted request, without its content; null if there was nothing to delete
 */
export async function deleteVideo(db: Database, id: string, now: number): Promise<VideoRequest | null> {
  const deleted = await db
    .updateTable('video_requests')
    .set((row) => ({ state: 'DELETED' as const, content: '{}', ended_at: row.fn.coalesce('ended_at', row.val(now)) }))
    .where('id', '=', id)
    .where('state', 'in', ['COMPLETED', 'FAILED'])
    .returningAll()
    .executeTakeFirst();
  return deleted ?? null;
}

/**
 * Records that a request has no media in the storage. Skips a request that failed after `until`, because a process may
 * still store its media and die before deleting them.
 */
export async function forgetMedia(db: Database, id: string, until: number): Promise<void> {
  await db
    .updateTable('video_requests')
    .set({ media_key: null })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('state', '=', 'DELETED'), row.and([row('state', '=', 'FAILED'), row('ended_at', '<=', until)])]),
    )
    .execute();
}

/** Returns requests that ended before `until` and have not been deleted. */
export async function expiredVideos(db: Database, until: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('video_requests')
    .select('id')
    .where('state', 'in', ['COMPLETED', 'FAILED'])
    .where('ended_at', '<=', until)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns requests that were recorded before `until` and never queued. */
export async function unpaidVideos(db: Database, until: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('video_requests')
    .select('id')
    .where('state', '=', 'UNPAID')
    .where('created_at', '<=', until)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists media of deleted or failed requests. The storage may still contain them. */
export async function leftMedia(db: Database, limit: number): Promise<{ id: string; mediaKey: string }[]> {
  const rows = await db
    .selectFrom('video_requests')
    .select(['id', 'media_key'])
    .where('state', 'in', ['DELETED', 'FAILED'])
    .where('media_key', 'is not', null)
    .limit(limit)
    .execute();
  return rows.map(({ id, media_key }) => ({ id, mediaKey: media_key as string }));
}

/** Deletes the rows of deleted requests that ended before `until`. */
export async function forgetDeletedVideos(db: Database, until: number): Promise<void> {
  await db
    .deleteFrom('video_requests')
    .where('state', '=', 'DELETED')
    .where('media_key', 'is', null)
    .where('ended_at', '<=', until)
    .execute();
}

/** Returns the average time that the model's last videos took, in milliseconds; null without videos. */
export async function averageExecutionMs(db: Database, model: string): Promise<number | null> {
  const rows = await db
    .selectFrom('video_requests')
    .select('execution_ms')
    .where('model', '=', model)
    .where('ended_at', 'is not', null)
    .where('execution_ms', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(SAMPLES)
    .execute();
  if (rows.length === 0) return null;
  return Math.round(rows.reduce((sum, { execution_ms: ms }) => sum + Number(ms), 0) / rows.length);
}
