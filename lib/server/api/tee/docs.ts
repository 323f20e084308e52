import { z } from 'zod';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';

export const ERRORS = {
  400: { description: 'The query is not valid (Nonce must be exactly 32 bytes), or the model runs in no enclave', schema: z.union([detailedErrorSchema, standardErrorSchema]) },
  401: { description: 'The credential is missing or does not hold', schema: standardErrorSchema },
  429: TOO_MANY_OF_CALLER,
  502: { description: 'The enclave does not answer, or not as it should', schema: standardErrorSchema },
  503: { description: 'The gateway cannot reach its database, or the chain of a contract that signed in', schema: standardErrorSchema },
};

export const model = { name: 'model', in: 'query', required: true, description: 'A model with supportsTeeAttestation', schema: z.string() } as const;
