import { expect } from 'vitest';
import type { Answer, Question } from './http-exchange';

/** A sentence on one line. */
export const SENTENCE = /^\S[^\n\r]*[.!?]$/;

const DESCRIPTION = /\/openapi\.json$|^\/(?:llms\.txt|\.well-known\/(?:x402|api-catalog|jwks\.json))$/;
const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const seenRequestIds = new Set<string>();

/**
 * Checks what the specification promises for every answer of the API. The suite calls this function for each answer.
 * @param profile value of X-Service-Profile; null if the header must be absent
 */
export function expectWhatHoldsForEveryAnswer(
  answer: Answer,
  { method, path }: Question,
  profile: 'sandbox' | null,
): void {
  const about = `${method} ${path.slice(0, 100)} was answered with ${answer.status}: ${answer.text.slice(0, 300)}`;
  const requestId = String(answer.headers['x-request-id']);
  expect(requestId, `X-Request-ID is a 32-character correlation id. ${about}`).toMatch(/^[0-9A-Za-z_-]{32}$/);
  expect(seenRequestIds.has(requestId), `X-Request-ID names one request. ${about}`).toBe(false);
  seenRequestIds.add(requestId);
  expect(answer.headers['x-service-profile'] ?? null, `X-Service-Profile. ${about}`).toBe(profile);
  // API descriptions are public, and some of them are not JSON.
  const isDescription = DESCRIPTION.test(path) && answer.status === 200;
  if (!isDescription)
    expect(
      answer.headers['cache-control'],
      `No cache in between may keep what one caller was answered. ${about}`,
    ).toMatch(/^(?:no-store\b|private, no-cache$)/);
  if (answer.status !== 204 && !isDescription)
    expect(answer.headers['content-type'], `Content-Type is always application/json. ${about}`).toBe(
      'application/json',
    );
  for (const name of RATE_LIMIT_HEADERS) {
    if (answer.status === 429) expect(answer.headers[name], `${name} is set on 429. ${about}`).toMatch(/^[0-9]+$/);
    else expect(answer.headers[name], `${name} is set only on 429. ${about}`).toBeUndefined();
  }
  if (answer.status >= 400 && method !== 'HEAD') expectErrorBody(answer, about);
}

/** StandardError: `error` (string, required). DetailedError: also `details`, a nested validation tree. */
function expectErrorBody(answer: Answer, about: string): void {
  const body = answer.json as {
    error?: unknown;
    code?: unknown;
    docs?: unknown;
    details?: unknown;
    x402Version?: unknown;
    reason?: unknown;
    message?: unknown;
  };
  // In both forms of 402, `error` has the specification's text.
  const isPaymentRequired = body.x402Version !== undefined || body.reason === 'insufficient_balance';
  // x402 clients look for this constant in `error`. The sentence is in `message`.
  const sentence = body.error === 'X402_INVALID_PAYMENT' ? body.message : body.error;
  expect(sentence, `An error has a sentence. ${about}`).toMatch(isPaymentRequired ? /\S/ : SENTENCE);
  if (body.x402Version === undefined)
    expect(body.code, `An error has a stable code. ${about}`).toMatch(/^[A-Z][A-Z0-9_]+$/);
  // For a refused payment, `details` also contains the x402 reason.
  const { reason: _reason, ...tree } = (body.details ?? { _errors: [] }) as { reason?: unknown };
  expectErrorTree(body.error === 'X402_INVALID_PAYMENT' ? tree : (body.details ?? tree), about);
  if (body.docs !== undefined)
    expect(body.docs, `An error says where it is explained. ${about}`).toBe(`/reference#error-${String(body.code)}`);
  if (answer.status >= 500)
    expect(answer.text, `An error tells nothing of the inside. ${about}`).not.toMatch(
      /node_modules|\.m?[jt]s:\d|127\.0\.0\.1|::1/,
    );
}

/** An `_errors` array of strings at each level and one sub-object per invalid field. */
export function expectErrorTree(tree: unknown, about = ''): void {
  const { _errors: errors, ...fields } = tree as { _errors: unknown; [field: string]: unknown };
  expect(
    Array.isArray(errors) && errors.every((error) => typeof error === 'string'),
    `_errors is an array of strings at each level. ${about}`,
  ).toBe(true);
  for (const field of Object.values(fields)) expectErrorTree(field, about);
}
