import { HEAD_COMMITMENTS, type HeadCommitment } from './head-height';

/** Callers of one network whose marks are kept: those who read its head last. */
const CALLERS_MAX = 10_000;
/** After this long upstreams have got further, or the lagging ones are left out anyway. */
const MARK_MS = 300_000;

/** The newest head of a network that one caller was told of. Times are of `performance.now()`. */
export class HeadMark {
  readonly #heights = HEAD_COMMITMENTS.map(() => 0);
  readonly #at = HEAD_COMMITMENTS.map(() => -Infinity);

  /** 0 where there is none, or it is too long ago. */
  heightAt(commitment: HeadCommitment, now: number): number {
    return now - (this.#at[commitment] as number) <= MARK_MS ? (this.#heights[commitment] as number) : 0;
  }

  /** The caller is told of this head, which takes nothing back. */
  rise(commitment: HeadCommitment, height: number, now: number): void {
    if (height >= this.heightAt(commitment, now)) this.set(commitment, height, now);
  }

  /** The caller is told of this head, though it may be an older one. */
  set(commitment: HeadCommitment, height: number, now: number): void {
    this.#heights[commitment] = height;
    this.#at[commitment] = now;
  }

  /** What stands here for as long as somebody works with it alone. */
  copy(): HeadMark {
    const copy = new HeadMark();
    for (const commitment of HEAD_COMMITMENTS)
      copy.set(commitment, this.#heights[commitment] as number, this.#at[commitment] as number);
    return copy;
  }

  /**
   * Takes over what became of a copy.
   * @param before the copy as it was made.
   */
  take(copy: HeadMark, before: HeadMark, now: number): void {
    for (const commitment of HEAD_COMMITMENTS) {
      const [height, was] = [copy.heightAt(commitment, now), before.heightAt(commitment, now)];
      if (height > was) this.rise(commitment, height, now);
      // Somebody else may have been told of a newer head meanwhile.
      else if (height < was && this.heightAt(commitment, now) <= was) this.set(commitment, height, now);
    }
  }
}

/** The marks of the callers of one network, by account, the one that was used least recently the first to go. */
export class CallerMarks {
  readonly #marks = new Map<number, HeadMark>();

  constructor(private readonly callersMax = CALLERS_MAX) {}

  get size(): number {
    return this.#marks.size;
  }

  /** The mark of an account, which it shares with all of its keys. */
  of(accountId: number): HeadMark {
    const found = this.#marks.get(accountId);
    if (found) this.#marks.delete(accountId);
    const mark = found ?? new HeadMark();
    this.#marks.set(accountId, mark);
    if (this.#marks.size > this.callersMax) this.#marks.delete(this.#marks.keys().next().value as number);
    return mark;
  }
}
