import { z } from 'zod';
import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import type { KeptReports } from '../../attestation/kept-reports';
import { askStore } from '../../db/ask-store';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { TOO_MANY_FROM_ADDRESS } from '../openapi/refusals';
import { report } from './attestation';

const SHA256 = /^[0-9a-f]{64}$/;

const reportDocs: Operation = {
  id: 'keptReport',
  tag: 'Attestation',
  summary: 'Fetch an attestation report that a receipt names',
  description:
    'Public. The bytes are canonical JSON (RFC 8785), and their SHA-256 is the name. The gateway keeps the last 8 reports of each model that receipts name, up to 2 MiB each and 64 MiB in all. Limited by client address.',
  credentials: [],
  parameters: [
    {
      name: 'sha256',
      in: 'path',
      required: true,
      description: '`enclave.report.sha256` of the receipt',
      schema: z.string(),
      example: '9f2c7d41b8e05a36c1d94f7e208b3a65d7c08e1f5b2946a3e8d07c5f1b94e263',
    },
  ],
  responses: {
    200: { description: 'The report', schema: report },
    404: {
      description: 'The gateway does not keep this report',
      schema: standardErrorSchema,
      codes: ['REPORT_NOT_FOUND'],
    },
    429: TOO_MANY_FROM_ADDRESS,
    503: {
      description: 'The gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['STORE_UNAVAILABLE'],
    },
  },
};

export const reportRoute: Route = { path: '/api/v1/tee/reports/{sha256}', docs: { GET: reportDocs } };

/** GET /tee/reports/{sha256}: an attestation report that a receipt refers to. Public. */
export function teeReport({
  kept,
  addressLimiter,
}: {
  kept: Pick<KeptReports, 'read'>;
  addressLimiter: AddressLimiter;
}): Endpoint {
  return {
    ...reportRoute,
    GET: async (call) => {
      addressLimiter.take(call.clientIp);
      const sha256 = call.params['sha256'] ?? '';
      const text = SHA256.test(sha256) ? await askStore(() => kept.read(sha256)) : undefined;
      if (text === undefined) throw apiError('REPORT_NOT_FOUND');
      return { status: 200, headers: { 'content-type': 'application/json' }, body: text };
    },
  };
}
