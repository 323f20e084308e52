import fc from 'fast-check';
import { judge, type Verdict } from '../attack';
import type { CallOutcome, Generation } from './call-outcome';
import type { ToldCall } from './told-lies';

/** Number of calls per generated batch. */
const BATCH = 96;

type Run = (told: ToldCall) => Promise<CallOutcome>;

/**
 * Returns `held` if no call does anything forbidden. Otherwise finds the fewest lies with which a call still fails, and
 * names this call and the seed in the evidence.
 *
 * @param atOnce number of parallel calls
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

/** Runs all calls, at most `atOnce` at a time. Each finished call starts the next. */
async function withAtMost(atOnce: number, batch: readonly ToldCall[], run: Run): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < batch.length; at = next++) outcomes[at] = await run(batch[at] as ToldCall);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

/** Returns the failing call with a minimal set of lies; null if it does not fail again. */
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

/** Returns variants of the call, each without one lie or one edit. */
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
