import type { ReportedEnclave, ReportedEnclaves } from '@/lib/protocol/attestation/reported-enclaves';

const MODELS_MAX = 1_000;
const ENCLAVES_MAX = 16;

/** An enclave as the list of models has it: without its keys, which are worth something only in a report over a nonce of one's own. */
export type SeenEnclave = Omit<ReportedEnclave, 'keys'>;

/** What the last report of a model said. */
export interface SeenReport {
  family: string | null;
  enclaves: readonly SeenEnclave[];
}

const NOTHING: SeenReport = { family: null, enclaves: [] };

/**
 * What the last report of each model said of family and enclaves, since this process started. A report is handed on over
 * somebody's nonce and tells nothing to anybody else: this is for a list to show, and proves nothing.
 */
export class SeenReports {
  /** Those noted last stand last. */
  readonly #reports = new Map<string, SeenReport>();

  note(model: string, { family, enclaves }: ReportedEnclaves): void {
    this.#reports.delete(model);
    this.#reports.set(model, {
      family,
      enclaves: enclaves.slice(0, ENCLAVES_MAX).map(({ keys: _keys, ...rest }) => rest),
    });
    const [oldest] = this.#reports.keys();
    if (this.#reports.size > MODELS_MAX && oldest !== undefined) this.#reports.delete(oldest);
  }

  /** What is known of a model; of one that nobody has attested yet nothing. */
  of(model: string): SeenReport {
    return this.#reports.get(model) ?? NOTHING;
  }
}
