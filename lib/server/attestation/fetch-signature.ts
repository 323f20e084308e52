import type { Logger } from 'pino';
import { z } from 'zod';
import { apiError } from '@/lib/protocol/errors';
import { type AttestedModel, signingAlgorithmOf } from './attested-model';
import { type AskedFamilies, unsignedFault } from './unsigned-answers';

const SIGNATURE_BYTES_MAX = 64 * 1024;
const TIMEOUT_MS = 15_000;

/** Signature over a completion, in the format that NEAR AI and Phala share. */
export const signatureSchema = z
  .object({
    text: z.string().max(2_000),
    signature: z.string().max(1_000),
    signing_address: z.string().max(200),
    signing_algo: z.string().max(40).default('ecdsa'),
  })
  .meta({ id: 'EnclaveSignature' });

export type SignatureOfEnclave = z.output<typeof signatureSchema>;

/**
 * Fetches the enclave's signature over a completion. Does not verify it, because only the client has the bytes of the
 * request and the answer.
 * @throws ApiError SIGNATURE_NOT_FOUND, ANSWERS_NOT_SIGNED, ATTESTATION_UNAVAILABLE
 */
export async function fetchSignature(
  model: AttestedModel,
  completion: string,
  { families, log }: { families: AskedFamilies; log: Logger },
): Promise<SignatureOfEnclave> {
  const { id, upstream } = model;
  const query = new URLSearchParams({ model: id, signing_algo: signingAlgorithmOf(upstream) });
  const unavailable = (): Error =>
    apiError('ATTESTATION_UNAVAILABLE', { message: 'The enclave returned no signature.' });
  const answer = await upstream
    .ask(
      { method: 'GET', path: `/signature/${encodeURIComponent(completion)}?${query}`, timeoutMs: TIMEOUT_MS },
      SIGNATURE_BYTES_MAX,
    )
    .catch((error: unknown) => {
      log.warn({ err: error, upstream: upstream.name }, 'enclave returned no signature');
      throw unavailable();
    });
  if (answer.status === 404) throw (await unsignedFault(model, families)) ?? apiError('SIGNATURE_NOT_FOUND');
  if (answer.status !== 200) throw unavailable();
  let json: unknown;
  try {
    json = JSON.parse(answer.body.toString('utf8'));
  } catch {
    throw unavailable();
  }
  const verdict = signatureSchema.safeParse(json);
  if (!verdict.success) throw unavailable();
  return verdict.data;
}
