import fc from 'fast-check';
import { judge, type Verdict } from '../attack';
import type { CallOutcome, Generation } from './call-outcome';
import type { ToldCall } from './told-lies';

/** Of which all come to their end before others are drawn. */
const BATCH = 96;

type Run = (told: ToldCall) => Promise<CallOutcome>;

/**
 * Holds where no call does what it must not, whatever it is told. A call that fails is told fewer lies until none can
 * be left out; the evidence names it, with the seed.
 *
 * @param atOnce calls that run at once
 */
export async function whateverIsTold(
  calls: fc.Arbitrary<ToldCall>,
  { answers, seed }: Generation,
  atOnce: number,
  run: Run,
): Promise<Verdict> {
  const endings = new Map<string, number>();
  let failed = null as ToldCall | null;
  let told = 0;
  const length = Math.min(BATCH, answers);
  const batches = fc.array(calls, { minLength: length, maxLength: length, size: 'max' });
  const property = fc.asyncProperty(batches, async (batch) => {
    const outcomes = await withAtMost(atOnce, batch, run);
    told += outcomes.length;
    for (const { ending } of outcomes) endings.set(ending, (endings.get(ending) ?? 0) + 1);
    const at = outcomes.findIndex(({ faults }) => faults.length > 0);
    if (at < 0) return true;
    failed = batch[at] ?? null;
    throw new Error(outcomes[at]?.faults[0]);
  });
  const details = await fc.check(property, { numRuns: Math.ceil(answers / length), seed, endOnFailure: true });
  const summary = `${told} calls with false answers, seed ${seed}: ${[...endings]
    .sort(([, one], [, other]) => other - one)
    .map(([ending, count]) => `${count} ${ending}`)
    .join(', ')}`;
  if (!details.failed) return judge(true, summary);
  const fault = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  const least = failed === null ? null : await leastOf(failed, run);
  return judge(false, `${least?.fault ?? fault} | told ${JSON.stringify(least?.told ?? failed)} | ${summary}`);
}

/** Runs all, so many at a time: what waits makes room for none, and holds none up. */
async function withAtMost(atOnce: number, batch: readonly ToldCall[], run: Run): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < batch.length; at = next++) outcomes[at] = await run(batch[at] as ToldCall);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

/** The same call with as few lies as still make it fail; null where it does not fail again. */
async function leastOf(failed: ToldCall, run: Run): Promise<{ told: ToldCall; fault: string } | null> {
  const faultOf = async (told: ToldCall) => (await run(told)).faults[0] ?? null;
  const fault = await faultOf(failed);
  if (fault === null) return null;
  let least = { told: failed, fault };
  for (;;) {
    let smaller: typeof least | null = null;
    for (const told of smallerThan(least.told)) {
      const still = await faultOf(told);
      if (still !== null) smaller ??= { told, fault: still };
      if (smaller) break;
    }
    if (smaller === null) return least;
    least = smaller;
  }
}

/** The same call without one of its lies, or without one of the changes of a lie. */
function smallerThan({ call, lies }: ToldCall): ToldCall[] {
  return Object.entries(lies).flatMap(([endpoint, list]) => {
    const withList = (changed: typeof list): ToldCall => ({
      call,
      lies: Object.fromEntries(Object.entries({ ...lies, [endpoint]: changed }).filter(([, each]) => each.length > 0)),
    });
    const without = list.map((_, at) => withList(list.toSpliced(at, 1)));
    const edits = list.flatMap((lie, at) =>
      lie.kind === 'members' && lie.edits.length > 1
        ? lie.edits.map((_, edit) => withList(list.with(at, { ...lie, edits: lie.edits.toSpliced(edit, 1) })))
        : [],
    );
    return [...without, ...edits];
  });
}
