import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Deadlines, type Timed } from './deadlines';

class Probe implements Timed {
  slot = -1;
  endedAt: number | null = null;
  readonly deadline: number;

  constructor(
    inMs: number,
    private readonly then: () => void = () => undefined,
  ) {
    this.deadline = performance.now() + inMs;
  }

  onDeadline(): void {
    this.endedAt = performance.now();
    this.then();
  }
}

it('ends what is over, once and never early, and leaves the rest', async () => {
  const deadlines = new Deadlines();
  const probes = [30, 10, 60_000, 20].map((inMs) => new Probe(inMs));
  for (const probe of probes) deadlines.add(probe);
  while (probes.some(({ deadline, endedAt }) => endedAt === null && deadline < performance.now() + 1_000))
    await sleep(5);
  for (const { deadline, endedAt } of probes) if (endedAt !== null) expect(endedAt).toBeGreaterThanOrEqual(deadline);
  expect(probes.map(({ endedAt }) => endedAt !== null)).toEqual([true, true, false, true]);
  deadlines.remove(probes[2] as Probe);
});

it('does not end what was taken off, by whomever and whenever', async () => {
  const deadlines = new Deadlines();
  const late = new Probe(20);
  const removed = new Probe(10);
  const remover = new Probe(10, () => deadlines.remove(late));
  for (const probe of [remover, removed, late]) deadlines.add(probe);
  deadlines.remove(removed);
  deadlines.remove(removed);
  await sleep(60);
  expect([remover, removed, late].map(({ endedAt }) => endedAt !== null)).toEqual([true, false, false]);
});
