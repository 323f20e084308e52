import { z } from 'zod';
import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { fetchSignature, signatureSchema } from '../../attestation/fetch-signature';
import type { SeenReports } from '../../attestation/seen-reports';
import { AskedFamilies } from '../../attestation/unsigned-answers';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readQuery } from '../../http/json-body';
import type { AttestationAccess } from './attestation-access';
import { ERRORS, model } from './attestation';
import type { Auth } from '../../auth/auth';
import type { ModelCatalogue } from '../../chat/model-catalogue';
import type { Logger } from 'pino';

const SIGNATURE_EXAMPLE = {
  text: '3b64db95cb55c763391c707108489ae18b4112d783300de38e033b4c98c3deaf:97b4ff2bcc0bcb5bb1f1bdb1d50a4b2c0fcb7f8a1fd5d8d0b5dd0c3a2b1e0f9d',
  signature: `0x${'4b'.repeat(64)}1c`,
  signing_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  signing_algo: 'ecdsa',
};

const signatureDocs: Operation = {
  id: 'signature',
  tag: 'Attestation',
  summary: "Fetch the enclave's signature over a completion",
  description:
    'EIP-191 over "sha256(request body):sha256(response body)", or with the model in front. The hashes cover the bytes as sent, including the whole event stream. Free of charge.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    model,
    {
      name: 'request_id',
      in: 'query',
      required: true,
      description: 'The id of the completion',
      schema: z.string(),
      example: 'chatcmpl-5f0c2a71',
    },
  ],
  responses: {
    200: { description: 'The signature', schema: signatureSchema, examples: { signature: SIGNATURE_EXAMPLE } },
    404: {
      description: 'There is no such model, no signature for this completion, or the model does not sign answers',
      schema: standardErrorSchema,
      codes: ['MODEL_NOT_FOUND', 'SIGNATURE_NOT_FOUND', 'ANSWERS_NOT_SIGNED'],
    },
    ...ERRORS,
  },
};

const query = z.object({
  model: z.string().min(1).max(256),
  request_id: z.string().regex(/^[\w.:-]{1,256}$/, 'Must be the id of a completion'),
});

export const signatureRoute: Route = { path: '/api/v1/tee/signature', docs: { GET: signatureDocs } };

/** GET /tee/signature: the enclave's signature over a completion. */
export function teeSignature({
  auth,
  models,
  access,
  seen,
  log,
}: {
  auth: Auth;
  models: Pick<ModelCatalogue, 'find'>;
  access: AttestationAccess;
  seen: Pick<SeenReports, 'of'>;
  log: Logger;
}): Endpoint {
  const families = new AskedFamilies(seen);
  return {
    ...signatureRoute,
    GET: async (call) => {
      const caller = await auth.identifyReader(call);
      const { model: id, request_id: completion } = readQuery(call, query);
      const model = await models.find(id);
      if (!model)
        throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
      if (!model.capabilities.supportsTeeAttestation) throw apiError('MODEL_NOT_ATTESTED');
      return json(
        await access.signature({ call, caller, model: id, what: completion }, () =>
          fetchSignature(model, completion, { families, log }),
        ),
      );
    },
  };
}
