import { bytesToHex } from '@noble/hashes/utils.js';
import { readAttestationReport } from '@/lib/protocol/tee/attestation-report';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { parseQuote } from '@/lib/protocol/tee/quote/quote';
import { quoteFromText } from '@/lib/protocol/tee/quote/quote-text';

export interface QuoteField {
  name: string;
  value: string;
}

/** The fields of the quote in a report, by their names in Intel's documents, values in hex; null where there is none to read. */
export function quoteFields(report: unknown): readonly QuoteField[] | null {
  try {
    const { quote: text } = readAttestationReport(report);
    return text === null ? null : fieldsOf(quoteFromText(text));
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function fieldsOf(bytes: Uint8Array): readonly QuoteField[] {
  const { version, qeVendorId, report, signature, attestationKey, qeReport, pckChain, bytes: whole } = parseQuote(bytes);
  const { reportData, rtMrs } = report;
  const hex: [string, Uint8Array | null][] = [
    ['QE vendor', qeVendorId],
    ['TEE_TCB_SVN', report.teeTcbSvn],
    ['MRSEAM', report.mrSeam],
    ['MRSIGNERSEAM', report.mrSignerSeam],
    ['SEAMATTRIBUTES', report.seamAttributes],
    ['TDATTRIBUTES', report.tdAttributes],
    ['XFAM', report.xfam],
    ['MRTD', report.mrTd],
    ['MRCONFIGID', report.mrConfigId],
    ['MROWNER', report.mrOwner],
    ['MROWNERCONFIG', report.mrOwnerConfig],
    ...rtMrs.map((register, index): [string, Uint8Array] => [`RTMR${index}`, register]),
    ['REPORTDATA: address', reportData.subarray(0, 20)],
    ['REPORTDATA: zeros', reportData.subarray(20, 32)],
    ['REPORTDATA: nonce', reportData.subarray(32)],
    ['TEE_TCB_SVN_2', report.teeTcbSvn2],
    ['MRSERVICETD', report.mrServiceTd],
    ['Quote signature', signature],
    ['Attestation key', attestationKey],
    ['QE MRSIGNER', qeReport.mrSigner],
    ['QE MRENCLAVE', qeReport.mrEnclave],
  ];
  return [
    { name: 'Version', value: String(version) },
    { name: 'Length', value: `${whole.length} bytes` },
    ...hex.flatMap(([name, value]) => (value === null ? [] : [{ name, value: bytesToHex(value) }])),
    ...pckChain.map(({ subjectText }, index) => ({ name: `Certificate ${index + 1}`, value: subjectText })),
  ];
}
