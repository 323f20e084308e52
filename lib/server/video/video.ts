import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/load';
import type { VideoConfig } from '../config/video';
import type { Database } from '../db/schema';
import { FolderStorage, type MediaStorage } from './storage/media-storage';
import { S3Storage } from './storage/s3-storage';
import { VideoUpstream } from './upstream';
import { VideoCatalogue } from './video-catalogue';
import { VideoJobs } from './video-jobs';

/**
 * How long a request may stay UNPAID beyond `rpc.timeoutMs`: 30 seconds, as for a reservation's lease, plus 120 for
 * clock differences.
 */
const UNPAID_MARGIN_MS = 150_000;

/**
 * The gateway's video service: models, jobs, and the storage of finished media. A request is charged when it is queued.
 * Its states are UNPAID, QUEUED, PROCESSING, then COMPLETED or FAILED. Processes lease jobs, so that any process can
 * resume the jobs of another. `VideoJobs` lists the guarantees.
 */
export class Video {
  private constructor(
    readonly config: VideoConfig,
    readonly db: Database,
    readonly log: Logger,
    readonly now: () => number,
    readonly models: VideoCatalogue,
    readonly jobs: VideoJobs,
    readonly storage: MediaStorage,
    private readonly upstreams: readonly VideoUpstream[],
  ) {}

  /** Opens the storage, and resumes open requests. */
  static async open(
    { video: config, rpc, dataDir, databaseUrl }: Config,
    { db, log, now }: { db: Database; log: Logger; now: () => number },
  ): Promise<Video> {
    const upstreams = config.upstreams.map((upstream) => new VideoUpstream(upstream, config));
    const storage =
      config.storage.kind === 's3'
        ? new S3Storage(config.storage)
        : new FolderStorage(config.storage.path ?? join(dataDir, 'video'));
    const models = new VideoCatalogue(upstreams, config, log);
    const jobs = new VideoJobs({
      db,
      log,
      config,
      storage,
      upstream: (name) => models.upstream(name),
      spoolFolder: join(dataDir, 'video-incoming'),
      exclusive: databaseUrl === null,
      unpaidAfterMs: rpc.timeoutMs + UNPAID_MARGIN_MS,
      now,
    });
    const video = new Video(config, db, log, now, models, jobs, storage, upstreams);
    try {
      await jobs.start();
    } catch (error) {
      await video.close();
      throw error;
    }
    return video;
  }

  async close(): Promise<void> {
    this.models.close();
    await this.jobs.close();
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
    await this.storage.close();
  }
}
