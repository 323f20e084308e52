import { Malformed } from './malformed';

/** Beyond what any report has: 5,000 events, evidence of 64 GPUs, revocation lists as arrays of numbers. */
const VALUES_MAX = 1_000_000;
const CHARACTERS_MAX = 16_777_216;
const DEPTH_MAX = 64;

/**
 * Refuses parsed JSON that is larger or deeper than any report is, before anything walks through it: what recurses over
 * a deeper one would end in a stack overflow, and what copies a larger one would hold the page or the process.
 *
 * @param what names the value in the error's sentence
 * @throws {Malformed}
 */
export function assertBoundedJson(value: unknown, what: string): void {
  // A path down the value, not a queue of its width: memory is bounded by depth.
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
    if (open.length > DEPTH_MAX) throw new Malformed(`The ${what} is nested too deep.`);
    open.push(Array.isArray(next) ? next.values() : membersOf(next));
  }
}

function* membersOf(value: object): Generator<unknown> {
  for (const name in value) yield (value as Readonly<Record<string, unknown>>)[name];
}
