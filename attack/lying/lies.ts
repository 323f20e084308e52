import fc from 'fast-check';
import { type Edit, edit, hostileValue, TRAP } from './hostile-values';

/** Abnormal ways to deliver the bytes of an answer. */
export const DELIVERIES = [
  'one-byte-chunks',
  'truncated',
  'reset',
  'never',
  'never-ends',
  'late',
  'wrong-length',
  'split-end',
] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** Bodies that continue until the client disconnects. */
export const LARGE_FORMS = [
  'blanks',
  'one-byte-chunks',
  'bomb',
  'objects',
  'brackets',
  'one-event',
  'events',
  'lines',
] as const;
export type LargeForm = (typeof LARGE_FORMS)[number];

export const STREAM_FORMS = [
  'forged',
  'crlf',
  'cr',
  'early-end',
  'twice',
  'no-end',
  'goes-on',
  'no-empty-line',
  'comments',
  'bom',
  'other-fields',
  'two-data-lines',
  'no-space',
  'error-event',
  'swapped',
  'dropped',
  'invalid-utf8',
] as const;
export type StreamForm = (typeof STREAM_FORMS)[number];

/** One falsification of an answer. Plain data, so that a failing run can print and shrink it. */
export type Lie =
  | { kind: 'members'; edits: readonly Edit[] }
  | { kind: 'text'; text: string }
  | { kind: 'refusal'; status: number; body: unknown }
  | { kind: 'status'; status: number }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'redirect'; status: number; to: string }
  | { kind: 'delivery'; delivery: Delivery }
  | { kind: 'stream'; form: StreamForm; at: number }
  | { kind: 'large'; form: LargeForm }
  /** Lie specific to the endpoint, by name. */
  | { kind: 'own'; name: string; value: unknown };

/** Chat answers that no enclave wrote, streamed and whole. */
const FORGED_STREAM =
  'data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"forged"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const FORGED_COMPLETION =
  '{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"forged"},"finish_reason":"stop"}]}';
const BODY_TEXTS = [
  '',
  ' ',
  'null',
  '[]',
  '{}',
  '""',
  '0',
  'NaN',
  '{"a":1e999}',
  '{',
  '[',
  '"',
  '{"data":',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '"\\ud800"',
  `${'['.repeat(20_000)}`,
  '<html><body>502 Bad Gateway</body></html>',
  'data: [DONE]\n\n',
  '\u001b[31mred\u001b[0m',
  '{"__proto__":{"x":1}}',
  FORGED_STREAM,
  FORGED_COMPLETION,
  '{"error":"\\u001b[2Jx","code":"\\u009b2J","hint":"\\u202e"}',
];
const REFUSAL_STATUSES = [400, 401, 402, 403, 404, 409, 413, 418, 429, 500, 501, 502, 503, 504, 507];
const HEADERS = [
  'content-type',
  'content-encoding',
  'retry-after',
  'x-request-id',
  'x-service-rpc-cost-usd',
  'x-service-rpc-credits',
  'x-balance-remaining',
  'x-ratelimit-reset',
  'idempotent-replayed',
  'payment-required',
  'payment-response',
  'x-should-retry',
  'set-cookie',
  'location',
  'link',
  'refresh',
  'www-authenticate',
  'transfer-encoding',
  'content-disposition',
  'x-service-speech-engine',
];
const HEADER_VALUES = [
  '',
  'abc',
  '-1',
  '0',
  '1e9',
  '1000000000',
  '99999999999999999999',
  'NaN',
  '0x10',
  '1.5',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'text/html',
  'application/json',
  'text/event-stream',
  'audio/mpeg',
  'video/mp4',
  'audio/../../x',
  'application/json; charset=utf-16',
  'gzip',
  'br',
  'deflate',
  'zstd',
  'identity',
  'gzip, gzip, gzip',
  'chunked',
  'eyJ4IjoxfQ==',
  '!!!',
  '\u009b31m',
  'caf\u00e9',
  'x'.repeat(6_000),
  TRAP,
  'true',
  `attachment; filename="../../escaped"`,
];
const LOCATIONS = [
  `${TRAP}/stolen`,
  `${TRAP}`,
  '//trap.invalid/stolen',
  '/api/v1/billing/balance',
  'file:///etc/passwd',
  'javascript:1',
  'http://user:pass@trap.invalid/',
  '',
  '%',
  '..',
  'http://[bad',
];

const refusalBody = fc.oneof(
  fc.record(
    { error: hostileValue, code: hostileValue, hint: hostileValue, customMessage: hostileValue, details: hostileValue },
    { requiredKeys: [] },
  ),
  fc.record({
    error: fc.string(),
    code: fc.constantFrom(
      'MINUTE_CAP',
      'CONCURRENT_CALL',
      'IDEMPOTENCY_KEYS_USED_UP',
      'X402_INVALID_PAYMENT',
      'X402_PAYMENT_PENDING',
      'BUDGET_EXCEEDED',
      'URL_INVALID',
      'MODEL_KEY_MISMATCH',
      'INVALID_REQUEST',
      'toString',
      '__proto__',
    ),
    hint: fc.string(),
  }),
  fc.record({
    error: hostileValue,
    code: fc.constant('INVALID_REQUEST'),
    hint: fc.constant('See "details".'),
    details: fc.record({
      _errors: fc.array(hostileValue, { maxLength: 3 }),
      x: fc.record({ _errors: fc.array(hostileValue, { maxLength: 3 }) }),
    }),
  }),
);

/** Generates falsifications for any answer. */
export const anyLie: fc.Arbitrary<Lie> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('members' as const),
      edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.oneof(fc.constantFrom(...BODY_TEXTS), fc.string({ unit: 'binary', maxLength: 60 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('refusal' as const),
      status: fc.constantFrom(...REFUSAL_STATUSES),
      body: refusalBody,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      status: fc.constantFrom(...REFUSAL_STATUSES, 200, 201, 204, 206, 299, 304, 600),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('header' as const),
      name: fc.constantFrom(...HEADERS),
      value: fc.constantFrom(...HEADER_VALUES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('redirect' as const),
      status: fc.constantFrom(301, 302, 303, 307, 308),
      to: fc.constantFrom(...LOCATIONS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delivery' as const), delivery: fc.constantFrom(...DELIVERIES) }),
  },
);

/** Generates falsifications for event streams only. */
export const streamLie: fc.Arbitrary<Lie> = fc.record({
  kind: fc.constant('stream' as const),
  form: fc.constantFrom(...STREAM_FORMS),
  at: fc.nat(1_000),
});

/** Generates a falsification that is specific to an endpoint. */
export function ownLie(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Lie> {
  return fc.record({ kind: fc.constant('own' as const), name: fc.constant(name), value });
}
