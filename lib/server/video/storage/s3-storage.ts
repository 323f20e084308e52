import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { Agent, request } from 'undici';
import { pacedConnect, pacing } from '../../upstreams/paced-handler';
import type { S3Config } from '../../config/video';
import { type MediaStorage, StorageAway, type StoredMedia, type WholeFile } from './media-storage';

const CONNECT_MS = 5_000;
const ANSWER_MS = 60_000;
const NO_BODY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ERROR_BYTES_MAX = 65_536;
const ATTEMPTS = 3;

/**
 * Stores videos as objects in a bucket, through Amazon S3's REST API with path-style addresses and Signature Version 4.
 */
export class S3Storage implements MediaStorage {
  readonly #agent = new Agent({
    connect: pacedConnect({ timeout: CONNECT_MS }),
    headersTimeout: ANSWER_MS,
    bodyTimeout: 0,
  });
  readonly #paced = this.#agent.compose(pacing(ANSWER_MS));
  readonly #aws: AwsClient;

  constructor(private readonly config: S3Config) {
    this.#aws = new AwsClient({
      accessKeyId: config.accessKeyId.reveal(),
      secretAccessKey: config.secretAccessKey.reveal(),
      service: 's3',
      region: config.region,
      retries: 0,
    });
  }

  async keep(name: string, { path, bytes, sha256 }: WholeFile): Promise<void> {
    const { statusCode, body } = await this.#ask('PUT', name, {
      sha256,
      headers: { 'content-type': 'video/mp4', 'content-length': String(bytes) },
      body: () => createReadStream(path),
    });
    await body.dump({ limit: ERROR_BYTES_MAX });
    if (statusCode !== 200 && statusCode !== 201 && statusCode !== 204) throw refused('PUT', statusCode);
  }

  async open(name: string): Promise<StoredMedia | null> {
    const { statusCode, headers, body } = await this.#ask('GET', name);
    if (statusCode === 200) return { bytes: Number(headers['content-length'] ?? NaN), stream: body };
    await body.dump({ limit: ERROR_BYTES_MAX });
    if (statusCode === 404) return null;
    throw refused('GET', statusCode);
  }

  async delete(name: string): Promise<void> {
    const { statusCode, body } = await this.#ask('DELETE', name);
    await body.dump({ limit: ERROR_BYTES_MAX });
    if (statusCode !== 204 && statusCode !== 200 && statusCode !== 404) throw refused('DELETE', statusCode);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Sends a request, at most three times. It is safe to repeat PUT, GET and DELETE, because they are idempotent. */
  async #ask(
    method: 'PUT' | 'GET' | 'DELETE',
    name: string,
    {
      sha256 = NO_BODY_SHA256,
      headers = {},
      body,
    }: { sha256?: string; headers?: Record<string, string>; body?: () => Readable } = {},
  ) {
    const { endpoint, bucket, prefix } = this.config;
    const url = `${endpoint}/${bucket}/${prefix}${name}`;
    for (let attempt = 1; ; attempt++) {
      const signed = await this.#aws.sign(url, { method, headers: { 'x-amz-content-sha256': sha256 } });
      const stream = body?.() ?? null;
      try {
        const answer = await request(url, {
          method,
          headers: { ...Object.fromEntries(signed.headers), ...headers },
          body: stream,
          dispatcher: this.#paced,
        });
        if (answer.statusCode < 500 || attempt === ATTEMPTS) return answer;
        await answer.body.dump({ limit: ERROR_BYTES_MAX });
      } catch (error) {
        stream?.destroy();
        if (attempt === ATTEMPTS) throw new StorageAway('The object storage does not answer.', { cause: error });
      }
    }
  }
}

function refused(method: string, status: number): StorageAway {
  return new StorageAway(`The object storage answered ${method} with status ${status}.`);
}
