import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AtEnd, serve } from './test-gateway';

interface Order {
  id: string;
  body: Record<string, unknown>;
}

/** Returns a file of about this size with the boxes of an MP4. */
export function boxedMedia(bytes = 1_000): Buffer {
  const box = (type: string, content: Buffer): Buffer => {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(8 + content.length);
    header.write(type, 4, 'latin1');
    return Buffer.concat([header, content]);
  };
  const noise = Buffer.alloc(bytes, createHash('sha256').update(String(bytes)).digest());
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')),
    box('moov', Buffer.alloc(50)),
    box('mdat', noise),
  ]);
}

/** HTTP video server with scripted behavior. Videos are ready while `isDone` is true. */
export class ScriptedStudio {
  /** All requests for videos. A repetition with a known idempotency key is not added. */
  readonly orders: Order[] = [];
  readonly #byKey = new Map<string, Order>();
  media = boxedMedia();
  isDone = true;
  keepsKeys = true;
  /** Answers a request in place of the server if it returns true. */
  intercept: ((path: string, response: ServerResponse) => boolean) | null = null;
  /** Requested paths. */
  readonly asked: string[] = [];
  readonly deleted: string[] = [];
  url = '';
  authorization: string | undefined;

  /** Serves until the end of the test, or until `atEnd` stops it. */
  static async open(atEnd?: AtEnd): Promise<ScriptedStudio> {
    const studio = new ScriptedStudio();
    const { origin } = await serve((request, response) => void studio.#answer(request, response), atEnd);
    studio.url = `${origin}/v1`;
    return studio;
  }

  /** Resets the server for the next test that shares it. */
  forget(): void {
    for (const heard of [this.orders, this.asked, this.deleted]) heard.length = 0;
    this.#byKey.clear();
    Object.assign(this, { media: boxedMedia(), isDone: true, keepsKeys: true, intercept: null });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace('/v1/', '').split('?')[0] as string;
    this.asked.push(path);
    this.authorization = request.headers.authorization;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (path === 'models')
      return json(response, 200, {
        data: [
          {
            id: 'film',
            model_spec: {
              name: 'Film',
              durations: ['5s', '10s'],
              aspect_ratios: ['16:9', '1:1'],
              resolutions: ['720p'],
            },
          },
        ],
      });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
    if (path === 'video/queue') this.#take(body, request.headers['idempotency-key'] as string | undefined);
    if (this.intercept?.(path, response)) return;
    if (path === 'video/queue') return json(response, 200, { model: body.model, queue_id: this.#current.id });
    if (path === 'video/complete') {
      this.deleted.push(String(body.queue_id));
      return json(response, 200, { success: true });
    }
    if (!this.isDone)
      return json(response, 200, { status: 'PROCESSING', average_execution_time: 1_234, execution_duration: 10 });
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': this.media.length }).end(this.media);
  }

  #current: Order = { id: '', body: {} };

  #take(body: Record<string, unknown>, key: string | undefined): void {
    const known = this.keepsKeys && key !== undefined ? this.#byKey.get(key) : undefined;
    this.#current = known ?? { id: randomUUID(), body };
    if (!known) this.orders.push(this.#current);
    if (key !== undefined) this.#byKey.set(key, this.#current);
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
