import { HEAD_LANES, type HeadLane } from './head-height';

/** Callers of one network whose marks are kept: those who read its head last. */
const CALLERS_MAX = 10_000;
/** After this long upstreams have got further, or the lagging ones are left out anyway. */
const MARK_MS = 300_000;

/** The newest head of a network that one caller was told of. Times are of `performance.now()`. */
export class HeadMark {
  readonly #heights = HEAD_LANES.map(() => 0);
  readonly #at = HEAD_LANES.map(() => -Infinity);

  /** 0 where there is none, or it is too long ago. */
  heightAt(lane: HeadLane, now: number): number {
    return now - (this.#at[lane] as number) <= MARK_MS ? (this.#heights[lane] as number) : 0;
  }

  /** The caller is told of this head, which takes nothing back. */
  rise(lane: HeadLane, height: number, now: number): void {
    if (height >= this.heightAt(lane, now)) this.set(lane, height, now);
  }

  /** The caller is told of this head, though it may be an older one. */
  set(lane: HeadLane, height: number, now: number): void {
    this.#heights[lane] = height;
    this.#at[lane] = now;
  }

  /** What stands here for as long as somebody works with it alone. */
  copy(): HeadMark {
    const copy = new HeadMark();
    for (const lane of HEAD_LANES) copy.set(lane, this.#heights[lane] as number, this.#at[lane] as number);
    return copy;
  }

  /**
   * Takes over what became of a copy.
   * @param before the copy as it was made.
   */
  take(copy: HeadMark, before: HeadMark, now: number): void {
    for (const lane of HEAD_LANES) {
      const [height, was] = [copy.heightAt(lane, now), before.heightAt(lane, now)];
      if (height > was) this.rise(lane, height, now);
      // Somebody else may have been told of a newer head meanwhile.
      else if (height < was && this.heightAt(lane, now) <= was) this.set(lane, height, now);
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
