import { randomBytes } from 'node:crypto';
import { attest, type AttestationParts } from './attest';
import type { AttestedModel } from './attested-model';

const NONCE_BYTES = 32;
/** Maximum age of a verdict. A negative verdict expires sooner, because the fault may have been repaired. */
const GOOD_MS = 5 * 60_000;
const BAD_MS = 30_000;
const VERDICTS_MAX = 1_000;

interface Verdict {
  isGood: Promise<boolean>;
  untilMs: number;
}

/** This gateway's verdicts on its models' enclaves, for API keys that require privacy. */
export class OwnVerdicts {
  readonly #verdicts = new Map<string, Verdict>();

  constructor(
    private readonly parts: AttestationParts,
    private readonly ask: typeof attest = attest,
  ) {}

  /**
   * Returns whether a new or recent report of the model is `verified` (see `attest`).
   *
   * @throws ApiError ATTESTATION_UNAVAILABLE
   */
  isAttested(model: AttestedModel): Promise<boolean> {
    const key = JSON.stringify([model.upstream.name, model.id]);
    const known = this.#verdicts.get(key);
    if (known && known.untilMs > this.parts.now()) return known.isGood;
    return this.#keep(key, this.#asked(model));
  }

  async #asked(model: AttestedModel): Promise<boolean> {
    const report = await this.ask(model, randomBytes(NONCE_BYTES).toString('hex'), this.parts);
    return report['verified'] === true;
  }

  #keep(key: string, isGood: Promise<boolean>): Promise<boolean> {
    const verdict: Verdict = { isGood, untilMs: Infinity };
    this.#verdicts.delete(key);
    this.#verdicts.set(key, verdict);
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size > VERDICTS_MAX && oldest !== undefined) this.#verdicts.delete(oldest);
    isGood.then(
      (good) => (verdict.untilMs = this.parts.now() + (good ? GOOD_MS : BAD_MS)),
      () => {
        if (this.#verdicts.get(key) === verdict) this.#verdicts.delete(key);
      },
    );
    return isGood;
  }
}
