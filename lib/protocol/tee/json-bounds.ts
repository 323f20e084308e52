import { Malformed } from './malformed';

/**
 * Maximum number of values in a report. The largest reports have 5,000 events, evidence of 64 GPUs, and revocation
 * lists as arrays of numbers.
 */
const VALUES_MAX = 1_000_000;
const CHARACTERS_MAX = 16_777_216;
const DEPTH_MAX = 64;

/**
 * Refuses parsed JSON that is larger or deeper than any report, before other code recurses over it.
 *
 * @param what name of the value in the error message
 * @throws {Malformed}
 */
export function assertBoundedJson(value: unknown, what: string): void {
  // Visits depth first, so that the stack's size is bounded by the depth.
  const open: Iterator<unknown>[] = [[value].values()];
  let [values, characters] = [0, 0];
  while (open.length > 0) {
    const { value: next, done } = (open.at(-1) as Iterator<unknown>).next();
    if (done) {
      open.pop();
      continue;
    }
    if (typeof next === 'string') characters += next.length;
    if (++values > VALUES_MAX || characters > CHARACTERS_MAX) throw new Malformed(`The ${what} is too large.`);
    if (typeof next !== 'object' || next === null) continue;
    if (open.length > DEPTH_MAX) throw new Malformed(`The ${what} is nested too deeply.`);
    open.push(Array.isArray(next) ? next.values() : membersOf(next));
  }
}

function* membersOf(value: object): Generator<unknown> {
  for (const name in value) yield (value as Readonly<Record<string, unknown>>)[name];
}
