import { apiError } from '@/lib/protocol/errors';

const RETRY_AFTER_SECONDS = 5;
/** Share of the places that one caller may take. All callers without an account or funds count as one caller. */
const CALLER_SHARE = 1 / 4;

/** Bounds the number of uploaded files and their space on the disk. */
export class UploadPlaces {
  readonly #takenBy = new Map<number, number>();
  #taken = 0;

  constructor(private readonly placesMax: number) {}

  get taken(): number {
    return this.#taken;
  }

  /** Takes a place. @returns a function that frees it. @throws ApiError OVERLOADED */
  take(accountId: number): () => void {
    const own = this.#takenBy.get(accountId) ?? 0;
    if (this.#taken >= this.placesMax || own >= Math.max(1, Math.floor(this.placesMax * CALLER_SHARE)))
      throw apiError('OVERLOADED', {
        message: 'Too many uploaded files are being processed.',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      });
    this.#taken++;
    this.#takenBy.set(accountId, own + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#taken--;
      const left = (this.#takenBy.get(accountId) ?? 1) - 1;
      if (left > 0) this.#takenBy.set(accountId, left);
      else this.#takenBy.delete(accountId);
    };
  }
}
