import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { VideoConfig } from '../config/video';
import type { Database } from '../db/schema';
import {
  averageExecutionMs,
  completeVideo,
  deleteVideo,
  dueVideos,
  expiredVideos,
  failVideo,
  forgetDeletedVideos,
  forgetMedia,
  freeVideoLeases,
  leaseVideo,
  leaveVideo,
  leftMedia,
  noteVideo,
  readVideo,
  renewVideoLease,
  unpaidVideos,
  type VideoRequest,
} from './video-requests';
import type { MediaStorage } from './storage/media-storage';
import { VideoRefused, type VideoUpstream, VideoUpstreamAway } from './upstream';

export interface VideoJobsOptions {
  db: Database;
  log: Logger;
  config: Pick<VideoConfig, 'requestTimeoutMs' | 'pollIntervalMs' | 'keepHours' | 'sweepIntervalMs'>;
  storage: MediaStorage;
  /** Returns the upstream with this name; null if it is no longer configured. */
  upstream: (name: string) => VideoUpstream | null;
  spoolFolder: string;
  /**
   * True if no other process uses the database. In that case, all leases found at the start belong to dead processes.
   */
  exclusive: boolean;
  /** Time after which an unpaid request is given up. It is longer than a reservation's lease. */
  unpaidAfterMs: number;
  owner?: string;
  now?: () => number;
}

const LEASE_MS = 90_000;
const RENEW_MS = 30_000;
const RESUME_INTERVAL_MS = 15_000;
const CLOSE_WITHIN_MS = 5_000;
const DUE_MAX = 200;
const SWEEP_MAX = 2_000;
/** Time for which another process may still store a request's media after the request has failed. */
const LATE_MEDIA_MS = 3_600_000;
const AT_ONCE = 4;
const BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 60_000;
const SLOWER_AFTER_LOOKS = 5;
const SPOOL_KEPT_MS = 86_400_000;
const ROWS_KEPT_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Runs requests for videos: sends each request to its upstream, polls until the video is ready, stores the media, and
 * deletes them when they expire.
 *
 * Guarantees: This process or another resumes every recorded request until it is completed or failed. A request's
 * failure and its refund are one transaction. All attempts of a request use the same idempotency key. An upstream that
 * does not support such keys is not asked again once it may have received the request. A request is completed only when
 * all its media are stored.
 */
export class VideoJobs {
  readonly #running = new Map<string, Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #owner: string;
  readonly #now: () => number;
  #resuming: Promise<void> | null = null;
  #sweeping: Promise<void> | null = null;
  #closed = false;

  constructor(private readonly options: VideoJobsOptions) {
    this.#owner = options.owner ?? randomUUID();
    this.#now = options.now ?? Date.now;
    mkdirSync(options.spoolFolder, { recursive: true, mode: 0o700 });
  }

  /** Resumes open requests now, then periodically. */
  async start(): Promise<void> {
    const { db, exclusive, config } = this.options;
    this.#tidySpool();
    if (exclusive) {
      await freeVideoLeases(db, this.#now());
      await this.#giveUpUnpaid(this.#now());
    }
    void this.resume();
    void this.sweep();
    this.#timers.add(setInterval(() => void this.resume(), RESUME_INTERVAL_MS).unref());
    this.#timers.add(setInterval(() => void this.sweep(), config.sweepIntervalMs).unref());
  }

  /** Waits briefly for running steps. After the next start, the gateway resumes unfinished requests. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    const ended = Promise.allSettled([this.#resuming, this.#sweeping, ...this.#running.values()]);
    await Promise.race([ended, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Resumes every request whose next step is due. Never throws. */
  resume(): Promise<void> {
    this.#resuming ??= this.#resumeDue()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'resuming unfinished videos failed'))
      .finally(() => (this.#resuming = null));
    return this.#resuming;
  }

  async #resumeDue(): Promise<void> {
    const ids = await dueVideos(this.options.db, DUE_MAX, this.#now());
    const worker = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined && !this.#closed; id = ids.shift()) await this.advance(id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** Runs the next step of a request. Concurrent calls share one step. Never throws. */
  advance(id: string): Promise<void> {
    let run = this.#running.get(id);
    if (!run) {
      run = this.#step(id)
        .catch((error: unknown) =>
          this.options.log.warn({ err: error, videoId: id }, 'processing a video request failed and will be retried'),
        )
        .finally(() => this.#running.delete(id));
      this.#running.set(id, run);
    }
    return run;
  }

  /**
   * Deletes a request that has ended, and its media.
   * @returns whether this call, and not a concurrent one, deleted the request
   */
  async remove(id: string): Promise<boolean> {
    const deleted = await deleteVideo(this.options.db, id, this.#now());
    if (!deleted) return false;
    if (deleted.media_key !== null) {
      await this.#deleteMedia(id, deleted.media_key).catch((error: unknown) =>
        this.options.log.warn(
          { err: error, videoId: id },
          "removing a deleted video's file failed and will be retried",
        ),
      );
    }
    return true;
  }

  /** Deletes expired videos and leftover media, and gives up unpaid requests. Never throws. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'deleting expired videos failed'))
      .finally(() => (this.#sweeping = null));
    return this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    const { db, config, unpaidAfterMs } = this.options;
    const now = this.#now();
    await this.#giveUpUnpaid(now - unpaidAfterMs);
    for (const id of await expiredVideos(db, now - config.keepHours * HOUR_MS, SWEEP_MAX)) await this.remove(id);
    await this.#deleteLeftMedia();
    await forgetDeletedVideos(db, now - ROWS_KEPT_MS);
  }

  /** Deletes media that a process left behind when it died after ending a request. */
  async #deleteLeftMedia(): Promise<void> {
    for (const { id, mediaKey } of await leftMedia(this.options.db, SWEEP_MAX)) {
      if (this.#closed) return;
      await this.#deleteMedia(id, mediaKey).catch((error: unknown) =>
        this.options.log.warn(
          { err: error, videoId: id },
          'deleting an orphaned video file failed and will be retried',
        ),
      );
    }
  }

  async #deleteMedia(id: string, name: string): Promise<void> {
    await this.options.storage.delete(name);
    await forgetMedia(this.options.db, id, this.#now() - LATE_MEDIA_MS);
  }

  async #giveUpUnpaid(until: number): Promise<void> {
    const { db } = this.options;
    for (const id of await unpaidVideos(db, until, DUE_MAX))
      await failVideo(db, id, 'The gateway ended before the video was queued.', this.#now());
  }

  async #step(id: string): Promise<void> {
    const { db, log } = this.options;
    const request = await leaseVideo(db, id, this.#owner, LEASE_MS, this.#now());
    if (!request) return;
    const renewing = setInterval(
      () => void renewVideoLease(db, id, this.#owner, LEASE_MS, this.#now()).catch(() => undefined),
      RENEW_MS,
    ).unref();
    const backoffMs = backoffOf(request);
    let waitMs: number | null = backoffMs;
    try {
      waitMs = await this.#work(request);
    } catch (error) {
      if (error instanceof VideoRefused) waitMs = await this.#fail(request, error.message);
      else {
        log.warn(
          { err: error, videoId: id, upstream: request.upstream },
          'processing a video request failed and will be retried',
        );
        if (error instanceof VideoUpstreamAway) waitMs = Math.max(backoffMs, error.retryAfterMs);
      }
    } finally {
      clearInterval(renewing);
      await leaveVideo(db, id, this.#owner, this.#now() + (waitMs ?? 0));
    }
    if (waitMs !== null) this.#wakeIn(id, waitMs);
  }

  #wakeIn(id: string, waitMs: number): void {
    if (this.#closed) return;
    const timer: NodeJS.Timeout = setTimeout(() => {
      this.#timers.delete(timer);
      void this.advance(id);
    }, waitMs).unref();
    this.#timers.add(timer);
  }

  async #work(request: VideoRequest): Promise<number | null> {
    const upstream = this.options.upstream(request.upstream);
    if (this.#now() - request.created_at > this.options.config.requestTimeoutMs) {
      await this.#fail(request, 'The video took too long.');
      if (upstream) await this.#clearUp(request, upstream);
      return null;
    }
    if (!upstream) throw new Error(`The video upstream ${request.upstream} is no longer configured.`);
    return request.upstream_id === null
      ? this.#submit(request, upstream)
      : this.#fetch(request, request.upstream_id, upstream);
  }

  async #submit(request: VideoRequest, upstream: VideoUpstream): Promise<number> {
    const { db, config } = this.options;
    if (request.submitted_at !== null && !upstream.keepsIdempotencyKeys)
      throw new VideoRefused('The answer of the video server was lost.');
    await noteVideo(db, request.id, { submitted_at: this.#now() });
    try {
      const upstreamId = await upstream.queue(JSON.parse(request.content) as Record<string, unknown>, request.id);
      await noteVideo(db, request.id, { upstream_id: upstreamId, state: 'PROCESSING' });
    } catch (error) {
      if (error instanceof VideoUpstreamAway && error.didNothing)
        await noteVideo(db, request.id, { submitted_at: null });
      throw error;
    }
    // Before a model's first video is finished, only the upstream knows how long a video takes, so the gateway polls
    // immediately.
    return (await averageExecutionMs(db, request.model)) === null ? 0 : config.pollIntervalMs;
  }

  async #fetch(request: VideoRequest, upstreamId: string, upstream: VideoUpstream): Promise<number | null> {
    const { db, storage, config, log } = this.options;
    const spool = join(this.options.spoolFolder, `${request.id}-${this.#owner}.part`);
    const finding = await upstream.retrieve(request.model, upstreamId, spool);
    if (!finding.isThere) {
      if (finding.expectedMs !== null) await noteVideo(db, request.id, { expected_ms: Math.round(finding.expectedMs) });
      return config.pollIntervalMs * 2 ** Math.min(3, Math.floor(request.looks / SLOWER_AFTER_LOOKS));
    }
    const name = `${request.id}.mp4`;
    try {
      // Records the file's name first, so that a process that ends this request in the meantime also deletes the file.
      if (!(await noteVideo(db, request.id, { media_key: name }))) return null;
      await storage.keep(name, finding.file);
    } finally {
      await rm(spool, { force: true });
    }
    if (await completeVideo(db, request.id, finding.file.bytes, this.#now()))
      log.info({ videoId: request.id, bytes: finding.file.bytes }, 'video was stored');
    else if ((await readVideo(db, request.id)).state !== 'COMPLETED') await storage.delete(name);
    await this.#clearUp(request, upstream);
    return null;
  }

  async #fail(request: VideoRequest, error: string): Promise<null> {
    if (await failVideo(this.options.db, request.id, error, this.#now()))
      this.options.log.info(
        { videoId: request.id, upstream: request.upstream, reason: error },
        'video failed and was refunded',
      );
    return null;
  }

  /**
   * Deletes the video at its upstream. If this fails, the upstream deletes the video when its own retention time ends.
   */
  async #clearUp({ id, model, upstream_id: upstreamId }: VideoRequest, upstream: VideoUpstream): Promise<void> {
    if (upstreamId === null) return;
    await upstream
      .complete(model, upstreamId)
      .catch((error: unknown) =>
        this.options.log.debug({ err: error, videoId: id }, 'deleting a video at its upstream failed'),
      );
  }

  #tidySpool(): void {
    const { spoolFolder, exclusive } = this.options;
    for (const file of readdirSync(spoolFolder)) {
      const path = join(spoolFolder, file);
      if (exclusive || Date.now() - statSync(path).mtimeMs > SPOOL_KEPT_MS) rmSync(path, { force: true });
    }
  }
}

function backoffOf({ looks }: VideoRequest): number {
  return Math.min(BACKOFF_MS * 2 ** Math.min(looks, 10), BACKOFF_MS_MAX);
}
