import { hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { Malformed } from '../malformed';
import type { Certificate } from '../x509/certificate';
import { parseDevicePem } from '../x509/pem';
import { ByteCursor } from './byte-cursor';

const HEX = /^(?:0x)?((?:[0-9a-f]{2})+)$/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes a quote in hex or base64, because services differ. Text of only hex digits counts as hex, because
 * the base64 form of thousands of bytes always has other characters too.
 *
 * @throws {Malformed}
 */
export function quoteFromText(text: string): Uint8Array {
  if (text.length > 2 * QUOTE_BYTES_MAX + 2) throw new Malformed('The quote is too long.');
  const hex = HEX.exec(text);
  if (hex) return hexToBytes((hex[1] as string).toLowerCase());
  if (!BASE64.test(text)) throw new Malformed('The quote is neither hex nor base64.');
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The quote is not valid base64.');
  }
}

export function quoteToText(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Processor's report on the quoting enclave (Intel SGX REPORT body, 384 bytes). */
export interface EnclaveReport {
  signedBytes: Uint8Array;
  miscSelect: Uint8Array;
  attributes: Uint8Array;
  mrEnclave: Uint8Array;
  mrSigner: Uint8Array;
  isvProdId: number;
  isvSvn: number;
  reportData: Uint8Array;
}

const ENCLAVE_REPORT_BYTES = 384;

function readEnclaveReport(bytes: Uint8Array): EnclaveReport {
  const cursor = new ByteCursor(bytes, 'report of the quoting enclave');
  const skip = (count: number) => void cursor.take(count);
  skip(16);
  const miscSelect = cursor.take(4);
  skip(28);
  const attributes = cursor.take(16);
  const mrEnclave = cursor.take(32);
  skip(32);
  const mrSigner = cursor.take(32);
  skip(96);
  const isvProdId = cursor.u16();
  const isvSvn = cursor.u16();
  skip(60);
  const reportData = cursor.take(64);
  cursor.end();
  return { signedBytes: bytes, miscSelect, attributes, mrEnclave, mrSigner, isvProdId, isvSvn, reportData };
}

/** Body of a TDX quote: the TDX module's report on a trust domain. Byte arrays are views of the quote. */
export interface TdReport {
  teeTcbSvn: Uint8Array;
  mrSeam: Uint8Array;
  mrSignerSeam: Uint8Array;
  seamAttributes: Uint8Array;
  tdAttributes: Uint8Array;
  xfam: Uint8Array;
  /** Measurement of the initial memory, which contains the firmware. */
  mrTd: Uint8Array;
  mrConfigId: Uint8Array;
  mrOwner: Uint8Array;
  mrOwnerConfig: Uint8Array;
  /** Four 48-byte registers that firmware, kernel and applications extend. */
  rtMrs: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  /** 64 bytes that the trust domain chose. */
  reportData: Uint8Array;
  /** Null in TDX 1.0 reports. */
  teeTcbSvn2: Uint8Array | null;
  mrServiceTd: Uint8Array | null;
}

const TD_REPORT_10_BYTES = 584;
const TD_REPORT_15_BYTES = 648;
const MEASUREMENT_BYTES = 48;

/**
 * Parses a report of 584 bytes (TDX 1.0) or 648 bytes (TDX 1.5).
 *
 * @throws {Malformed}
 */
function readTdReport(bytes: Uint8Array): TdReport {
  const cursor = new ByteCursor(bytes, 'TD report');
  const measurement = () => cursor.take(MEASUREMENT_BYTES);
  const report = {
    teeTcbSvn: cursor.take(16),
    mrSeam: measurement(),
    mrSignerSeam: measurement(),
    seamAttributes: cursor.take(8),
    tdAttributes: cursor.take(8),
    xfam: cursor.take(8),
    mrTd: measurement(),
    mrConfigId: measurement(),
    mrOwner: measurement(),
    mrOwnerConfig: measurement(),
    rtMrs: [measurement(), measurement(), measurement(), measurement()] as const,
    reportData: cursor.take(64),
  };
  const is15 = bytes.length === TD_REPORT_15_BYTES;
  const extension = { teeTcbSvn2: is15 ? cursor.take(16) : null, mrServiceTd: is15 ? measurement() : null };
  cursor.end();
  return { ...report, ...extension };
}

/** Intel TDX quote of version 4 or 5 (Intel TDX DCAP Quoting Library API, appendix 3), parsed but not verified. */
export interface TdxQuote {
  version: 4 | 5;
  /** Quote without its trailing zeros. */
  bytes: Uint8Array;
  qeVendorId: Uint8Array;
  report: TdReport;
  /** Bytes that the attestation key signs: header and body. */
  signedBytes: Uint8Array;
  signature: Uint8Array;
  /** x ‖ y on P-256. */
  attestationKey: Uint8Array;
  qeReport: EnclaveReport;
  /** Signature by the processor's certified key, r ‖ s. */
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
    throw new Malformed(`Quotes of version ${version} are not supported; versions 4 and 5 are.`);
  if (header.u16() !== KEY_TYPE_P256) throw new Malformed('The key of the quote is not an ECDSA P-256 key.');
  if (header.u32() !== TEE_TYPE_TDX) throw new Malformed('The quote is not an Intel TDX quote.');
  // Skips reserved bytes, and security versions that the certificate also contains.
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
    throw new Malformed(`The certification data has type ${type}, but must have type ${expectedType}.`);
  return new ByteCursor(cursor.take(cursor.u32()), what);
}
