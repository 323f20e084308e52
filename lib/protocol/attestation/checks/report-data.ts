import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { CheckFailed, type CheckResult, NotCheckable } from '../../tee/check-list';
import { Malformed } from '../../tee/malformed';
import { sameBytes } from '../../tee/x509/chain';
import type { ReportDataPart, ReportDataRules } from '../enclave';

const REPORT_DATA_BYTES = 64;
const NONCE = /^[0-9a-f]{64}$/;

/**
 * Checks that the report and its report data contain the requested nonce, so that a replayed report fails.
 *
 * @param asked requested nonce, 64 hex characters; null if unknown
 * @throws {CheckFailed | NotCheckable | Malformed}
 */
export function checkAnsweredNonce(
  { statedNonce, parts }: ReportDataRules,
  reportData: Uint8Array,
  asked: string | null,
): CheckResult<true> {
  assertCovered(parts);
  if (asked === null)
    throw new NotCheckable('The nonce of the report cannot be checked, because no nonce was given.', {
      report: statedNonce,
    });
  const nonce = nonceBytes(asked);
  const evidence = { sent: bytesToHex(nonce), report: statedNonce };
  if (statedNonce !== null && statedNonce.toLowerCase() !== bytesToHex(nonce)) {
    throw new CheckFailed(
      'The provider used its own nonce instead of the nonce that was sent. The report may therefore be an old recording.',
      evidence,
    );
  }
  const holding = parts.filter(({ check, holdsNonce }) => check === 'nonce' || holdsNonce);
  if (holding.length === 0) throw new CheckFailed('Nothing in the report data depends on a nonce.', evidence);
  const differing = holding.find((part) => !sameBytes(reportData.subarray(part.start, part.end), part.expected(nonce)));
  if (differing)
    throw new CheckFailed(
      differing.check === 'nonce'
        ? 'The report data does not contain the nonce that was sent.'
        : `The report data is not ${differing.rule} with the nonce that was sent.`,
      evidence,
    );
  return { established: true, evidence };
}

/**
 * Checks that the report data contains the required bytes. `check` selects the bytes for keys or for a certificate.
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
      throw new NotCheckable('The report data is a hash that includes a nonce, but no nonce was given.', evidence);
    const expected = part.expected(nonce === null ? new Uint8Array(REPORT_DATA_BYTES / 2) : nonceBytes(nonce));
    if (!sameBytes(reportData.subarray(part.start, part.end), expected))
      throw new CheckFailed(
        `The report data is not ${part.rule}: the quote proves a different ${check === 'certificate' ? 'certificate' : 'key'} than the one in the report.`,
        evidence,
      );
  }
  return { established: true, evidence };
}

/** Asserts that exactly one rule covers each byte. An uncovered byte is a bug in the adapter. */
function assertCovered(parts: readonly ReportDataPart[]): void {
  const covered = new Uint8Array(REPORT_DATA_BYTES);
  for (const { start, end } of parts) for (let at = start; at < end; at++) covered[at] = (covered[at] ?? 0) + 1;
  if (covered.length !== REPORT_DATA_BYTES || covered.some((times) => times !== 1))
    throw new RangeError('The rules of the report data do not cover each byte exactly once.');
}

function nonceBytes(text: string): Uint8Array {
  if (!NONCE.test(text.toLowerCase())) throw new Malformed('The nonce is not 64 hexadecimal characters.');
  return hexToBytes(text.toLowerCase());
}
