import { apiError } from '@/lib/protocol/errors';
import { BodyParts } from './body-parts';
import { bodyTooLarge, bytesOf, type Call, isPushBody, type PushBody, type Reply, type WhenGone } from './call';
import { clientAddress } from './client-address';
import { compressedReply } from './compression/compressed-reply';
import { type EntryFacts, entryFacts } from './entry-facts';
import { answer } from './endpoint';
import { LargeBody } from './large-body';
import { newRequestId } from './request-id';
import { RequestRecord } from './request-record';
import { type Match, nowhere } from './router';
import { servedApi, type ServedApi } from './served-api';

type RouteHandler = (request: Request) => Promise<Response>;
type RouteModule = Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>;

/**
 * Returns the exports of an endpoint's Next `route.ts`. They include every verb, so that unsupported verbs get an API
 * error.
 * @param route `path` of the endpoint's `Route`
 */
export function nextRoute(route: string): RouteModule {
  return routeModule((path, { router }) => {
    const match = router.resolve(path);
    // Next's router decodes paths. If it chose another route than the API's router, the answer is 404.
    return match.endpoint.path === route || match.endpoint.ANY ? match : nowhere(path);
  });
}

/** Serves API requests that Next cannot route to a `route.ts`, such as unknown or untidy paths. */
export function nextFallback(): RouteModule {
  return routeModule((path, { router }) => router.resolve(path));
}

function routeModule(resolve: (path: string, api: ServedApi) => Match): RouteModule {
  const handler: RouteHandler = async (request) => {
    const api = servedApi();
    const facts = entryFacts();
    // A request that bypassed `next-entry.ts` has no `facts`. It was neither admitted nor counted, so it gets 404.
    const { endpoint, params, tidyPath } = facts ? resolve(facts.path, api) : nowhere(new URL(request.url).pathname);
    const known = facts ?? unknownFacts(request);
    const call = new NextCall(
      request,
      tidyPath === undefined ? known : { ...known, path: tidyPath },
      params,
      api.trustProxyHops,
    );
    const reply = await compressedReply(await answer(endpoint, call, api), call, api.memory);
    return toResponse(reply, request, known, api);
  };
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

function unknownFacts({ url, method }: Request): EntryFacts {
  const { pathname, search } = new URL(url);
  return {
    peer: '',
    path: pathname,
    query: search,
    method,
    acceptEncoding: null,
    encodedAs: () => undefined,
    disconnect: () => undefined,
  };
}

class NextCall implements Call {
  readonly requestId = newRequestId();
  readonly record = new RequestRecord(this);

  constructor(
    private readonly request: Request,
    private readonly facts: EntryFacts,
    readonly params: Readonly<Record<string, string>>,
    private readonly trustProxyHops: number,
  ) {}

  get method(): string {
    return this.facts.method;
  }

  get path(): string {
    return this.facts.path;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.facts.query);
  }

  readonly whenGone: WhenGone = (listener) => {
    const { signal } = this.request;
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  };

  get clientIp(): string {
    return clientAddress(this.facts.peer, (name) => this.header(name), this.trustProxyHops);
  }

  header(name: string): string | null {
    return name === 'accept-encoding' ? this.facts.acceptEncoding : this.request.headers.get(name);
  }

  headerNames(): Iterable<string> {
    return this.request.headers.keys();
  }

  async readBody(bytesMax: number): Promise<Uint8Array> {
    const parts = new BodyParts();
    for await (const part of this.streamBody(bytesMax)) parts.add(part);
    return parts.length === 0 ? new Uint8Array() : parts.whole();
  }

  async *streamBody(bytesMax: number): AsyncGenerator<Uint8Array> {
    const reader = this.request.body?.getReader();
    let isLeft = true;
    try {
      let length = 0;
      if (Number(this.header('content-length') ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
      while (reader) {
        const { done, value } = await reader.read().catch(() => {
          isLeft = false;
          throw apiError('CLIENT_CLOSED_REQUEST');
        });
        isLeft = !done;
        if (done) return;
        length += value.byteLength;
        if (length > bytesMax) throw bodyTooLarge(bytesMax);
        yield value;
      }
    } finally {
      if (reader && isLeft) void discard(reader);
    }
  }
}

function toResponse(
  reply: Reply,
  request: Request,
  { disconnect, encodedAs }: EntryFacts,
  { memory }: ServedApi,
): Response {
  const { status, headers, reason } = reply;
  const line = { status, ...(reason !== undefined && { statusText: reason }) };
  // Next drops Content-Encoding from the answer, so the entry sets it.
  if (headers['content-encoding'] !== undefined) encodedAs(headers['content-encoding']);
  // Copies the body, because Next does not report when it has finished with the bytes.
  const body = LargeBody.of(reply, memory, { giveUp: disconnect, isCopied: true }) ?? reply.body;
  if (isPushBody(body)) {
    const allHeaders = body.bytes === undefined ? headers : { ...headers, 'content-length': String(body.bytes) };
    if (request.method !== 'HEAD') return new Response(webStream(body, disconnect), { ...line, headers: allHeaders });
    body.cancel();
    return new Response(null, { ...line, headers: allHeaders });
  }
  if (request.method === 'HEAD' || body === null) return new Response(null, { ...line, headers });
  if (body instanceof ReadableStream) return new Response(body, { ...line, headers });
  return new Response(bytesOf(body) as BodyInit, { ...line, headers });
}

const WAITING_BYTES_MAX = 65_536;

function webStream(body: PushBody, disconnect: () => void): ReadableStream<Uint8Array> {
  let close: (() => void) | null = null;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        body.start({
          write: (bytes) => {
            controller.enqueue(bytes);
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => {
            // `body.sent` must not be called before all bytes have left the queue.
            if (body.sent && (controller.desiredSize ?? 0) < WAITING_BYTES_MAX) close = () => endWith(controller, body);
            else endWith(controller, body);
          },
          fail: () => controller.error(new Error('The answer broke off.')),
          drop: disconnect,
        }),
      pull: (controller) => {
        if (close && controller.desiredSize === WAITING_BYTES_MAX) close();
        else body.resume();
      },
      cancel: () => body.cancel(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES_MAX }),
  );
}

function endWith(controller: ReadableStreamDefaultController<Uint8Array>, body: PushBody): void {
  controller.close();
  body.sent?.();
}

/** Reads an unwanted body to its end. If the body were cancelled, the next request on the connection would hang. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let done = false;
  while (!done) ({ done } = await reader.read().catch(() => ({ done: true })));
}
