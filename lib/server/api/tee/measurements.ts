import { z } from 'zod';
import { entryHash, measurementEntrySchema } from '@/lib/protocol/attestation/measurement-log';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { entryOf } from '../../attestation/measurement-log';
import { askStore } from '../../db/ask-store';
import { listMeasurements, newestMeasurement } from '../../db/measurements';
import type { Database } from '../../db/schema';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { readQuery } from '../../http/json-body';
import type { Operation } from '../../http/operation';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { TOO_MANY_FROM_ADDRESS } from '../openapi/refusals';

const PAGE = 50;
/** Keeps a page of the longest entries within the clients' 1 MiB. */
const PAGE_MAX = 200;

const entry = measurementEntrySchema.extend({
  lastSeen: z.int().describe('In Unix seconds, to about an hour. Not signed'),
  skippedAfter: z.int().describe('Changes of the model after this entry that were not logged. Not signed'),
  signature: z.string().describe('The entry without `lastSeen` and `skippedAfter`, as a JWS in compact form'),
});

const measurementsDocs: Operation = {
  id: 'measurements',
  tag: 'Attestation',
  summary: 'List the enclave measurements that this gateway has seen',
  description:
    'Public. Oldest first. Each entry is signed with a key of /.well-known/jwks.json (EdDSA), and contains the hash of the entry before it, whatever the model. A measurement is added when it was not in the report before, at most 24 returns and 250 new ones of a model in a day. docs/private-inference.md says how to check the whole log. Limited by client address.',
  credentials: [],
  parameters: [
    { name: 'model', in: 'query', required: false, description: 'Only this model', schema: z.string() },
    { name: 'after', in: 'query', required: false, description: '`next` of the page before', schema: z.int() },
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: `From 1 to ${PAGE_MAX}; ${PAGE} by default`,
      schema: z.int().min(1).max(PAGE_MAX),
    },
  ],
  responses: {
    200: {
      description: 'A page of the log',
      schema: z
        .object({
          entries: z.array(entry.meta({ id: 'LoggedMeasurement' })),
          head: z
            .object({ seq: z.int(), sha256: z.string() })
            .nullable()
            .describe('Newest entry of the whole log, with the SHA-256 of its signature'),
          next: z.int().nullable().describe('`after` of the next page; null if there is none'),
        })
        .meta({ id: 'MeasurementLog' }),
      examples: { empty: { entries: [], head: null, next: null } },
    },
    400: { description: 'The query is not valid', schema: refusedRequestSchema, codes: ['INVALID_REQUEST'] },
    429: TOO_MANY_FROM_ADDRESS,
    503: {
      description: 'The gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['STORE_UNAVAILABLE'],
    },
  },
};

const query = z.object({
  // Postgres refuses text that contains U+0000.
  model: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\0]*$/, 'Must not contain the character U+0000')
    .optional(),
  after: z
    .string()
    .regex(/^\d{1,9}$/, 'Must be the `next` of a page')
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, `Must be a whole number from 1 to ${PAGE_MAX}`)
    .transform(Number)
    .refine((value) => value >= 1 && value <= PAGE_MAX, `Must be from 1 to ${PAGE_MAX}`)
    .default(PAGE),
});

export const measurementsRoute: Route = { path: '/api/v1/tee/measurements', docs: { GET: measurementsDocs } };

/** GET /tee/measurements: the signed log of enclave measurements. Public. */
export function teeMeasurements({ db, addressLimiter }: { db: Database; addressLimiter: AddressLimiter }): Endpoint {
  return {
    ...measurementsRoute,
    GET: async (call) => {
      addressLimiter.take(call.clientIp);
      const { model, after = 0, limit } = readQuery(call, query);
      const [rows, head] = await askStore(() =>
        Promise.all([listMeasurements(db, { model, after, limit: limit + 1 }), newestMeasurement(db)]),
      );
      const page = rows.slice(0, limit);
      return json({
        entries: page.map((row) => ({
          ...entryOf(row),
          lastSeen: Math.floor(row.last_seen / 1_000),
          skippedAfter: row.skipped,
          signature: row.entry,
        })),
        head: head ? { seq: head.seq, sha256: entryHash(head.entry) } : null,
        next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null,
      });
    },
  };
}
