import { ByteCursor } from './byte-cursor';

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

export const ENCLAVE_REPORT_BYTES = 384;

/** @throws {Malformed} unless the report has 384 bytes */
export function readEnclaveReport(bytes: Uint8Array): EnclaveReport {
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
