import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { CheckFailed, type CheckResult, NotCheckable } from '../../tee/check-list';
import { Malformed } from '../../tee/malformed';
import { sameBytes } from '../../tee/x509/chain';
import type { ReportDataPart, ReportDataRules } from '../enclave';

const REPORT_DATA_BYTES = 64;
const NONCE = /^[0-9a-f]{64}$/;

/**
 * Sees that report and report data answer the nonce that was sent, so that neither was recorded earlier.
 *
 * @param asked 64 hex characters; null where it is not known
 * @throws {CheckFailed | NotCheckable | Malformed}
 */
export function checkAnsweredNonce(
  { statedNonce, parts }: ReportDataRules,
  reportData: Uint8Array,
  asked: string | null,
): CheckResult<true> {
  assertCovered(parts);
  if (asked === null)
    throw new NotCheckable('No nonce is known that the report should answer.', { report: statedNonce });
  const nonce = nonceBytes(asked);
  const evidence = { sent: bytesToHex(nonce), report: statedNonce };
  if (statedNonce !== null && statedNonce.toLowerCase() !== bytesToHex(nonce)) {
    throw new CheckFailed(
      'The provider answered with a nonce of its own in the place of the one that was sent. So nothing shows that the report was made for this question: it may be any that was recorded earlier.',
      evidence,
    );
  }
  const holding = parts.filter(({ check, holdsNonce }) => check === 'nonce' || holdsNonce);
  if (holding.length === 0) throw new CheckFailed('Nothing in the report data depends on a nonce.', evidence);
  const differing = holding.find((part) => !sameBytes(reportData.subarray(part.start, part.end), part.expected(nonce)));
  if (differing)
    throw new CheckFailed(
      differing.check === 'nonce'
        ? 'The report data holds another nonce than was sent.'
        : `The report data is not ${differing.rule} with the nonce that was sent.`,
      evidence,
    );
  return { established: true, evidence };
}

/**
 * Sees that the report data speaks for what a check is about, the key or the certificate.
 *
 * @throws {CheckFailed | NotCheckable | Malformed}
 */
export function checkBoundPart(
  { statedNonce, parts }: ReportDataRules,
  check: ReportDataPart['check'],
  reportData: Uint8Array,
  asked: string | null,
): CheckResult<true> {
  assertCovered(parts);
  const own = parts.filter((part) => part.check === check);
  const nonce = statedNonce ?? asked;
  const evidence = { rules: own.map(({ rule }) => rule), reportData: bytesToHex(reportData) };
  for (const part of own) {
    if (nonce === null && part.holdsNonce)
      throw new NotCheckable('No nonce is known, and the report data is a hash with one.', evidence);
    const expected = part.expected(nonce === null ? new Uint8Array(REPORT_DATA_BYTES / 2) : nonceBytes(nonce));
    if (!sameBytes(reportData.subarray(part.start, part.end), expected))
      throw new CheckFailed(
        `The report data is not ${part.rule}: the quote speaks for another ${check === 'certificate' ? 'certificate' : 'key'} than the report's.`,
        evidence,
      );
  }
  return { established: true, evidence };
}

/** A mistake in an adapter, not in a report: each byte has exactly one rule. */
function assertCovered(parts: readonly ReportDataPart[]): void {
  const covered = new Uint8Array(REPORT_DATA_BYTES);
  for (const { start, end } of parts) for (let at = start; at < end; at++) covered[at] = (covered[at] ?? 0) + 1;
  if (covered.length !== REPORT_DATA_BYTES || covered.some((times) => times !== 1))
    throw new RangeError('The rules of the report data do not cover each byte once.');
}

function nonceBytes(text: string): Uint8Array {
  if (!NONCE.test(text.toLowerCase())) throw new Malformed('The nonce is not 64 hexadecimal characters.');
  return hexToBytes(text.toLowerCase());
}
