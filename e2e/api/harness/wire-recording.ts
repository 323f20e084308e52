import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export interface SentRequest {
  method: string;
  path: string;
  headers?: object;
  body?: string | Uint8Array;
  chunked?: boolean;
}

export interface ReceivedAnswer {
  status: number;
  headers: object;
  text: string;
}

/**
 * Appends each request of the suite and its answer to a file for each test file, in the folder that WIRE_RECORDING
 * names. Without WIRE_RECORDING, does nothing. Masks ids, keys, signatures, times and ports, so that recordings of two
 * versions can be compared with `npm run wire -- compare A B`.
 */
export function recordExchange(request: SentRequest, answer: ReceivedAnswer): void {
  const folder = process.env.WIRE_RECORDING;
  if (!folder) return;
  const { testPath, currentTestName } = expect.getState();
  const line = JSON.stringify({
    test: maskChanging(currentTestName ?? 'before all'),
    request: requestOf(request),
    answer: answerOf(answer),
  });
  mkdirSync(folder, { recursive: true });
  appendFileSync(path.join(folder, `${path.basename(testPath ?? 'unknown', '.test.ts')}.jsonl`), `${line}\n`);
}

const BODY_CHARS = 2_000;
/** Headers of the connection, and headers that differ in each run. */
const LEFT_OUT = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'etag',
  'x-ratelimit-reset',
]);
/** Durations, and remaining parts of a minute. */
const CHANGING_FIELDS =
  /("(?:latencyMs|uptimeSeconds|blockAgeSeconds|elapsedMs|retryAfter|timestamp|created|createdAt|updatedAt|lastUsedAt|expiresAt|iat|exp|at)":\s*)(?:-?\d+(?:\.\d+)?|"[^"]*")/g;

function requestOf({ method, path: target, headers = {}, body, chunked }: SentRequest): object {
  const text = body === undefined ? '' : shorten(Buffer.from(body).toString('utf8'));
  return {
    method,
    path: maskChanging(shorten(target)),
    headers: maskedHeaders(headers),
    body: maskChanging(text),
    ...(chunked && { chunked }),
  };
}

function answerOf({ status, headers, text }: ReceivedAnswer): object {
  return { status, headers: maskedHeaders(headers), body: maskChanging(shorten(text)) };
}

function maskedHeaders(headers: object): Record<string, string> {
  const entries = Object.entries(headers as Record<string, unknown>).map(
    ([name, value]) => [name.toLowerCase(), maskChanging(shorten(String(value)))] as const,
  );
  return Object.fromEntries(entries.filter(([name]) => !LEFT_OUT.has(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Shortens a text to its beginning and length. */
function shorten(text: string): string {
  return text.length <= BODY_CHARS ? text : `${text.slice(0, BODY_CHARS)}… ${text.length} characters`;
}

/** Replaces values that differ in each run. */
export function maskChanging(text: string): string {
  return text
    .replace(CHANGING_FIELDS, '$1<changing>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>')
    .replace(/(?:127\.0\.0\.1|localhost|\[::1\]):\d+/g, '<host>')
    .replace(/\b(tpk|pay|mint|chatcmpl|vid|key)[_-][0-9A-Za-z_-]{8,}/g, '<$1>')
    .replace(/(?:0x)?[0-9a-f]{16,}/gi, '<hex>')
    .replace(/[0-9A-Za-z+/_-]{40,}={0,2}/g, '<base64>')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, '<base58>')
    .replace(/\b1[6-9]\d{8}(?:\d{3})?\b/g, '<time>');
}
