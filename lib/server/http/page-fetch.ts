import { Readable } from 'node:stream';
import { answer } from './endpoint';
import { bytesOf, type Call, isPushBody } from './call';
import { newRequestId } from './request-id';
import { RequestRecord } from './request-record';
import { startedApi } from './served-api';

const FRESH_MS = 10_000;

interface Kept {
  body: Promise<{ status: number; text: string }>;
  untilMs: number;
}

const kept = new Map<string, Kept>();
const KEPT_MAX = 32;

/**
 * `fetch` for pages being rendered. Calls the API in this process, without a credential and without cost. Reuses an
 * answer for 10 s. Supports only GET requests, and no streamed answers.
 * @throws TypeError, like the real `fetch`, if the gateway has not started
 */
export const pageFetch: typeof fetch = async (input) => {
  const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
  const key = `${pathname}?${searchParams.toString()}`;
  const { status, text } = await (fresh(key) ?? keep(key, ask(pathname, searchParams)));
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
};

function fresh(key: string): Kept['body'] | null {
  const found = kept.get(key);
  return found && found.untilMs > Date.now() ? found.body : null;
}

function keep(key: string, body: Kept['body']): Kept['body'] {
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, { body, untilMs: Date.now() + FRESH_MS });
  body.catch(() => kept.delete(key));
  return body;
}

async function ask(path: string, query: URLSearchParams): Kept['body'] {
  const api = startedApi();
  if (api === undefined) throw new TypeError('The gateway has not been started.');
  const { endpoint, params } = api.router.resolve(path);
  const { status, body } = await answer(endpoint, ownCall(path, query, params), api);
  if (isPushBody(body) || body instanceof ReadableStream) throw new TypeError(`${path} streams its answer.`);
  return { status, text: body === null ? '' : new TextDecoder().decode(bytesOf(body)) };
}

function ownCall(path: string, query: URLSearchParams, params: Call['params']): Call {
  return {
    method: 'GET',
    path,
    query,
    params,
    requestId: newRequestId(),
    record: new RequestRecord({ header: () => null }),
    clientIp: '',
    whenGone: () => () => undefined,
    header: () => null,
    headerNames: () => [],
    readBody: () => new Uint8Array(),
    streamBody: () => Readable.from([]),
  };
}
