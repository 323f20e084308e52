import { z } from 'zod';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';

export const ERRORS = {
  400: {
    description: 'The query is not valid (Nonce must be exactly 32 bytes), or the model does not run in an enclave',
    schema: refusedRequestSchema,
    codes: ['INVALID_NONCE', 'MODEL_NOT_ATTESTED'],
  },
  401: {
    description: 'The credential is missing or not valid',
    schema: standardErrorSchema,
    codes: ['UNAUTHORIZED', 'INVALID_API_KEY'],
  },
  429: {
    ...TOO_MANY_OF_CALLER,
    description:
      'Too many requests of this caller or address in a minute, or too many attestations of this model are running (ATTESTATION_BUSY)',
    codes: ['MINUTE_CAP', 'ATTESTATION_BUSY'],
  },
  502: {
    description: 'The enclave does not answer, or its answer is not valid',
    schema: standardErrorSchema,
    codes: ['ATTESTATION_UNAVAILABLE'],
  },
  503: {
    description: 'The gateway cannot reach its database, or the chain of a contract wallet',
    schema: standardErrorSchema,
    codes: ['STORE_UNAVAILABLE'],
  },
} as const;

export const model = {
  name: 'model',
  in: 'query',
  required: true,
  description: 'A model with supportsTeeAttestation',
  schema: z.string(),
  example: 'tee-guide',
} as const;
