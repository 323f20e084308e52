import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { videoQueuedSchema } from '@/lib/protocol/video/video-requests';
import { BodyParts } from '../http/body-parts';
import { pacedConnect, pacing } from '../upstreams/paced-handler';
import { REQUEST_HEADERS } from '../upstreams/request-headers';
import type { VideoConfig, VideoUpstreamConfig } from '../config/video';
import { Mp4Check } from './storage/mp4-check';
import type { WholeFile } from './storage/media-storage';
import { modelEntriesOf } from '../upstreams/models/model-list';

const JSON_BYTES_MAX = 4 * 1024 * 1024;
const SENTENCE_MAX = 400;
const SECRET_LENGTH_MIN = 4;
const RETRY_AFTER_SECONDS_MAX = 600;

type VideoUpstreamTimeouts = Pick<VideoConfig, 'connectTimeoutMs' | 'answerTimeoutMs' | 'mediaBytesMax'>;

/** Error if an upstream gave no usable answer. The gateway may ask the upstream again. */
export class VideoUpstreamAway extends Error {
  override readonly name = 'VideoUpstreamAway';
  constructor(
    message: string,
    /** Milliseconds to wait before the next request, as the upstream asked. */
    readonly retryAfterMs = 0,
    /** True if the upstream states that it did nothing. If false, the upstream may have received the request. */
    readonly didNothing = false,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Error if an upstream will not make this video, even if it is asked again. The caller sees the message. */
export class VideoRefused extends Error {
  override readonly name = 'VideoRefused';
}

/** State of a video at its upstream: still in progress, or finished with its file. */
type VideoFinding = { isThere: false; expectedMs: number | null } | { isThere: true; file: WholeFile };

const progress = z.object({
  status: z.string(),
  average_execution_time: z.number().min(0).max(86_400_000).optional().catch(undefined),
});

/** Client of a video server with the same endpoints as this gateway: video/queue, video/retrieve, video/complete. */
export class VideoUpstream {
  readonly name: string;
  readonly keepsIdempotencyKeys: boolean;
  readonly #agent: Agent;
  readonly #paced: Dispatcher;

  constructor(
    private readonly config: VideoUpstreamConfig,
    private readonly limits: VideoUpstreamTimeouts,
  ) {
    this.name = config.name;
    this.keepsIdempotencyKeys = config.idempotencyKeys;
    this.#agent = new Agent({
      connect: pacedConnect({ timeout: limits.connectTimeoutMs }),
      headersTimeout: limits.answerTimeoutMs,
      bodyTimeout: 0,
    });
    this.#paced = this.#agent.compose(pacing(limits.answerTimeoutMs));
  }

  /**
   * Returns the entries of the upstream's list of video models, not parsed; empty if the upstream has no list.
   * @throws VideoUpstreamAway
   */
  async models(): Promise<readonly unknown[]> {
    const { statusCode, body } = await this.#ask('GET', '/models?type=video');
    const text = await readText(body);
    if (statusCode === 404 || statusCode === 405) return [];
    if (statusCode !== 200)
      throw new VideoUpstreamAway(`The video server answered the request for its models with status ${statusCode}.`);
    const entries = modelEntriesOf(parse(text));
    if (entries === null)
      throw new VideoUpstreamAway('The video server returned a list of models in an unknown format.');
    return entries;
  }

  /**
   * Requests a video. If the upstream supports idempotency keys, the same key always gives the same video.
   * @returns id that the upstream gave to the video
   * @throws VideoUpstreamAway, VideoRefused
   */
  async queue(content: Readonly<Record<string, unknown>>, key: string): Promise<string> {
    const { statusCode, headers, body } = await this.#ask('POST', '/video/queue', content, { 'idempotency-key': key });
    const text = await readText(body);
    if (statusCode !== 200) throw this.#errorOf(statusCode, headers, text);
    const queued = videoQueuedSchema.safeParse(parse(text));
    if (!queued.success || queued.data.queue_id.length > 256)
      throw new VideoRefused('The video server sent an answer that could not be parsed.');
    return queued.data.queue_id;
  }

  /**
   * Queries the state of a video. If the video is finished, writes it to `path` and checks that it is a complete MP4.
   * @throws VideoUpstreamAway, VideoRefused
   */
  async retrieve(model: string, queueId: string, path: string): Promise<VideoFinding> {
    const { statusCode, headers, body } = await this.#ask('POST', '/video/retrieve', { model, queue_id: queueId });
    const type = String(headers['content-type'] ?? '');
    if (statusCode === 200 && type.startsWith('video/mp4'))
      return { isThere: true, file: await this.#download(body, Number(headers['content-length'] ?? NaN), path) };
    const text = await readText(body);
    if (statusCode !== 200) throw this.#errorOf(statusCode, headers, text);
    const verdict = progress.safeParse(parse(text));
    if (!verdict.success) throw new VideoUpstreamAway('The video server sent an answer that could not be parsed.');
    return { isThere: false, expectedMs: verdict.data.average_execution_time ?? null };
  }

  /** Deletes a video at the upstream. @throws VideoUpstreamAway, VideoRefused */
  async complete(model: string, queueId: string): Promise<void> {
    const { statusCode, headers, body } = await this.#ask('POST', '/video/complete', { model, queue_id: queueId });
    const text = await readText(body);
    if (statusCode !== 200) throw this.#errorOf(statusCode, headers, text);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #download(body: Readable, announced: number, path: string): Promise<WholeFile> {
    const meter = new MediaMeter(this.limits.mediaBytesMax);
    try {
      await pipeline(body, meter.watch, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      if (error instanceof VideoRefused) throw error;
      throw new VideoUpstreamAway(
        'The connection to the video server broke in the middle of a video.',
        0,
        false,
        error,
      );
    }
    const fault = meter.fault();
    if (fault === null && (Number.isNaN(announced) || announced === meter.bytes))
      return { path, bytes: meter.bytes, sha256: meter.sha256() };
    await rm(path, { force: true });
    throw new VideoUpstreamAway(`The video server sent an invalid video: ${fault ?? 'The video is cut off.'}`);
  }

  async #ask(method: 'GET' | 'POST', path: string, content?: unknown, further: Record<string, string> = {}) {
    const { url, key } = this.config;
    const headers = {
      ...REQUEST_HEADERS,
      ...(key ? { authorization: `Bearer ${key.reveal()}` } : {}),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...further,
    };
    try {
      return await request(url + path, {
        method,
        headers,
        body: content === undefined ? null : JSON.stringify(content),
        dispatcher: this.#paced,
      });
    } catch (error) {
      throw new VideoUpstreamAway('The video server does not answer.', 0, false, error);
    }
  }

  #errorOf(status: number, headers: Record<string, string | string[] | undefined>, text: string): Error {
    const { error, code } = errorBody(text);
    if (status === 401 || status === 402 || status === 403)
      return new VideoRefused(
        'The video server refused the API key of this gateway, or the account of the key has no credit.',
      );
    if (
      code === 'VIDEO_FAILED' ||
      (status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429)
    ) {
      return new VideoRefused(
        error === null ? 'The video server refused the request.' : this.#redact(error).slice(0, SENTENCE_MAX),
      );
    }
    const seconds = Number(headers['retry-after']);
    return new VideoUpstreamAway(
      `The video server answered with status ${status}.`,
      seconds > 0 ? Math.min(seconds, RETRY_AFTER_SECONDS_MAX) * 1_000 : 0,
      status === 429 || status === 503,
    );
  }

  #redact(text: string): string {
    const { origin, host } = new URL(this.config.url);
    let clean = text;
    for (const secret of [this.config.key?.reveal(), origin, host])
      if (secret && secret.length >= SECRET_LENGTH_MIN) clean = clean.replaceAll(secret, '[redacted]');
    return clean
      .replace(/\bBearer +[\x21-\x7e]+/gi, '[redacted]')
      .replace(/\s+/g, ' ')
      .trim();
  }
}

class MediaMeter {
  bytes = 0;
  readonly #hash: Hash = createHash('sha256');
  readonly #check = new Mp4Check();

  constructor(private readonly bytesMax: number) {}

  readonly watch = async function* (this: MediaMeter, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.bytes += chunk.length;
      if (this.bytes > this.bytesMax) throw new VideoRefused(`The video is larger than ${this.bytesMax} bytes.`);
      if (this.#check.add(chunk) !== null) throw new VideoRefused('The video server sent a file that is not an MP4.');
      this.#hash.update(chunk);
      yield chunk;
    }
  }.bind(this);

  fault(): string | null {
    return this.#check.end();
  }

  sha256(): string {
    return this.#hash.digest('hex');
  }
}

async function readText(body: Readable): Promise<string> {
  const parts = new BodyParts();
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      parts.add(chunk);
      if (parts.length > JSON_BYTES_MAX) throw new Error('The answer is too long.');
    }
  } catch (error) {
    throw new VideoUpstreamAway('The answer of the video server broke off, or was too long.', 0, false, error);
  }
  return parts.whole().toString('utf8');
}

function parse(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) ?? {};
  } catch {
    return {};
  }
}

function errorBody(text: string): { error: string | null; code: string | null } {
  const { error, code } = parse(text) as { error?: unknown; code?: unknown };
  return {
    error: typeof error === 'string' && error.trim() !== '' ? error : null,
    code: typeof code === 'string' ? code : null,
  };
}
