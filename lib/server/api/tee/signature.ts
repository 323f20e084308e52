import { z } from 'zod';
import { apiError } from '@/lib/protocol/errors';
import { identifyReader } from '../../auth/identify-reader';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readQuery } from '../../http/read-query';
import { fetchSignature } from '../../attestation/fetch-signature';
import { signatureDocs } from './docs';

const query = z.object({ model: z.string().min(1).max(256), request_id: z.string().regex(/^[\w.:-]{1,256}$/, 'Must be the id of a completion') });

/** GET /tee/signature: the enclave's signature over a completion, by the completion's id. */
export const teeSignature: Endpoint = {
  path: '/api/v1/tee/signature',
  docs: { GET: signatureDocs },
  GET: async (call, gateway) => {
    await identifyReader(call, gateway);
    const { model: id, request_id: completion } = readQuery(call, query);
    const model = await gateway.inference.models.find(id);
    if (!model) throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
    if (!model.capabilities.supportsTeeAttestation) throw apiError('MODEL_NOT_ATTESTED');
    return json(await fetchSignature(model, completion, gateway));
  },
};
