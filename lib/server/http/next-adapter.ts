import { apiError } from '@/lib/protocol/errors';
import { type Gateway, theGateway } from '../gateway';
import type { Call, Reply, WhenGone } from './call';
import { clientAddress } from './client-address';
import { answer, type Endpoint } from './endpoint';
import { newRequestId } from './request-id';
import { bind, type Match, nowhere } from './router';

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

function routeModule(resolve: (path: string, gateway: Gateway) => Match): RouteModule {
  const handler: RouteHandler = async (request) => {
    const gateway = theGateway();
    const url = new URL(request.url);
    const { endpoint, params } = resolve(url.pathname, gateway);
    return toResponse(await answer(endpoint, new NextCall(request, url, params, gateway), gateway), request);
  };
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

class NextCall implements Call {
  readonly requestId = newRequestId();
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;

  constructor(
    private readonly request: Request,
    url: URL,
    readonly params: Readonly<Record<string, string>>,
    private readonly gateway: Gateway,
  ) {
    this.method = request.method;
    this.path = url.pathname;
    this.query = url.searchParams;
  }

  readonly whenGone: WhenGone = (listener) => {
    const { signal } = this.request;
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  };

  /** Next appends the peer to X-Forwarded-For itself where no proxy set the header. */
  get clientIp(): string {
    return clientAddress('', this.header('x-forwarded-for'), Math.max(1, this.gateway.config.trustProxyHops));
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  async readBody(bytesMax: number): Promise<Uint8Array> {
    const tooLarge = () => apiError('BODY_TOO_LARGE', { message: `The request body is larger than ${bytesMax} bytes.` });
    if (Number(this.header('content-length') ?? 0) > bytesMax) throw tooLarge();
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
  return new Response(request.method === 'HEAD' ? null : (body as BodyInit | null), { status, headers });
}

/** Lets the rest flow away unread: a body that is cancelled blocks its connection, and the next request on it hangs. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let done = false;
  while (!done) ({ done } = await reader.read().catch(() => ({ done: true })));
}
