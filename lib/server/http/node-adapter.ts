import { apiError, isApiError } from '@/lib/protocol/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { BodyParts } from './body-parts';
import { bodyTooLarge, byteLengthOf, type Call, isPushBody, type PushBody, type Reply, type WhenGone } from './call';
import { chunkWriter } from './chunked-write';
import { clientAddress } from './client-address';
import { compressedReply } from './compression/compressed-reply';
import { answer } from './endpoint';
import { answerHalfClosed } from './half-closed';
import { LargeBody } from './large-body';
import { ReadTurn } from './read-turn';
import { newRequestId } from './request-id';
import { RequestRecord } from './request-record';
import type { ServedApi } from './served-api';

/**
 * Bounds the body bytes read per turn of the event loop. node:http alone would read two megabytes from one connection
 * before it reads from another.
 */
const turn = new ReadTurn();

/** Serves API paths directly on node:http, without Next. */
export function nodeListener(api: ServedApi): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    answerHalfClosed(request, response);
    const url = request.url ?? '/';
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const { endpoint, params, tidyPath } = api.router.resolve(path);
    const call = new NodeCall(
      request,
      response,
      tidyPath ?? path,
      queryAt < 0 ? '' : url.slice(queryAt + 1),
      params,
      api.trustProxyHops,
    );
    answer(endpoint, call, api)
      .then((reply) => {
        discardRest(request);
        const compressed = compressedReply(reply, call, api.memory);
        const sendIt = (made: Reply) => send(withLargeBody(made, request, api), request, response);
        return compressed instanceof Promise ? compressed.then(sendIt) : sendIt(compressed);
      })
      .catch((error: unknown) => {
        if (!response.destroyed) api.log.warn({ err: error, requestId: call.requestId }, 'sending an answer failed');
        response.destroy();
      });
  };
}

class NodeCall implements Call {
  readonly requestId = newRequestId();
  readonly record = new RequestRecord(this);
  readonly method: string;
  readonly whenGone: WhenGone = (listener) => {
    const { response } = this;
    const onClose = (): void => {
      if (!response.writableFinished) listener();
    };
    if (response.destroyed) listener();
    else response.once('close', onClose);
    return () => response.off('close', onClose);
  };

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly path: string,
    private readonly queryText: string,
    readonly params: Readonly<Record<string, string>>,
    private readonly trustProxyHops: number,
  ) {
    this.method = request.method ?? 'GET';
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.queryText);
  }

  get clientIp(): string {
    return clientAddress(this.request.socket.remoteAddress ?? '', (name) => this.header(name), this.trustProxyHops);
  }

  header(name: string): string | null {
    const value = this.request.headers[name];
    if (value === undefined) return null;
    return typeof value === 'string' ? value : value.join(', ');
  }

  headerNames(): string[] {
    return Object.keys(this.request.headers);
  }

  readBody(bytesMax: number): Promise<Uint8Array> {
    return readWhole(this.request, bytesMax);
  }

  streamBody(bytesMax: number): AsyncIterable<Uint8Array> {
    return readParts(this.request, bytesMax);
  }
}

async function* readParts(request: IncomingMessage, bytesMax: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  if (request.destroyed && !request.complete) throw apiError('CLIENT_CLOSED_REQUEST');
  let length = 0;
  try {
    // Without `destroyOnReturn: false`, a loop that stops early would close the connection before the answer.
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > bytesMax) throw bodyTooLarge(bytesMax);
      yield part;
    }
  } catch (error) {
    throw isApiError(error) ? error : apiError('CLIENT_CLOSED_REQUEST');
  }
}

function readWhole(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) return Promise.reject(bodyTooLarge(bytesMax));
  // If the connection was already lost, the request emits no event, so this must be checked first.
  if (request.destroyed && !request.complete) return Promise.reject(apiError('CLIENT_CLOSED_REQUEST'));
  return new Promise((resolve, reject) => {
    const parts = new BodyParts();
    const onData = (chunk: Buffer): void => {
      parts.add(chunk);
      if (parts.length === announced) return;
      if (parts.length <= bytesMax) return readOn(request, chunk.length);
      parts.drop();
      request.off('data', onData);
      discardRest(request);
      reject(bodyTooLarge(bytesMax));
    };
    request.on('data', onData);
    request.once('end', () => resolve(parts.whole()));
    request.once('error', () => reject(apiError('CLIENT_CLOSED_REQUEST')));
  });
}

/** Reads an unwanted body to its end. Otherwise a client still sending gets a reset and loses the answer. */
function discardRest(request: IncomingMessage): void {
  if (request.complete || request.listenerCount('data') > 0 || !hasBody(request)) return;
  request
    .on('data', (chunk: Buffer) => {
      readOn(request, chunk.length);
      letGo(chunk);
    })
    .resume();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** If all requests together have read the maximum of this turn, pauses the request until a later turn. */
function readOn(request: IncomingMessage, bytes: number): void {
  if (!turn.take(bytes, () => request.resume())) request.pause();
}

function withLargeBody(reply: Reply, request: IncomingMessage, { memory }: ServedApi): Reply {
  const large = LargeBody.of(reply, memory, { giveUp: () => request.socket.destroy() });
  return large ? { ...reply, body: large } : reply;
}

function send(reply: Reply, request: IncomingMessage, response: ServerResponse): Promise<void> | void {
  const { status, reason, headers, body } = reply;
  const flat: string[] = [];
  if (reason !== undefined) response.statusMessage = reason;
  for (const name in headers) flat.push(name, headers[name] as string);
  if (body === null) {
    if (status !== 204 && status !== 304) flat.push('content-length', '0');
    response.writeHead(status, flat).end();
  } else if (isPushBody(body)) {
    if (body.bytes !== undefined) flat.push('content-length', String(body.bytes));
    response.writeHead(status, flat);
    push(body, request, response);
  } else if (body instanceof ReadableStream) {
    response.writeHead(status, flat);
    if (request.method === 'HEAD') response.end();
    else return pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), response);
  } else {
    flat.push('content-length', String(byteLengthOf(body)));
    response.writeHead(status, flat);
    if (request.method === 'HEAD') response.end();
    else if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
    else sendParts(body, response);
  }
}

function push(body: PushBody, request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'HEAD' || response.destroyed) {
    response.end();
    body.cancel();
    return;
  }
  let begun = false;
  response.on('drain', () => body.resume());
  response.once('close', () => {
    if (response.writableFinished) body.sent?.();
    else body.cancel();
  });
  const writer = chunkWriter(response);
  body.start({
    write: (bytes) => {
      begun = true;
      return writer.write(bytes);
    },
    end: writer.end,
    fail: () => cutOff(request, response),
    drop: () => request.socket.destroy(),
  });
  if (!begun && !response.writableEnded) response.flushHeaders();
}

function cutOff({ httpVersion }: IncomingMessage, response: ServerResponse): void {
  const { socket } = response;
  if (!socket) response.destroy();
  // In HTTP/1.0, closing the connection would mean that the body is complete, so the connection is reset.
  else if (httpVersion === '1.0') socket.resetAndDestroy();
  else socket.destroySoon();
}

function sendParts(parts: readonly Uint8Array[], response: ServerResponse): void {
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
  response.uncork();
}

let dropped = new Set<ArrayBuffer>();

/**
 * Frees an unneeded chunk in the event loop's next phase, when node:http has finished with it too. At 100 MB/s, the
 * garbage collector would otherwise run constantly. Nothing else may refer to the chunk. Does not free a buffer that
 * other chunks share.
 */
export function letGo(chunk: Uint8Array): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer) || chunk.byteLength !== buffer.byteLength) return;
  if (dropped.size === 0) setImmediate(free);
  dropped.add(buffer);
}

function free(): void {
  const buffers = dropped;
  dropped = new Set();
  for (const buffer of buffers) buffer.transfer(0);
}
