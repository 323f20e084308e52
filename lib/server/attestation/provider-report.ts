import { bytesToHex } from '@noble/hashes/utils.js';
import type { ClaimedEnclave } from '@/lib/protocol/attestation/enclave';
import { familyOf } from '@/lib/protocol/attestation/families';
import { ENCLAVES_MAX, type FamilyAnswer } from '@/lib/protocol/attestation/family';
import { broughtCollateral, providerAnswer, type ServedAnswers } from '@/lib/protocol/attestation/provider-answers';
import { type ReportedEnclaves, reportedEnclaves } from '@/lib/protocol/attestation/reported-enclaves';
import { parseQuote } from '@/lib/protocol/tee/quote/quote';
import type { Endorsements } from './endorsements';
import type { UnpackedReport } from './unpack-report';

const NEAR_ECDSA = 'near-ecdsa';
const NONE: ServedAnswers = { provider_answers: null, provider_endorsements: null };

/**
 * Converts a provider's answer to the input of the parsers in `lib/protocol/attestation/families`. If the provider's
 * proxy has an attestation without a quote, uses only the model's own report.
 */
export function answersOf(body: Buffer, { report, gateway }: UnpackedReport): readonly FamilyAnswer[] {
  const isHollow = gateway !== null && typeof gateway['intel_quote'] !== 'string';
  const answer = isHollow ? { json: report, text: JSON.stringify(report) } : providerAnswer(body.toString('utf8'));
  return answer === null ? [] : [answer];
}

export function reportedBy(answers: readonly FamilyAnswer[]): ReportedEnclaves {
  return reportedEnclaves(answers);
}

/**
 * Returns what verification needs beyond the specification's fields: the answers as received, Intel's collateral for
 * each platform, and NVIDIA's verdict for each set of GPUs. For a report in the specification's format, all these
 * fields are null.
 */
export async function servedWith(
  answers: readonly FamilyAnswer[],
  family: string | null,
  nonce: string,
  endorsements: Endorsements,
): Promise<ServedAnswers> {
  if (family === null || family === NEAR_ECDSA) return NONE;
  const claims = claimsOf(answers);
  const hasOwn = broughtCollateral(answers).length > 0;
  const [collateral, verdicts] = await Promise.all([
    Promise.all(hasOwn ? [] : quotesWithout(claims).map((quote) => endorsements.collateralFor(quote))),
    Promise.all(gpuQuestions(claims, nonce).map((request) => endorsements.nvidiaVerdictOn(request))),
  ]);
  const said = verdicts.flatMap(({ value }) => (value === null ? [] : [value]));
  return {
    provider_answers: answers.map(({ text }) => text),
    provider_endorsements: {
      tdx_collateral: [...new Set(collateral.flatMap(({ value }) => (value === null ? [] : [value])))],
      nvidia_verdicts: said.map(({ verdict }) => verdict),
      nvidia_keys: said.map(({ keys }) => keys),
      nvidia_fault: verdicts.find(({ fault }) => fault !== null)?.fault ?? null,
    },
  };
}

function claimsOf(answers: readonly FamilyAnswer[]): readonly ClaimedEnclave[] {
  return unlessUnreadable(() => familyOf(answers)?.enclavesOf(answers))?.slice(0, ENCLAVES_MAX) ?? [];
}

function quotesWithout(claims: readonly ClaimedEnclave[]): Uint8Array[] {
  return claims.flatMap(({ hardware }) =>
    hardware.kind === 'intel-tdx' && hardware.collateral == null
      ? (unlessUnreadable(() => hardware.quote()) ?? [])
      : [],
  );
}

/**
 * Returns the requests to send to NVIDIA's service. Each request contains GPU evidence and the nonce that the evidence
 * must contain.
 */
function gpuQuestions(claims: readonly ClaimedEnclave[], asked: string): string[] {
  return claims.flatMap(({ gpu, hardware }) => {
    if (gpu === null) return [];
    const request = unlessUnreadable(() => {
      const { arch, gpus } = gpu.evidence();
      const nonce =
        gpu.nonce === 'asked' || hardware.kind !== 'intel-tdx'
          ? asked
          : bytesToHex(parseQuote(hardware.quote()).report.reportData.subarray(0, 32));
      return gpu.statedNonce !== null && gpu.statedNonce !== nonce
        ? null
        : JSON.stringify({ nonce, arch, evidence_list: gpus });
    });
    return request == null ? [] : [request];
  });
}

/** Returns null for unreadable evidence, which fails verification later. */
function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
