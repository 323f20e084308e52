/** What was seen of a fault, in words for the table. */
export interface Seen {
  callers: string;
  charged: string;
  operator: string;
  ends: string;
}

/** Whatever was started for a fault, ended in the opposite order. */
export interface Stage {
  track<T>(thing: T, end: (thing: T) => unknown): T;
  /** How long what is to be away stays so. */
  awaySeconds: number;
}

/** A fault that takes what this machine does not give, in a sentence that says what. It is neither held nor not. */
export class NotMade extends Error {
  override readonly name = 'NotMade';
}

/** A fault that is made, with what must hold of it. */
export interface Fault {
  name: string;
  title: string;
  /** @throws Error naming what did not hold; NotMade */
  run(stage: Stage): Promise<Seen>;
}

/** @throws Error saying what was expected, unless it holds */
export function hold(what: string, actual: unknown, expected: unknown): void {
  const [left, right] = [actual, expected].map((value) =>
    JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
  );
  if (left !== right) throw new Error(`${what}: expected ${right}, and it is ${left}`);
}

/** The same for what is no equality. */
export function holdThat(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`${what}: it is not so`);
}
