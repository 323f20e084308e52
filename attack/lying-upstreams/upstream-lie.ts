import fc from 'fast-check';

export const UPSTREAM_KINDS = ['node', 'chat', 'stream', 'speech', 'attestation'] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];

/** Ways in which the head states the body's length, correct or not. */
const LENGTHS = [
  'true',
  'too long',
  'too short',
  'none',
  'chunked',
  'chunked without end',
  'chunked and true',
  'no number',
  'twice',
] as const;
const DELIVERIES = ['at once', 'in pieces', 'cut', 'reset', 'silent', 'goes on'] as const;

/** Change to the text of an honest answer. */
export type Alteration =
  | { kind: 'none' }
  /** Changes a member of the top-level object, or adds an unknown one. */
  | { kind: 'member'; name: string; value: unknown }
  | { kind: 'json'; value: unknown }
  | { kind: 'bytes'; bytes: Uint8Array }
  /** Repeats the end of the text. `share` says where that end begins, as a share of the text's length. */
  | { kind: 'repeated'; share: number; times: number }
  | { kind: 'truncated'; share: number }
  | { kind: 'nested'; depth: number }
  | { kind: 'large'; bytes: number };

/** False answer of an upstream: content and delivery. */
export interface UpstreamLie {
  alteration: Alteration;
  status: number;
  length: (typeof LENGTHS)[number];
  chunkBytes: number;
  /** Number of interim (1xx) responses before the answer. */
  interim: number;
  /** Size of each chunk's extension, in bytes. */
  extensionBytes: number;
  headers: readonly (readonly [name: string, value: string])[];
  trailers: number;
  delivery: (typeof DELIVERIES)[number];
}

const MEMBERS = [
  'result',
  'error',
  'id',
  'jsonrpc',
  'choices',
  'usage',
  'model',
  'object',
  'intel_quote',
  'signing_address',
  'nvidia_payload',
  'info',
  'data',
  '__proto__',
  'constructor',
] as const;
const ODD = [
  -1,
  0,
  1e308,
  Number.MAX_SAFE_INTEGER,
  1.5,
  '',
  '0x',
  '9'.repeat(400),
  null,
  true,
  [],
  {},
  { total_tokens: -5, prompt_tokens: 1e15, completion_tokens: '7' },
  [{ message: null }],
  { code: 'x', message: 7 },
] as const;

const oddValue = fc.oneof(fc.constantFrom<unknown>(...ODD), fc.jsonValue({ maxDepth: 4 }));

const alteration: fc.Arbitrary<Alteration> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Alteration>({ kind: 'none' }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('member' as const), name: fc.constantFrom(...MEMBERS), value: oddValue }),
  },
  fc.record({ kind: fc.constant('json' as const), value: oddValue }),
  fc.record({ kind: fc.constant('bytes' as const), bytes: fc.uint8Array({ maxLength: 2_000 }) }),
  fc.record({
    kind: fc.constant('repeated' as const),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    times: fc.integer({ min: 2, max: 200 }),
  }),
  fc.record({ kind: fc.constant('truncated' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('nested' as const), depth: fc.constantFrom(10, 1_000, 50_000) }),
  fc.record({ kind: fc.constant('large' as const), bytes: fc.constantFrom(10_000, 100_000, 300_000) }),
);

/** Text of a header: mostly valid, sometimes with characters that a header line cannot contain. */
const headerText = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 30 }) },
  fc.constantFrom('x'.repeat(20_000), '\u0000', 'a\tb'),
);
const header = fc.tuple(
  fc.constantFrom(
    'content-type',
    'retry-after',
    'connection',
    'keep-alive',
    'content-encoding',
    'transfer-encoding',
    'location',
    'set-cookie',
    'x-odd',
  ),
  headerText,
);

/** Generates false answers, most of them wrong in one or two ways. */
export const upstreamLie: fc.Arbitrary<UpstreamLie> = fc.record({
  alteration,
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant(200) },
    fc.constantFrom(200, 201, 204, 206, 301, 304, 400, 401, 429, 500, 503, 999),
  ),
  length: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<UpstreamLie['length']>('true', 'chunked') },
    { weight: 3, arbitrary: fc.constantFrom(...LENGTHS) },
  ),
  chunkBytes: fc.constantFrom(1, 1, 2, 15, 16, 255, 256, 4_096, 70_000),
  interim: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 16, 17, 5_000)),
  extensionBytes: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 100, 20_000)),
  headers: fc.array(header, { maxLength: 3 }),
  trailers: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 5_000)),
  delivery: fc.oneof(
    { weight: 12, arbitrary: fc.constant<UpstreamLie['delivery']>('at once') },
    { weight: 3, arbitrary: fc.constantFrom(...DELIVERIES) },
  ),
});
