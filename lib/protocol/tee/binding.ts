import { bytesToHex } from '@noble/hashes/utils.js';
import { addressBytesOf, parseModelPublicKey } from '../e2ee/public-key';
import { parseAttestationNonce } from '../e2ee/nonce';
import type { AttestationReport } from './attestation-report';
import { CheckFailed, type Evidence, NotCheckable } from './check-list';
import { Malformed } from './malformed';
import type { TdReport } from './quote/quote';
import { sameBytes } from './x509/chain';

/** Layout of report_data: signing address (20 bytes), 12 zero bytes, nonce (32 bytes). */
const ADDRESS_BYTES = 20;
const NONCE_OFFSET = 32;

interface Outcome<T> {
  established: T;
  evidence: Evidence;
}

/**
 * Checks that quote and report contain this nonce, so that a replayed quote fails.
 *
 * @throws {CheckFailed | NotCheckable}
 */
export function checkNonce({ reportData }: TdReport, report: AttestationReport, nonce: string | null): Outcome<true> {
  if (nonce === null)
    throw new NotCheckable('The nonce of the quote cannot be checked, because no nonce was given.', {
      quoteNonce: bytesToHex(reportData.subarray(NONCE_OFFSET)),
    });
  const wanted = parseAttestationNonce(nonce);
  const evidence = {
    sent: bytesToHex(wanted),
    quote: bytesToHex(reportData.subarray(NONCE_OFFSET)),
    report: report.nonce,
  };
  if (report.nonce !== null && report.nonce.toLowerCase() !== bytesToHex(wanted))
    throw new CheckFailed('The report does not contain the nonce that was sent.', evidence);
  if (!sameBytes(reportData.subarray(NONCE_OFFSET), wanted))
    throw new CheckFailed('The quote does not contain the nonce that was sent.', evidence);
  return { established: true, evidence };
}

/**
 * Checks that the report is about the requested model. The quote does not identify a model.
 *
 * @throws {CheckFailed | NotCheckable}
 */
export function checkModel(report: AttestationReport, model: string | null): Outcome<true> {
  const evidence = { asked: model, report: report.model };
  if (model === null || report.model === null)
    throw new NotCheckable(model === null ? 'No model was requested.' : 'The report contains no model.', evidence);
  if (report.model !== model) throw new CheckFailed('The report is for another model.', evidence);
  return { established: true, evidence };
}

export interface BoundKey {
  /** `0x` and 40 lower-case hex characters. */
  address: string;
  /** 65 bytes; null if the report has only an address. */
  publicKey: Uint8Array | null;
}

/**
 * Checks that the quote contains the address of the report's key.
 *
 * @param needsPublicKey whether the caller needs the public key, for example to encrypt
 * @throws {CheckFailed | Malformed}
 */
export function checkSigningKey(
  { reportData }: TdReport,
  report: AttestationReport,
  needsPublicKey: boolean,
): Outcome<BoundKey> {
  const bound = reportData.subarray(0, ADDRESS_BYTES);
  const address = `0x${bytesToHex(bound)}`;
  const publicKey = report.signingKey === null ? null : readKey(report.signingKey);
  const evidence = { quote: address, report: report.signingAddress, signingKey: report.signingKey };
  if (reportData.subarray(ADDRESS_BYTES, NONCE_OFFSET).some((byte) => byte !== 0))
    throw new CheckFailed('The quote contains no signing address: its report data has another layout.', evidence);
  if (bound.every((byte) => byte === 0)) throw new CheckFailed('The quote contains no signing address.', evidence);
  if (needsPublicKey && publicKey === null)
    throw new CheckFailed('The report has no public key for encryption.', evidence);
  if (publicKey === null && report.signingAddress === null)
    throw new CheckFailed('The report has neither a key nor an address.', evidence);
  if (publicKey && !sameBytes(addressBytesOf(publicKey), bound))
    throw new CheckFailed('The public key of the report is not the one in the quote.', evidence);
  if (report.signingAddress !== null && withPrefix(report.signingAddress) !== address)
    throw new CheckFailed('The signing address of the report is not the one in the quote.', evidence);
  return { established: { address, publicKey }, evidence };
}

function readKey(text: string): Uint8Array {
  try {
    return parseModelPublicKey(text);
  } catch {
    throw new Malformed('The public key of the report is not valid.');
  }
}

function withPrefix(address: string): string {
  const text = address.toLowerCase();
  return text.startsWith('0x') ? text : `0x${text}`;
}
