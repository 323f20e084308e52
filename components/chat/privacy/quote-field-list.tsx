import type { EnclaveRole } from '@/lib/protocol/attestation/enclave';
import { familyOf } from '@/lib/protocol/attestation/families';
import { servedAnswers } from '@/lib/protocol/attestation/provider-answers';
import { readAttestationReport } from '@/lib/protocol/tee/attestation-report';
import { NotCheckable } from '@/lib/protocol/tee/check-list';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { parseQuote, quoteFromText } from '@/lib/protocol/tee/quote/quote';
import { bytesToHex } from '@noble/hashes/utils.js';
import { useMemo } from 'react';
import { chatHopWords, chatPrivacyWords as words } from './words';

/** Lists the fields of each quote. If there are several quotes, names each quote's enclave. */
export function QuoteFieldList({ report }: { report: unknown }) {
  const quotes = useMemo(() => quotesOf(report), [report]);
  if (quotes.length === 0) return <p className="text-dim">{words.quote.unreadable}</p>;
  return (
    <div className="grid gap-4">
      {quotes.map(({ role, name, fields }, index) => (
        <section key={`${role} ${name ?? index}`} aria-label={chatHopWords.enclave(role, name)} className="grid gap-2">
          {quotes.length > 1 && <h4 className="text-sm font-medium">{chatHopWords.enclave(role, name)}</h4>}
          <dl className="grid gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(9rem,auto)_minmax(0,1fr)]">
            {fields.map((field) => (
              <div key={field.name} className="contents">
                <dt className="text-faint">{field.name}</dt>
                <dd className="figures mb-1 wrap-anywhere sm:mb-0">{field.value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Part of the report data: its name, the offset of its first byte, and the offset after its last byte. */
type ReportDataPart = readonly [name: string, start: number, end: number];

const ADDRESS_PARTS: readonly ReportDataPart[] = [
  ['address', 0, 20],
  ['zeros', 20, 32],
  ['nonce', 32, 64],
];
const HALVES: readonly ReportDataPart[] = [
  ['first half', 0, 32],
  ['second half', 32, 64],
];

export interface QuoteField {
  name: string;
  value: string;
}

export interface EnclaveQuote {
  role: EnclaveRole;
  name: string | null;
  fields: readonly QuoteField[];
}

/**
 * Returns the fields of every TDX quote in a report, under Intel's names and in hex. If a report wraps a provider's
 * answer, returns the quotes in the answer, because this browser verifies those quotes.
 */
export function quotesOf(report: unknown): readonly EnclaveQuote[] {
  const served = servedAnswers(report);
  if (served === null) {
    const fields = unlessMalformed(() => ofOneQuote(report));
    return fields === null ? [] : [{ role: 'model', name: null, fields }];
  }
  const claims = unlessMalformed(() => familyOf(served.answers())?.enclavesOf(served.answers())) ?? [];
  return claims.flatMap(({ role, name, hardware }) => {
    const fields = unlessMalformed(() => (hardware.kind === 'intel-tdx' ? fieldsOf(hardware.quote(), HALVES) : null));
    return fields === null ? [] : [{ role, name, fields }];
  });
}

/** Reads a report in the API specification's format, where the report data begins with an address. */
function ofOneQuote(report: unknown): readonly QuoteField[] | null {
  const { quote } = readAttestationReport(report);
  return quote === null ? null : fieldsOf(quoteFromText(quote), ADDRESS_PARTS);
}

function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed || error instanceof NotCheckable) return null;
    throw error;
  }
}

function fieldsOf(bytes: Uint8Array, reportDataParts: readonly ReportDataPart[]): readonly QuoteField[] {
  const {
    version,
    qeVendorId,
    report,
    signature,
    attestationKey,
    qeReport,
    pckChain,
    bytes: whole,
  } = parseQuote(bytes);
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
    ...reportDataParts.map(([name, start, end]): [string, Uint8Array] => [
      `REPORTDATA: ${name}`,
      reportData.subarray(start, end),
    ]),
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
