import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/load';
import type { VideoConfig } from '../config/video';
import type { Database } from '../db/schema';
import { FolderStorage } from './storage/folder-storage';
import type { MediaStorage } from './storage/media-storage';
import { S3Storage } from './storage/s3-storage';
import { VideoUpstream } from './upstream';
import { VideoCatalogue } from './video-catalogue';
import { VideoJobs } from './video-jobs';

/** A reservation lives for the longest RPC call and half a minute; no charge comes later, whatever the clocks say. */
const UNPAID_MARGIN_MS = 150_000;

/** The video side of a gateway: models, jobs, and the storage of what they made. */
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

  /** Opens the storage and takes up what was left under way. */
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
