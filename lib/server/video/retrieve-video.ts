import { apiError } from '@/lib/protocol/errors';
import type { VideoProgress, VideoRetrieveRequest } from '@/lib/protocol/video/video-requests';
import type { Readable } from 'node:stream';
import { type IdentifiedCaller, NO_ACCOUNT } from '../auth/caller';
import type { BodySink, PushBody } from '../http/call';
import { StorageAway, type StoredMedia } from './storage/media-storage';
import type { Video } from './video';
import { averageExecutionMs, findVideo, type VideoRequest } from './video-requests';

const HOUR_MS = 3_600_000;
/** Expected time for a model's first video, if the upstream states none. */
const EXPECTED_MS = 60_000;

/**
 * Returns the caller's request with this id. If a model is given, the request must be for that model.
 * @throws ApiError 404 for unknown, deleted and expired requests, and for other callers' requests
 */
export async function ownVideo(
  { model, queue_id: id }: Pick<VideoRetrieveRequest, 'model' | 'queue_id'>,
  { accountId }: IdentifiedCaller,
  { db, config, now }: Video,
): Promise<VideoRequest> {
  const request = accountId === NO_ACCOUNT ? undefined : await findVideo(db, { id, accountId, model });
  if (!request || request.state === 'DELETED' || request.state === 'UNPAID') throw apiError('VIDEO_NOT_FOUND');
  const isExpired = request.ended_at !== null && request.ended_at + config.keepHours * HOUR_MS <= now();
  if (isExpired) throw apiError('VIDEO_NOT_FOUND');
  return request;
}

export async function progressOf(request: VideoRequest, { db, now }: Video): Promise<VideoProgress> {
  const average = (await averageExecutionMs(db, request.model)) ?? request.expected_ms ?? EXPECTED_MS;
  return {
    status: 'PROCESSING',
    average_execution_time: average,
    execution_duration: Math.max(0, now() - request.created_at),
  };
}

/**
 * Returns the media of a completed request. @throws ApiError 404 if the media are missing, 503 if the storage does not
 * answer
 */
export async function mediaOf(request: VideoRequest, { storage, log }: Video): Promise<StoredMedia> {
  let media: StoredMedia | null;
  try {
    media = await storage.open(request.media_key ?? '');
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    log.warn({ err: error, videoId: request.id }, 'video storage was not reachable');
    throw apiError('VIDEO_STORAGE_UNAVAILABLE');
  }
  if (media?.bytes === request.media_bytes) return media;
  media?.stream.destroy();
  log.error(
    { videoId: request.id, bytes: media?.bytes ?? null, expected: request.media_bytes },
    "a video's stored file was missing or had the wrong size",
  );
  throw apiError('VIDEO_MEDIA_GONE');
}

/**
 * Body of an answer that sends media. If the media end early, the gateway closes the connection, so that no client
 * mistakes incomplete media for complete.
 * @param whenSent called once, when the whole body has been sent
 */
export class MediaBody implements PushBody {
  readonly #stream: Readable;
  readonly #bytes: number;
  #sent = 0;
  #ended = false;

  constructor(
    { stream, bytes }: StoredMedia,
    private readonly whenSent: () => void,
  ) {
    this.#stream = stream;
    this.#bytes = bytes;
    // Prevents an unhandled error from a body that is never started.
    stream.on('error', () => undefined);
  }

  start(sink: BodySink): void {
    this.#stream.on('data', (chunk: Buffer) => {
      this.#sent += chunk.length;
      if (this.#sent <= this.#bytes && !sink.write(chunk)) this.#stream.pause();
    });
    const finish = (isWhole: boolean): void => {
      if (this.#ended) return;
      this.#ended = true;
      if (isWhole) sink.end();
      else sink.fail();
    };
    this.#stream.once('end', () => finish(this.#sent === this.#bytes));
    this.#stream.once('error', () => finish(false));
    this.#stream.once('close', () => finish(false));
  }

  resume(): void {
    if (!this.#ended) this.#stream.resume();
  }

  cancel(): void {
    this.#ended = true;
    this.#stream.destroy();
  }

  sent(): void {
    this.whenSent();
  }
}
