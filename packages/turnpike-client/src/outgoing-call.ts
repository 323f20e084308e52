import { TurnpikeError } from './turnpike-error';

/** Maximum body size: 64 MiB exceeds every limit of the gateway. */
const BODY_BYTES_MAX = 64 * 1_024 * 1_024;
/** Paths at which the client adds an Idempotency-Key. */
const KEYED = /^\/api\/v1\/(crypto\/rpc\/[^/]+|video\/queue)$/;
const CREDENTIALS = ['authorization', 'sign-in-with-x', 'x-sign-in-with-x'];

export interface OutgoingCall {
  url: string;
  /** Path from the gateway's root. */
  path: string;
  init: RequestInit & { method: string; headers: Headers; body: string | ArrayBuffer | null };
  signal: AbortSignal | null;
}

/**
 * Parses the arguments of `fetch`. URLs may begin with a slash. Buffers the body so that it can be resent, removes
 * credentials, and adds an Idempotency-Key to JSON-RPC calls and to requests for videos.
 * @throws {TurnpikeError} URL_ELSEWHERE for a URL that is not the gateway's; BODY_TOO_LARGE
 */
export async function outgoingCall(
  base: string,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<OutgoingCall> {
  const request = input instanceof Request ? input : null;
  const url = addressOf(base, request ? request.url : String(input));
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
  const headers = new Headers(init.headers ?? request?.headers);
  for (const name of CREDENTIALS) headers.delete(name);
  const path = new URL(url).pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  if (method === 'POST' && KEYED.test(path) && !headers.has('idempotency-key'))
    headers.set('idempotency-key', newKey());
  const signal = init.signal ?? request?.signal ?? null;
  const body = init.body ?? request?.body ?? null;
  const sent = body === null ? null : await repeatable(body, headers, request, init);
  // Refuses redirects, because a redirect could send the sign-in to another host.
  return { url, path, signal, init: { ...init, method, headers, body: sent, redirect: 'error' } };
}

export function mayRepeat({ init: { method, headers } }: OutgoingCall): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
}

function addressOf(base: string, address: string): string {
  const full = address.startsWith('/') && !address.startsWith('//') ? base + address : address;
  const url = URL.canParse(full) ? new URL(full) : null;
  const root = new URL(base);
  const prefix = root.pathname.replace(/\/$/, '');
  if (
    url === null ||
    url.origin !== root.origin ||
    !(url.pathname === prefix || url.pathname.startsWith(`${prefix}/`)) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new TurnpikeError('URL_ELSEWHERE', {
      message: `${JSON.stringify(address)} is not an address of the gateway at ${base}.`,
    });
  }
  return url.href;
}

/** Reads the body once, with the content type that fetch would set. Returns a text unchanged. */
async function repeatable(
  body: NonNullable<RequestInit['body']>,
  headers: Headers,
  request: Request | null,
  init: RequestInit,
): Promise<string | ArrayBuffer> {
  if (typeof body === 'string') return body;
  const source = init.body == null && request ? request : new Response(body);
  const contentType = source.headers.get('content-type');
  if (contentType !== null && !headers.has('content-type')) headers.set('content-type', contentType);
  const bytes = await source.arrayBuffer();
  if (bytes.byteLength > BODY_BYTES_MAX) throw new TurnpikeError('BODY_TOO_LARGE');
  return bytes;
}

/** Returns 32 random hex digits. Uses `getRandomValues`, because `randomUUID` is missing on pages over plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
