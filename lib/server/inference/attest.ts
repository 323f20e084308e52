import { apiError } from '@/lib/protocol/errors';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { readAttestationReport } from '@/lib/protocol/tee/attestation-report';
import { quoteFromText } from '@/lib/protocol/tee/quote/quote-text';
import type { Gateway } from '../gateway';
import type { ChatModel } from './chat-model';
import type { UpstreamAnswer } from './upstream';
import { messageOf } from './upstream-error';

const REPORT_BYTES_MAX = 8 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const UNKNOWN_WORKLOAD = 'The hardware is genuine; what runs there is no workload that the operator has pinned.';

type Json = Readonly<Record<string, unknown>>;

/**
 * Asks a model's enclave for an attestation over a nonce, and verifies it as anybody can who has the report.
 * @returns the report (specification, "Attestation report"), with everything in it that verifying takes. `verified`:
 *   the hardware is genuine and its workload pinned, or it is a simulator's whose root is configured.
 * @throws ApiError ATTESTATION_UNAVAILABLE
 */
export async function attest(model: ChatModel, nonce: string, { config, now, log }: Gateway): Promise<Json> {
  const query = new URLSearchParams({ model: model.id, nonce, signing_algo: 'ecdsa' });
  const answer = await model.upstream.ask({ method: 'GET', path: `/attestation/report?${query}`, timeoutMs: TIMEOUT_MS }, REPORT_BYTES_MAX).catch((error: unknown) => {
    log.warn({ err: error, upstream: model.upstream.name }, 'an enclave gave no attestation');
    throw apiError('ATTESTATION_UNAVAILABLE');
  });
  if (answer.status !== 200) throw refused(answer, model);
  const report = reportOf(answer.body);
  const expected = { nonce, model: model.id, needsPublicKey: model.capabilities.supportsE2EE };
  const { conclusion, reason, checks, workload } = verifyAttestation({ report, expected, policy: config.inference.attestation, nowMs: now() });
  return {
    ...described(report),
    verified: conclusion === 'verified' || conclusion === 'simulated',
    reason: conclusion === 'unknown-workload' ? UNKNOWN_WORKLOAD : reason,
    verdict: conclusion,
    simulated: conclusion === 'simulated',
    nonce,
    model: model.id,
    workload,
    checks,
  };
}

function refused(answer: UpstreamAnswer, { upstream }: ChatModel): Error {
  const said = messageOf(answer.body);
  return apiError('ATTESTATION_UNAVAILABLE', said === null ? {} : { message: `The enclave gave no attestation: ${upstream.redact(said).slice(0, 300)}` });
}

/** The report of one enclave; of a service that answers with those of several, the first model's. */
function reportOf(body: Buffer): Json {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw apiError('ATTESTATION_UNAVAILABLE', { message: 'The attestation of the enclave cannot be read.' });
  }
  const several = (json as { model_attestations?: unknown } | null)?.model_attestations;
  const report: unknown = Array.isArray(several) ? several[0] : json;
  if (typeof report !== 'object' || report === null || Array.isArray(report)) throw apiError('ATTESTATION_UNAVAILABLE', { message: 'The attestation of the enclave cannot be read.' });
  return report as Json;
}

/** What a client needs to verify it all again, by the names of the specification. */
function described(report: Json): Json {
  const { quote, signingKey, signingAddress, nvidiaPayload } = readable(report);
  const { tee_provider: provider, signing_algo: algorithm, event_log: eventLog, info, collateral, nvidia_verdict: nvidiaVerdict } = report;
  return {
    tee_provider: typeof provider === 'string' ? provider : 'tdx',
    intel_quote: quote,
    nvidia_payload: nvidiaPayload,
    signing_key: signingKey,
    signing_public_key: signingKey,
    signing_address: signingAddress,
    signing_algo: typeof algorithm === 'string' ? algorithm : 'ecdsa',
    event_log: eventLog ?? null,
    info: info ?? null,
    collateral: collateral ?? null,
    nvidia_verdict: nvidiaVerdict ?? null,
  };
}

function readable(report: Json) {
  try {
    const { quote, ...rest } = readAttestationReport(report);
    return { ...rest, quote: quote === null ? null : base64Of(quote) };
  } catch {
    return { quote: null, signingKey: null, signingAddress: null, nvidiaPayload: null };
  }
}

/** As Base64, whichever way it came; what is neither hex nor Base64 as it came. */
function base64Of(quote: string): string {
  try {
    return Buffer.from(quoteFromText(quote)).toString('base64');
  } catch {
    return quote;
  }
}
