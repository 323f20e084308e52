import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import type { Operation } from '../http/operation';
import type { Auth } from '../auth/auth';
import { checkPresented, type ModelCatalogues, MODEL_EXAMPLE, modelEntries, modelEntrySchema } from './models';

const docs: Operation = {
  id: 'retrieveModel',
  tag: 'Models',
  summary: 'One model',
  description:
    'The entry of this model in the list, of any type. Public, but a credential that is sent must be valid. Slashes in an id may be percent-encoded: `/models/meta%2Fllama-3`.',
  credentials: [],
  parameters: [
    {
      name: 'model',
      in: 'path',
      required: true,
      description: 'The id of a model, percent-encoded',
      schema: modelEntrySchema.shape.id,
      example: 'guide',
    },
  ],
  responses: {
    200: { description: 'The model', schema: modelEntrySchema, examples: { text: MODEL_EXAMPLE } },
    400: { description: 'The path could not be decoded', schema: refusedRequestSchema, codes: ['INVALID_PATH'] },
    401: {
      description: 'The credential is not valid',
      schema: standardErrorSchema,
      codes: ['INVALID_API_KEY'],
    },
    404: { description: 'There is no such model', schema: standardErrorSchema, codes: ['MODEL_NOT_FOUND'] },
    503: {
      description: 'The gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['STORE_UNAVAILABLE'],
    },
  },
};

export const modelRoute: Route = { path: '/api/v1/models/{model}', docs: { GET: docs }, untidy: 'at-origin' };

/** GET /models/{model}: returns the list entry of one model. Public. */
export function model(catalogues: ModelCatalogues & { auth: Auth }): Endpoint {
  return {
    ...modelRoute,
    GET: async (call) => {
      await checkPresented(call, catalogues.auth);
      const id = call.params.model ?? '';
      const entry = (await modelEntries('all', catalogues)).find((each) => each.id === id);
      if (!entry)
        throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
      return json(entry);
    },
  };
}
