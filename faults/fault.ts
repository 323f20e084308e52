/** Observations of a fault, as texts for the table. */
export interface Seen {
  callers: string;
  charged: string;
  operator: string;
  ends: string;
}

/** Duration and frequency of faults. */
export interface Extent {
  /** Seconds that a dependency stays unavailable. */
  awaySeconds: number;
  /** Number of times that a gateway is killed under load. Before each kill, it runs for `killEverySeconds`. */
  kills: number;
  killEverySeconds: number;
}

/** Context of a fault. Ends everything that was started for it, in reverse order. */
export interface Stage extends Extent {
  track<T>(thing: T, end: (thing: T) => unknown): T;
}

/**
 * Thrown if this machine cannot produce a fault; the message says why. The fault then counts as neither held nor
 * failed.
 */
export class NotMade extends Error {
  override readonly name = 'NotMade';
}

/** Fault to produce, and the conditions that must hold. */
export interface Fault {
  name: string;
  title: string;
  /** @throws Error that names a condition that did not hold; NotMade */
  run(stage: Stage): Promise<Seen>;
}

/** @throws Error with the expected value, unless both values are equal */
export function hold(what: string, actual: unknown, expected: unknown): void {
  const [left, right] = [actual, expected].map((value) =>
    JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
  );
  if (left !== right) throw new Error(`${what}: expected ${right}, got ${left}`);
}

/** @throws Error unless the condition is true */
export function holdThat(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`Not true: ${what}`);
}
