import { isApiError } from '@/lib/protocol/errors';
import type { EnclaveProof, Receipt } from '@/lib/protocol/receipts/receipt';
import { signableTexts } from '@/lib/protocol/tee/response-signature';
import type { SignatureOfEnclave } from './fetch-signature';
import type { SeenReports } from './seen-reports';

/**
 * Returns the enclave's part of a receipt: the enclave's signature over the receipt's hashes, and the enclave's latest
 * report. Returns null if the enclave signs no answers or has signed other bytes, such as a translated request.
 */
export async function enclaveProof(
  { model = '', request, answer }: Receipt,
  seen: Pick<SeenReports, 'of'>,
  fetch: () => Promise<SignatureOfEnclave>,
): Promise<EnclaveProof | null> {
  const signed = await fetch().catch((error: unknown) => {
    if (isApiError(error)) return null;
    throw error;
  });
  const algorithm = signed?.signing_algo.toLowerCase();
  if (signed === null || (algorithm !== 'ecdsa' && algorithm !== 'ed25519')) return null;
  const { text, signature, signing_address: signingAddress } = signed;
  const exchange = { model, requestHash: request.sha256, responseHash: answer.sha256, address: signingAddress };
  if (!signableTexts(exchange).includes(text)) return null;
  const { answered, family, enclaves } = seen.of(model);
  return {
    signature: { text, signature, signingAddress, algorithm },
    // A report about a different enclave of the model says nothing about this answer.
    ...(answered?.signingAddress === signingAddress && {
      report: {
        sha256: answered.sha256,
        fetchedAt: Math.floor(answered.fetchedAt / 1_000),
        family,
        measurements: enclaves.flatMap(({ measurements }) => (measurements ? [{ ...measurements }] : [])),
      },
    }),
  };
}
