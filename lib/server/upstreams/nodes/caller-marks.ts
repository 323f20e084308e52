import { HEAD_COMMITMENTS, type HeadCommitment } from './head-height';

const CALLERS_MAX = 10_000;
/**
 * Lifetime of a `HeadMark`. After this time, every upstream has either passed the mark or been excluded by health
 * checks.
 */
const MARK_MS = 300_000;

/** Newest head that a caller has seen on a network. Times are values of `performance.now()`. */
export class HeadMark {
  readonly #heights = HEAD_COMMITMENTS.map(() => 0);
  readonly #at = HEAD_COMMITMENTS.map(() => -Infinity);

  heightAt(commitment: HeadCommitment, now: number): number {
    return now - (this.#at[commitment] as number) <= MARK_MS ? (this.#heights[commitment] as number) : 0;
  }

  rise(commitment: HeadCommitment, height: number, now: number): void {
    if (height >= this.heightAt(commitment, now)) this.set(commitment, height, now);
  }

  set(commitment: HeadCommitment, height: number, now: number): void {
    this.#heights[commitment] = height;
    this.#at[commitment] = now;
  }

  copy(): HeadMark {
    const copy = new HeadMark();
    for (const commitment of HEAD_COMMITMENTS)
      copy.set(commitment, this.#heights[commitment] as number, this.#at[commitment] as number);
    return copy;
  }

  /**
   * Applies a copy's changes to this mark.
   * @param before state of the copy before the changes
   */
  take(copy: HeadMark, before: HeadMark, now: number): void {
    for (const commitment of HEAD_COMMITMENTS) {
      const [height, was] = [copy.heightAt(commitment, now), before.heightAt(commitment, now)];
      if (height > was) this.rise(commitment, height, now);
      // Does not lower the mark if another call has raised it in the meantime.
      else if (height < was && this.heightAt(commitment, now) <= was) this.set(commitment, height, now);
    }
  }
}

/** Stores one `HeadMark` for each account on a network. When there are too many, removes the least recently used. */
export class CallerMarks {
  readonly #marks = new Map<number, HeadMark>();

  constructor(private readonly callersMax = CALLERS_MAX) {}

  get size(): number {
    return this.#marks.size;
  }

  /** Returns the account's `HeadMark`, which all its API keys share. */
  of(accountId: number): HeadMark {
    const found = this.#marks.get(accountId);
    if (found) this.#marks.delete(accountId);
    const mark = found ?? new HeadMark();
    this.#marks.set(accountId, mark);
    if (this.#marks.size > this.callersMax) this.#marks.delete(this.#marks.keys().next().value as number);
    return mark;
  }
}
