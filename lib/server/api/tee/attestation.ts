import { parseAttestationNonce } from '@/lib/protocol/e2ee/nonce';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { z } from 'zod';
import { attest, type AttestationParts } from '../../attestation/attest';
import type { Auth } from '../../auth/auth';
import type { ModelCatalogue } from '../../chat/model-catalogue';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { readQuery } from '../../http/json-body';
import type { Operation } from '../../http/operation';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';
import type { AttestationAccess } from './attestation-access';
import { enclaveSchema, familySchema, hopSchema } from './hops';

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

export const report = z
  .looseObject({
    verified: z.boolean(),
    reason: z.string().nullable(),
    verdict: z.enum(['verified', 'unknown-workload', 'simulated', 'failed', 'not-checkable']),
    simulated: z.boolean(),
    nonce: z.string(),
    model: z.string(),
    tee_provider: z.string(),
    intel_quote: z.string().nullable(),
    nvidia_payload: z.string().nullable(),
    nvidia_verdict: z
      .unknown()
      .describe(
        'Signed verdict of NVIDIA’s attestation service on the GPU evidence: [["JWT", overall], {"GPU-0": token}]',
      ),
    nvidia_keys: z
      .looseObject({ keys: z.array(z.unknown()) })
      .nullable()
      .describe('JSON Web Key Set of that service, with certificates'),
    nvidia_fault: z.string().nullable().describe('Why there is no verdict'),
    collateral: z.unknown().describe('Revocation lists, TCB info and QE identity with their issuer chains'),
    collateral_fault: z.string().nullable().describe('Why there is no collateral'),
    gateway_attestation: z.unknown().describe('Attestation of a proxy in front of the enclaves'),
    other_attestations: z.array(z.unknown()).describe('Attestations of other enclaves, unchanged'),
    family: familySchema,
    enclaves: z.array(enclaveSchema).describe('The enclaves in the report, in its order, without a verdict'),
    hops: z
      .array(hopSchema)
      .describe('The path of a prompt, hop by hop: who runs each hop, what they could read, and what proves it'),
    provider_answers: z
      .array(z.string())
      .nullable()
      .describe('The answers of the provider, byte for byte. Verify these if the family is not near-ecdsa'),
    provider_endorsements: z
      .looseObject({
        tdx_collateral: z.array(z.unknown()),
        nvidia_verdicts: z.array(z.unknown()),
        nvidia_keys: z.array(z.unknown()),
        nvidia_fault: z.string().nullable(),
      })
      .nullable()
      .describe('Collateral and verdicts for those answers'),
    signing_key: z.string().nullable(),
    signing_address: z.string().nullable(),
  })
  .meta({ id: 'AttestationReport' });

const attestationDocs: Operation = {
  id: 'attestation',
  tag: 'Attestation',
  summary: "Attest a model's enclave",
  description:
    'The report of the enclave over your nonce, with everything needed to verify it, and the verdict of the gateway. Trust only what you verify yourself. ' +
    'Free of charge. "verified" is true for genuine hardware that runs a workload pinned by the operator. With "simulated": true it means a simulator whose root is configured.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    model,
    {
      name: 'nonce',
      in: 'query',
      required: true,
      description: '32 random bytes in hexadecimal',
      schema: z.string().regex(/^[0-9a-fA-F]{64}$/),
      example: '9f2c7d41b8e05a36c1d94f7e208b3a65d7c08e1f5b2946a3e8d07c5f1b94e263',
    },
  ],
  responses: {
    200: { description: 'The report', schema: report },
    404: { description: 'There is no such model', schema: standardErrorSchema, codes: ['MODEL_NOT_FOUND'] },
    ...ERRORS,
  },
};

const query = z.object({ model: z.string().min(1).max(256), nonce: z.string().max(1_000) });

export const attestationRoute: Route = { path: '/api/v1/tee/attestation', docs: { GET: attestationDocs } };

/** GET /tee/attestation: the report of a model's enclave, and the gateway's verdict on it. */
export function teeAttestation({
  auth,
  models,
  access,
  attestation,
}: {
  auth: Auth;
  models: Pick<ModelCatalogue, 'find'>;
  access: AttestationAccess;
  attestation: AttestationParts;
}): Endpoint {
  return {
    ...attestationRoute,
    GET: async (call) => {
      const caller = await auth.identifyReader(call);
      const { model: id, nonce } = readQuery(call, query);
      checkNonce(nonce);
      const model = await models.find(id);
      if (!model)
        throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
      call.record.ofModel(model);
      if (!model.capabilities.supportsTeeAttestation) throw apiError('MODEL_NOT_ATTESTED');
      // Nonces that differ only in letter case share one attestation. The report repeats the nonce as the caller
      // wrote it, because callers compare the two exactly.
      const what = nonce.toLowerCase();
      return json({
        ...(await access.report({ call, caller, model: id, what }, () => attest(model, what, attestation))),
        nonce,
      });
    },
  };
}

function checkNonce(nonce: string): void {
  try {
    parseAttestationNonce(nonce);
  } catch {
    const message = 'Nonce must be exactly 32 bytes: 64 hexadecimal characters.';
    throw apiError('INVALID_NONCE', { message, details: { _errors: [], nonce: { _errors: [message] } } });
  }
}
