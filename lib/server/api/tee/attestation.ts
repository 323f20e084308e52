import { z } from 'zod';
import { parseAttestationNonce } from '@/lib/protocol/e2ee/nonce';
import { apiError } from '@/lib/protocol/errors';
import { identifyReader } from '../../auth/identify-reader';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readQuery } from '../../http/read-query';
import { attest } from '../../attestation/attest';
import { attestationDocs } from './docs';

const query = z.object({ model: z.string().min(1).max(256), nonce: z.string().max(1_000) });

/** GET /tee/attestation: what a model's enclave says of itself, and what verifying it comes to. */
export const teeAttestation: Endpoint = {
  path: '/api/v1/tee/attestation',
  docs: { GET: attestationDocs },
  GET: async (call, gateway) => {
    await identifyReader(call, gateway);
    const { model: id, nonce } = readQuery(call, query);
    checkNonce(nonce);
    const model = await gateway.inference.models.find(id);
    if (!model) throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
    if (!model.capabilities.supportsTeeAttestation) throw apiError('MODEL_NOT_ATTESTED');
    // The report has the nonce as it was sent: clients compare it letter by letter.
    return json({ ...(await attest(model, nonce.toLowerCase(), gateway)), nonce });
  },
};

function checkNonce(nonce: string): void {
  try {
    parseAttestationNonce(nonce);
  } catch {
    const message = 'Nonce must be exactly 32 bytes: 64 hexadecimal characters.';
    throw apiError('INVALID_NONCE', { message, details: { _errors: [], nonce: { _errors: [message] } } });
  }
}
