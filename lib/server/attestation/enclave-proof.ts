import { isApiError } from '@/lib/protocol/errors';
import type { EnclaveProof, Receipt } from '@/lib/protocol/receipts/receipt';
import { signableTexts } from '@/lib/protocol/tee/response-signature';
import type { SignatureOfEnclave } from './fetch-signature';
import type { KeptReport } from './kept-reports';

/** A receipt's report may be at most this much older than the receipt. */
const REPORT_AGE_MAX_MS = 3_600_000;

interface ProofParts {
  /** Fetches the signature; null if the answer has no completion id. */
  signature: (() => Promise<SignatureOfEnclave>) | null;
  reports: { of: (wanted: { address: string | null; since: number }) => Promise<KeptReport | null> };
  /** Makes a new report and adds it to `reports`. */
  attest: () => Promise<unknown>;
}

/**
 * Returns the enclave's part of a receipt: a signature over the receipt's hashes, and a report.
 *
 * @returns `isFinal` is false if a signature may become available later, or nothing was found
 */
export async function enclaveProof(
  receipt: Receipt,
  { signature: fetch, reports, attest }: ProofParts,
): Promise<{ proof: EnclaveProof | null; isFinal: boolean }> {
  const { signature, isFinal } = fetch === null ? { signature: null, isFinal: true } : await signed(receipt, fetch);
  const wanted = { address: signature?.signingAddress ?? null, since: receipt.issuedAt * 1_000 - REPORT_AGE_MAX_MS };
  const report =
    (await unlessRefused(() => reports.of(wanted))) ??
    (await unlessRefused(async () => {
      await attest();
      return reports.of(wanted);
    }));
  if (signature === null && report === null) return { proof: null, isFinal: false };
  const url = report && `${receipt.issuer}/api/v1/tee/reports/${report.facts.sha256}`;
  return {
    proof: {
      ...(signature && { signature }),
      ...(report && url !== null && { report: { ...report.facts, url, bindsAnswer: signature !== null } }),
    },
    isFinal: isFinal && (signature !== null || report !== null),
  };
}

async function signed(
  { model = '', request, answer }: Receipt,
  fetch: () => Promise<SignatureOfEnclave>,
): Promise<{ signature: EnclaveProof['signature'] | null; isFinal: boolean }> {
  let refusal: unknown = null;
  const found = await fetch().catch((error: unknown) => {
    if (!isApiError(error)) throw error;
    refusal = error.code;
    return null;
  });
  if (found === null) return { signature: null, isFinal: refusal === 'ANSWERS_NOT_SIGNED' };
  const { text, signature, signing_address: signingAddress } = found;
  const algorithm = found.signing_algo.toLowerCase();
  const exchange = { model, requestHash: request.sha256, responseHash: answer.sha256, address: signingAddress };
  // An enclave may have signed a translated request, whose hash differs from the receipt's hash.
  if ((algorithm !== 'ecdsa' && algorithm !== 'ed25519') || !signableTexts(exchange).includes(text))
    return { signature: null, isFinal: true };
  return { signature: { text, signature, signingAddress, algorithm }, isFinal: true };
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isApiError(error)) return null;
    throw error;
  }
}
