import { z } from 'zod';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';
import { signatureSchema } from '../../attestation/fetch-signature';

const report = z.looseObject({
  verified: z.boolean(),
  reason: z.string().nullable(),
  verdict: z.enum(['verified', 'unknown-workload', 'simulated', 'failed', 'not-checkable']),
  simulated: z.boolean(),
  nonce: z.string(),
  model: z.string(),
  tee_provider: z.string(),
  intel_quote: z.string().nullable(),
  nvidia_payload: z.string().nullable(),
  nvidia_verdict: z.unknown().describe('What NVIDIA’s attestation service said of the GPU evidence, signed: [["JWT", overall], {"GPU-0": token}]'),
  nvidia_keys: z.looseObject({ keys: z.array(z.unknown()) }).nullable().describe('The keys of that service with their certificates, a JSON Web Key Set'),
  nvidia_fault: z.string().nullable().describe('Why there is no verdict'),
  collateral: z.unknown().describe('Revocation lists, TCB info and QE identity with their issuer chains'),
  collateral_fault: z.string().nullable().describe('Why there is none'),
  gateway_attestation: z.unknown().describe('Of a proxy in front of the enclaves'),
  other_attestations: z.array(z.unknown()).describe('Of other enclaves, as they came'),
  signing_key: z.string().nullable(),
  signing_address: z.string().nullable(),
});

const ERRORS = {
  400: { description: 'The query is not valid (Nonce must be exactly 32 bytes), or the model runs in no enclave', schema: z.union([detailedErrorSchema, standardErrorSchema]) },
  401: { description: 'The credential is missing or does not hold', schema: standardErrorSchema },
  429: TOO_MANY_OF_CALLER,
  502: { description: 'The enclave does not answer, or not as it should', schema: standardErrorSchema },
  503: { description: 'The gateway cannot reach its database, or the chain of a contract that signed in', schema: standardErrorSchema },
};

const model = { name: 'model', in: 'query', required: true, description: 'A model with supportsTeeAttestation', schema: z.string() } as const;

/** GET /tee/attestation in the API description. */
export const attestationDocs: Operation = {
  id: 'attestation',
  summary: "Attest a model's enclave",
  description:
    'The report of the enclave over your nonce, with everything that verifying it takes, and what verifying it here came to. Believe only what you verify yourself. ' +
    'Free of charge. "verified" is true for genuine hardware with a workload that the operator has pinned, and, with "simulated": true, for a simulator whose root is configured.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [model, { name: 'nonce', in: 'query', required: true, description: '32 random bytes in hexadecimal', schema: z.string().regex(/^[0-9a-fA-F]{64}$/) }],
  responses: { 200: { description: 'The report', schema: report }, 404: { description: 'There is no such model', schema: standardErrorSchema }, ...ERRORS },
};

/** GET /tee/signature in the API description. */
export const signatureDocs: Operation = {
  id: 'signature',
  summary: "Fetch the enclave's signature over a completion",
  description: 'EIP-191 over "sha256(request body):sha256(response body)", or with the model in front. The hashes are over the bytes as they were sent, the whole event stream included. Free of charge.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [model, { name: 'request_id', in: 'query', required: true, description: 'The id of the completion', schema: z.string() }],
  responses: { 200: { description: 'The signature', schema: signatureSchema }, 404: { description: 'There is no such model, or no signature', schema: standardErrorSchema }, ...ERRORS },
};
