import { hash } from 'node:crypto';
import { canonicalJson } from '@/lib/protocol/canonical-json';
import type { ReportedEnclaves } from '@/lib/protocol/attestation/reported-enclaves';
import type { EnclaveProof } from '@/lib/protocol/receipts/receipt';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { findReport, insertReport, readReport } from '../db/attestation-reports';
import type { Database } from '../db/schema';

const OF_MODEL_MAX = 8;
const REPORT_BYTES_MAX = 2 * 1_048_576;
const BYTES_MAX = 64 * 1_048_576;
const MEMORY_BYTES_MAX = 16 * 1_048_576;
const ENCLAVES_MAX = 16;

type ReportFacts = Omit<NonNullable<EnclaveProof['report']>, 'url' | 'bindsAnswer'>;

export interface KeptReport {
  facts: ReportFacts;
  /** In lower case. */
  signingAddress: string | null;
}

interface Bounds {
  ofModelMax: number;
  reportBytesMax: number;
  bytesMax: number;
}

/**
 * Reports for receipts, within bounds. Memory has models' last reports. The database has reports to which receipts
 * refer.
 */
export class KeptReports {
  readonly #last = new Map<string, KeptReport & { model: string; at: number; bytes: number; report: string }>();
  #bytes = 0;

  constructor(
    private readonly db: Database,
    private readonly bounds: Bounds = {
      ofModelMax: OF_MODEL_MAX,
      reportBytesMax: REPORT_BYTES_MAX,
      bytesMax: BYTES_MAX,
    },
  ) {}

  note(
    model: string,
    answered: Readonly<Record<string, unknown>>,
    { at, reported, verdict }: { at: number; reported: ReportedEnclaves; verdict: AttestationConclusion },
  ): void {
    const report = canonicalJson(answered);
    const bytes = Buffer.byteLength(report);
    this.#drop(model);
    if (bytes > this.bounds.reportBytesMax) return;
    const address = answered['signing_address'];
    this.#last.set(model, {
      model,
      at,
      bytes,
      report,
      signingAddress: typeof address === 'string' ? address.toLowerCase() : null,
      facts: {
        sha256: hash('sha256', report),
        fetchedAt: Math.floor(at / 1_000),
        family: reported.family,
        verdict,
        measurements: reported.enclaves
          .slice(0, ENCLAVES_MAX)
          .flatMap(({ measurements }) => (measurements ? [{ ...measurements }] : [])),
      },
    });
    this.#bytes += bytes;
    for (const oldest of this.#last.keys()) {
      if (this.#bytes <= MEMORY_BYTES_MAX) return;
      this.#drop(oldest);
    }
  }

  /**
   * Returns and stores a report that was made after `since`; null if none. Prefers a report that is already stored, so
   * that receipts share reports.
   */
  async of(model: string, { address, since }: { address: string | null; since: number }): Promise<KeptReport | null> {
    const row = await findReport(this.db, { model, address: address?.toLowerCase() ?? null, since });
    if (row) return { facts: JSON.parse(row.facts) as ReportFacts, signingAddress: row.signing_address };
    const last = this.#last.get(model);
    if (last === undefined || last.at < since) return null;
    const { signingAddress, facts, at, bytes, report } = last;
    if (address !== null && signingAddress !== address.toLowerCase()) return null;
    const { sha256 } = facts;
    await insertReport(
      this.db,
      { sha256, model, at, bytes, report, signing_address: signingAddress, facts: JSON.stringify(facts) },
      this.bounds,
    );
    return { facts, signingAddress };
  }

  read(sha256: string): Promise<string | undefined> {
    return readReport(this.db, sha256);
  }

  #drop(model: string): void {
    this.#bytes -= this.#last.get(model)?.bytes ?? 0;
    this.#last.delete(model);
  }
}
