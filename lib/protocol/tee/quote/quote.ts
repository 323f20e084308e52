import { Malformed } from '../malformed';
import { type Certificate } from '../x509/certificate';
import { parseDevicePem } from '../x509/pem';
import { ByteCursor } from './byte-cursor';
import { ENCLAVE_REPORT_BYTES, type EnclaveReport, readEnclaveReport } from './enclave-report';
import { readTdReport, TD_REPORT_10_BYTES, TD_REPORT_15_BYTES, type TdReport } from './td-report';

/** Intel TDX quote of version 4 or 5 (Intel TDX DCAP Quoting Library API, appendix 3), parsed but not verified. */
export interface TdxQuote {
  version: 4 | 5;
  /** Without trailing zeros. */
  bytes: Uint8Array;
  qeVendorId: Uint8Array;
  report: TdReport;
  /** Bytes that the attestation key signs: header and body. */
  signedBytes: Uint8Array;
  signature: Uint8Array;
  /** x ‖ y on P-256. */
  attestationKey: Uint8Array;
  qeReport: EnclaveReport;
  /** r ‖ s, signed by the processor's certified key. */
  qeReportSignature: Uint8Array;
  qeAuthData: Uint8Array;
  /** Leaf first. */
  pckChain: Certificate[];
}

export const QUOTE_BYTES_MAX = 65_536;
const HEADER_BYTES = 48;
const KEY_TYPE_P256 = 2;
const TEE_TYPE_TDX = 0x81;
const BODY_TD_10 = 2;
const BODY_TD_15 = 3;
const CERTIFICATION_PCK_CHAIN = 5;
const CERTIFICATION_QE_REPORT = 6;

/**
 * Drops trailing zeros, which some services add as padding. Refuses any other byte outside the fields.
 *
 * @throws {Malformed} and no other error
 */
export function parseQuote(bytes: Uint8Array): TdxQuote {
  if (bytes.length > QUOTE_BYTES_MAX) throw new Malformed('The quote is too long.');
  const cursor = new ByteCursor(bytes, 'quote');
  const { version, qeVendorId } = readHeader(new ByteCursor(cursor.take(HEADER_BYTES), 'header of the quote'));
  const report = readTdReport(cursor.take(version === 4 ? TD_REPORT_10_BYTES : readBodySize(cursor)));
  const signedBytes = bytes.subarray(0, cursor.offset);
  const signatureData = readSignatureData(new ByteCursor(cursor.take(cursor.u32()), 'signature data'));
  const end = cursor.offset;
  if (cursor.rest().some((byte) => byte !== 0)) throw new Malformed('The quote has bytes after its end.');
  return { version, bytes: bytes.subarray(0, end), qeVendorId, report, signedBytes, ...signatureData };
}

function readHeader(header: ByteCursor): { version: 4 | 5; qeVendorId: Uint8Array } {
  const version = header.u16();
  if (version !== 4 && version !== 5)
    throw new Malformed(`Quotes of version ${version} are not read here; 4 and 5 are.`);
  if (header.u16() !== KEY_TYPE_P256) throw new Malformed('The key of the quote is not of ECDSA P-256.');
  if (header.u32() !== TEE_TYPE_TDX) throw new Malformed('The quote is not of Intel TDX.');
  // Skips reserved bytes, and security versions that the certificate states too.
  header.take(4);
  return { version, qeVendorId: header.take(16) };
}

/** Reads the body's type and size, which only version 5 states. */
function readBodySize(cursor: ByteCursor): number {
  const type = cursor.u16();
  const size = cursor.u32();
  if (type === BODY_TD_10 && size === TD_REPORT_10_BYTES) return size;
  if (type === BODY_TD_15 && size === TD_REPORT_15_BYTES) return size;
  throw new Malformed('The body of the quote is not a TD report.');
}

function readSignatureData(data: ByteCursor) {
  const signature = data.take(64);
  const attestationKey = data.take(64);
  const outer = readCertificationData(data, CERTIFICATION_QE_REPORT, 'certification data');
  data.end();
  const qeReport = readEnclaveReport(outer.take(ENCLAVE_REPORT_BYTES));
  const qeReportSignature = outer.take(64);
  const qeAuthData = outer.take(outer.u16());
  const inner = readCertificationData(outer, CERTIFICATION_PCK_CHAIN, 'certificate chain');
  outer.end();
  return { signature, attestationKey, qeReport, qeReportSignature, qeAuthData, pckChain: parseDevicePem(inner.rest()) };
}

function readCertificationData(cursor: ByteCursor, expectedType: number, what: string): ByteCursor {
  const type = cursor.u16();
  if (type !== expectedType)
    throw new Malformed(`Certification data of type ${type} where type ${expectedType} must stand.`);
  return new ByteCursor(cursor.take(cursor.u32()), what);
}
