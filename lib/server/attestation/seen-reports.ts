import type { ReportedEnclave, ReportedEnclaves } from '@/lib/protocol/attestation/reported-enclaves';

const MODELS_MAX = 1_000;
const ENCLAVES_MAX = 16;

/** Enclave without its public keys. A caller can trust the keys only if the report contains the caller's own nonce. */
export type SeenEnclave = Omit<ReportedEnclave, 'keys'>;

export interface SeenReport {
  family: string | null;
  enclaves: readonly SeenEnclave[];
}

const NOTHING: SeenReport = { family: null, enclaves: [] };

/** Enclaves from each model's latest report, for the model list. This list proves nothing to callers. */
export class SeenReports {
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

  of(model: string): SeenReport {
    return this.#reports.get(model) ?? NOTHING;
  }
}
