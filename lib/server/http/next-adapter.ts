import { apiError } from '@/lib/protocol/errors';
import { bytesOf, type Call, isPushBody, type PushBody, type Reply, type WhenGone } from './call';
import { clientAddress } from './client-address';
import { answer, type Endpoint } from './endpoint';
import { NEXT_DOOR_HEADERS } from './next-door';
import { newRequestId } from './request-id';
import { bind, type Match, nowhere } from './router';
import { type ServedGateway, theGateway } from './served-gateway';

type RouteHandler = (request: Request) => Promise<Response>;
type RouteModule = Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>;

/** What the Next `route.ts` of an endpoint exports: every verb, so that wrong ones are answered in our words. */
export function nextRoute(endpoint: Endpoint): RouteModule {
  return routeModule((path, { endpoints }) => (endpoints.some((served) => served.path === endpoint.path) ? bind(endpoint, path) : nowhere(path)));
}

/** The same for all paths of the API that have no `route.ts` of their own: they lead nowhere, or are not offered. */
export function nextFallback(): RouteModule {
  return routeModule((path, { router }) => router.resolve(path));
}

function routeModule(resolve: (path: string, gateway: ServedGateway) => Match): RouteModule {
  const handler: RouteHandler = async (request) => {
    const gateway = theGateway();
    const url = new URL(request.url);
    const path = pathOf(request, url);
    const { endpoint, params } = resolve(path, gateway);
    return toResponse(await answer(endpoint, new NextCall(request, path, url.searchParams, params, gateway), gateway), request);
  };
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

function pathOf(request: Request, url: URL): string {
  const kept = request.headers.get(NEXT_DOOR_HEADERS.path);
  return kept === null ? url.pathname : decodeURIComponent(kept);
}

class NextCall implements Call {
  readonly requestId = newRequestId();
  readonly method: string;

  constructor(
    private readonly request: Request,
    readonly path: string,
    readonly query: URLSearchParams,
    readonly params: Readonly<Record<string, string>>,
    private readonly gateway: ServedGateway,
  ) {
    this.method = request.headers.get(NEXT_DOOR_HEADERS.method) ?? request.method;
  }

  readonly whenGone: WhenGone = (listener) => {
    const { signal } = this.request;
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  };

  get clientIp(): string {
    return clientAddress(this.header(NEXT_DOOR_HEADERS.peer) ?? '', this.header('x-forwarded-for'), this.gateway.config.trustProxyHops);
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  async readBody(bytesMax: number): Promise<Uint8Array> {
    const tooLarge = () => apiError('BODY_TOO_LARGE', { message: `The request body is larger than ${bytesMax} bytes.` });
    if (Number(this.header('content-length') ?? 0) > bytesMax) {
      if (this.request.body) void discard(this.request.body.getReader());
      throw tooLarge();
    }
    if (!this.request.body) return new Uint8Array();
    const chunks: Uint8Array[] = [];
    let length = 0;
    const reader = this.request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw apiError('CLIENT_CLOSED_REQUEST');
      });
      if (done) return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
      length += value.byteLength;
      if (length > bytesMax) {
        void discard(reader);
        throw tooLarge();
      }
      chunks.push(value);
    }
  }
}

function toResponse({ status, headers, body }: Reply, request: Request): Response {
  if (isPushBody(body)) {
    if (request.method !== 'HEAD') return new Response(webStream(body), { status, headers });
    body.cancel();
    return new Response(null, { status, headers });
  }
  if (request.method === 'HEAD' || body === null) return new Response(null, { status, headers });
  if (body instanceof ReadableStream) return new Response(body, { status, headers });
  return new Response(bytesOf(body) as BodyInit, { status, headers });
}

/** Bytes that wait for a slow client. */
const WAITING_BYTES_MAX = 65_536;

function webStream(body: PushBody): ReadableStream<Uint8Array> {
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
            // Whoever wants to know that all of it was taken hears so when nothing waits any more.
            if (body.sent && (controller.desiredSize ?? 0) < WAITING_BYTES_MAX) close = () => endWith(controller, body);
            else endWith(controller, body);
          },
          fail: () => controller.error(new Error('The answer broke off.')),
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

/** Lets the rest flow away unread: a body that is cancelled blocks its connection, and the next request on it hangs. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let done = false;
  while (!done) ({ done } = await reader.read().catch(() => ({ done: true })));
}
