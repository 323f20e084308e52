import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { signedReceiptSchema } from '@/lib/protocol/receipts/receipt';
import { attest, type AttestationParts } from '../attestation/attest';
import { enclaveProof } from '../attestation/enclave-proof';
import { fetchSignature } from '../attestation/fetch-signature';
import type { KeptReports } from '../attestation/kept-reports';
import { AskedFamilies } from '../attestation/unsigned-answers';
import type { Auth } from '../auth/auth';
import type { IdentifiedCaller } from '../auth/caller';
import { receiptOf } from '../billing/receipts/receipt-notes';
import type { ReceiptKeys } from '../billing/receipts/receipt-keys';
import type { ModelCatalogue } from '../chat/model-catalogue';
import { askStore } from '../db/ask-store';
import { addEnclaveProof, findReceipt, type ReceiptRow } from '../db/receipts';
import type { Database } from '../db/schema';
import { type Call, json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import type { Operation } from '../http/operation';
import type { Logger } from 'pino';
import { REFUSALS } from './billing/docs';
import type { AttestationAccess } from './tee/attestation-access';

const receiptDocs: Operation = {
  id: 'receipt',
  tag: 'Billing',
  summary: 'Fetch the signed receipt of a paid call',
  description:
    'For calls that were sent with X-Receipt: true, from the end of their answer. A JWS in compact form, signed with a key of /.well-known/jwks.json (EdDSA): hashes of request and answer, price, charge, payment, and for attested models the signature of the enclave, if it signs, and the digest, address and measurements of a report of the enclave. docs/receipts.md describes the payload. Free of charge.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'request_id',
      in: 'path',
      required: true,
      description: 'The X-Request-ID of the answer',
      schema: z.string(),
      example: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
    },
  ],
  responses: {
    200: {
      description: 'The receipt',
      schema: signedReceiptSchema,
      examples: { receipt: { format: 'jws', signature: 'eyJhbGciOiJFZERTQSJ9.eyJ2ZXJzaW9uIjoxfQ.c2lnbmF0dXJl' } },
    },
    404: {
      description: 'The caller has no receipt with this id',
      schema: standardErrorSchema,
      codes: ['RECEIPT_NOT_FOUND'],
    },
    ...REFUSALS,
  },
};

export const receiptRoute: Route = { path: '/api/v1/receipts/{request_id}', docs: { GET: receiptDocs } };

interface ReceiptParts {
  auth: Auth;
  db: Database;
  keys: ReceiptKeys;
  models: Pick<ModelCatalogue, 'find'>;
  access: AttestationAccess;
  attestation: AttestationParts;
  kept: Pick<KeptReports, 'of'>;
  log: Logger;
}

/** GET /receipts/{request_id}: the signed receipt of one of the caller's calls. */
export function receipt({ auth, db, keys, models, access, attestation, kept, log }: ReceiptParts): Endpoint {
  const families = new AskedFamilies(attestation.seen);
  /**
   * Adds the enclave's proof to a receipt without proof. Stores the proof once it is final, because enclaves delete
   * signatures later.
   */
  const withProof = async (call: Call, caller: IdentifiedCaller, row: ReceiptRow): Promise<ReceiptRow> => {
    if (row.enclave !== null) return row;
    const payload = await receiptOf(db, row);
    const model = payload.model === undefined ? undefined : await models.find(payload.model);
    if (!model?.capabilities.supportsTeeAttestation) return row;
    const { id } = model;
    const { completion_id: completion } = row;
    const nonce = randomBytes(32).toString('hex');
    const { proof, isFinal } = await enclaveProof(payload, {
      signature:
        completion === null
          ? null
          : () =>
              access.signature({ call, caller, model: id, what: completion }, () =>
                fetchSignature(model, completion, { families, log }),
              ),
      reports: { of: (wanted) => askStore(() => kept.of(id, wanted)) },
      attest: () => access.report({ call, caller, model: id, what: nonce }, () => attest(model, nonce, attestation)),
    });
    if (proof === null) return row;
    const enclave = JSON.stringify(proof);
    if (!isFinal) return { ...row, enclave };
    await addEnclaveProof(db, row.id, enclave);
    return (await findReceipt(db, row.account_id, row.request_id)) ?? row;
  };
  return {
    ...receiptRoute,
    GET: async (call) => {
      const caller = await auth.identifyReader(call);
      const id = call.params['request_id'] ?? '';
      const row = await askStore(() => findReceipt(db, caller.accountId, id));
      if (row === undefined) throw apiError('RECEIPT_NOT_FOUND');
      const payload = await receiptOf(db, await withProof(call, caller, row));
      return json({ format: 'jws', signature: keys.sign(payload) });
    },
  };
}
