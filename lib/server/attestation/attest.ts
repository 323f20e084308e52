import type { Logger } from 'pino';
import { apiError } from '@/lib/protocol/errors';
import { type AttestationReport, readAttestationReport } from '@/lib/protocol/tee/attestation-report';
import { readNvidiaPayload } from '@/lib/protocol/tee/gpu/nvidia-payload';
import { quoteFromText } from '@/lib/protocol/tee/quote/quote';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import { type ServedVerdict, verifyServedReport } from '@/lib/protocol/attestation/served-report';
import { askForReport } from './asked-report';
import { type AttestedModel, keyAlgorithmOf } from './attested-model';
import type { Endorsements } from './endorsements';
import type { KeptReports } from './kept-reports';
import { answersOf, reportedBy, servedWith } from './provider-report';
import type { MeasurementLog } from './measurement-log';
import type { SeenReports } from './seen-reports';
import { type UnpackedReport, unpackReport } from './unpack-report';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import { messageOf } from '../upstreams/models/upstream-error';

const UNKNOWN_WORKLOAD = 'The hardware is genuine, but its workload is not one that the operator has pinned.';

type Json = Readonly<Record<string, unknown>>;

export interface AttestationParts {
  endorsements: Endorsements;
  policy: AttestationPolicy;
  /** Enclaves from earlier reports, for the model list. */
  seen: SeenReports;
  measured: Pick<MeasurementLog, 'note'>;
  /** Reports that receipts may refer to. */
  kept: Pick<KeptReports, 'note'>;
  now: () => number;
  log: Logger;
}

/**
 * Requests an attestation of a model's enclave for a nonce, and verifies the report.
 *
 * The folder `attestation` limits and orders these requests (`attestation-turns.ts`), caches hardware endorsements,
 * fetches answers' signatures, and stores facts for the model list. The verification code is in `lib/protocol`. Clients
 * must verify reports themselves and not trust `verified`.
 * @returns report (specification, "Attestation report") with all evidence. `verified` is true for genuine hardware that
 * runs a pinned workload, and for a simulator whose root certificate is configured
 * @throws ApiError ATTESTATION_UNAVAILABLE
 */
export async function attest(
  model: AttestedModel,
  nonce: string,
  { endorsements, policy, seen, measured, kept, now, log }: AttestationParts,
): Promise<Json> {
  const { answer, further } = await askForReport(model, nonce).catch((error: unknown) => {
    log.warn({ err: error, upstream: model.upstream.name }, 'enclave returned no attestation');
    throw apiError('ATTESTATION_UNAVAILABLE');
  });
  if (answer.status !== 200) throw refused(answer, model);
  const unpacked = unpackReport(answer.body, model.id);
  if (unpacked === null)
    throw apiError('ATTESTATION_UNAVAILABLE', {
      message: 'The gateway could not parse the attestation of the enclave.',
    });
  const read = readable(unpacked.report);
  const answers = [...answersOf(answer.body, unpacked), ...further];
  const reported = reportedBy(answers);
  seen.note(model.id, reported);
  const [endorsed, served] = await Promise.all([
    endorsementsOf(unpacked.report, read, nonce, endorsements),
    servedWith(answers, reported.family, nonce, endorsements),
  ]);
  const expected = { nonce, model: model.id, needsPublicKey: model.encryption !== null };
  const verdict = await verifyServedReport({
    report: { ...unpacked.report, ...endorsed, ...served },
    expected,
    policy,
    nowMs: now(),
  });
  void measured.note(model.id, verdict);
  const answered = {
    ...described(unpacked, read),
    ...endorsed,
    ...served,
    ...reported,
    hops: hopsOf({
      client: 'unknown',
      gateway: null,
      provider: model.upstream.name,
      isAttested: true,
      encryption: keyAlgorithmOf(model),
      ...reported,
    }),
    verified: verdict.conclusion === 'verified' || verdict.conclusion === 'simulated',
    reason: reasonOf(verdict, endorsed.collateral_fault),
    verdict: verdict.conclusion,
    simulated: verdict.conclusion === 'simulated',
    nonce,
    model: model.id,
    workload: verdict.workload,
    checks: verdict.checks,
  };
  kept.note(model.id, answered, { at: now(), reported, verdict: verdict.conclusion });
  return answered;
}

async function endorsementsOf(
  { collateral, nvidia_verdict: nvidiaVerdict, nvidia_keys: nvidiaKeys }: Json,
  { quote, nvidiaPayload }: Readable,
  nonce: string,
  endorsements: Endorsements,
) {
  const asksForCollateral = collateral == null && quote !== null;
  const asksNvidia = nvidiaVerdict == null && nvidiaPayload !== null && isOfNonce(nvidiaPayload, nonce);
  const [fetched, said] = await Promise.all([
    asksForCollateral ? endorsements.collateralFor(quote) : null,
    asksNvidia ? endorsements.nvidiaVerdictOn(nvidiaPayload) : null,
  ]);
  return {
    collateral: collateral ?? fetched?.value ?? null,
    collateral_fault: fetched?.fault ?? null,
    nvidia_verdict: nvidiaVerdict ?? said?.value?.verdict ?? null,
    nvidia_keys: nvidiaKeys ?? said?.value?.keys ?? null,
    nvidia_fault: said?.fault ?? null,
  };
}

/**
 * Evidence with a different nonce fails verification, so the gateway does not send such evidence to NVIDIA's service.
 */
function isOfNonce(payload: string, nonce: string): boolean {
  try {
    return readNvidiaPayload(payload).nonce === nonce;
  } catch {
    return false;
  }
}

function reasonOf({ conclusion, reason }: ServedVerdict, collateralFault: string | null): string | null {
  if (conclusion === 'unknown-workload') return reason === null ? UNKNOWN_WORKLOAD : `${UNKNOWN_WORKLOAD} ${reason}`;
  return conclusion === 'not-checkable' && collateralFault !== null
    ? `${reason} The gateway could not fetch it: ${collateralFault}`
    : reason;
}

function refused(answer: UpstreamAnswer, { upstream }: AttestedModel): Error {
  const said = messageOf(answer.body);
  return apiError(
    'ATTESTATION_UNAVAILABLE',
    said === null ? {} : { message: `The enclave returned no attestation: ${upstream.redact(said).slice(0, 300)}` },
  );
}

/** Returns the evidence that a client needs for its own verification, in the specification's fields. */
function described(
  { report, gateway, others }: UnpackedReport,
  { quote, quoteText, nvidiaPayload, signingKey, signingAddress }: Readable,
): Json {
  const { tee_provider: provider, signing_algo: algorithm, event_log: eventLog, info } = report;
  return {
    tee_provider: typeof provider === 'string' ? provider : 'tdx',
    intel_quote: quote === null ? quoteText : Buffer.from(quote).toString('base64'),
    nvidia_payload: nvidiaPayload,
    signing_key: signingKey,
    signing_public_key: signingKey,
    signing_address: signingAddress,
    signing_algo: typeof algorithm === 'string' ? algorithm : 'ecdsa',
    event_log: eventLog ?? null,
    info: info ?? null,
    gateway_attestation: gateway,
    other_attestations: others,
  };
}

type Readable = Pick<AttestationReport, 'signingKey' | 'signingAddress' | 'nvidiaPayload'> & {
  /** Bytes of the quote; null if missing or unreadable. */
  quote: Uint8Array | null;
  quoteText: string | null;
};

function readable(report: Json): Readable {
  try {
    const { quote: quoteText, signingKey, signingAddress, nvidiaPayload } = readAttestationReport(report);
    return {
      quote: quoteText === null ? null : quoteBytes(quoteText),
      quoteText,
      signingKey,
      signingAddress,
      nvidiaPayload,
    };
  } catch {
    return { quote: null, quoteText: null, signingKey: null, signingAddress: null, nvidiaPayload: null };
  }
}

function quoteBytes(text: string): Uint8Array | null {
  try {
    return quoteFromText(text);
  } catch {
    return null;
  }
}
