import type { Refusal } from './meter';

/** A call that was made before it was admitted, and then was not: nothing was charged, and its answer is withheld. */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';

  constructor(readonly refusal: Refusal) {
    super(`A call was not admitted after it had been made: ${refusal.reason}.`);
  }
}
