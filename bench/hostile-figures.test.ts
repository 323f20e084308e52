import { describe, expect, it } from 'vitest';
import { hostileFigures, type HostileWindow } from './hostile-figures';

/** Returns samples of which 4 % take `slowMs`. */
const samples = (slowMs: number): number[] =>
  Array.from({ length: 1_000 }, (_none, index) => (index % 25 === 0 ? slowMs : 0.1));
const window = (kind: string, idleP99Ms: number, firedP99Ms: number, sent = 1_000): HostileWindow => ({
  kind,
  idleMs: samples(idleP99Ms),
  firedMs: samples(firedP99Ms),
  sent,
  statuses: `400 × ${sent}`,
});

describe('the figures of hostile requests', () => {
  it('hold every kind against one baseline', () => {
    const { idle, rows } = hostileFigures([window('a', 1, 2), window('b', 1, 4)]);
    expect(idle).toMatchObject({ p99Ms: 1, samples: 2_000, windows: 2 });
    expect(rows.map(({ kind, ratio }) => [kind, ratio])).toEqual([
      ['a', 2],
      ['b', 4],
    ]);
  });

  it('take the median of the rounds, so that neither a lucky nor a disturbed one decides', () => {
    const { rows } = hostileFigures([window('a', 1, 2), window('a', 1, 50), window('a', 1, 3)]);
    expect(rows).toMatchObject([{ kind: 'a', firedP99Ms: 3, ratio: 3 }]);
  });

  it('do not become lenient by idle windows that something else disturbed', () => {
    const { idle, rows } = hostileFigures([
      ...Array.from({ length: 4 }, () => window('a', 1, 4)),
      window('a', 100, 4),
      window('a', 100, 4),
      window('a', 100, 4),
    ]);
    expect(idle.pooledP99Ms).toBeGreaterThan(50);
    expect(idle).toMatchObject({ p99Ms: 1, medianP99Ms: 1, lowestP99Ms: 1, highestP99Ms: 100 });
    expect(rows[0]?.ratio).toBe(4);
  });

  it('take the pool where it is the lower, so that a window of few samples has no more weight than they have', () => {
    const quick: HostileWindow = { ...window('a', 1, 4), idleMs: Array<number>(100_000).fill(0.2) };
    const { idle } = hostileFigures([quick, window('a', 2, 4), window('a', 2, 4)]);
    expect(idle).toMatchObject({ p99Ms: 0.2, medianP99Ms: 2 });
  });

  it('tell of the round in which fewest were sent', () => {
    expect(hostileFigures([window('a', 1, 2), window('a', 1, 2, 700)]).rows).toMatchObject([
      { sent: 700, statuses: '400 × 700' },
    ]);
  });

  it('are absent without idle samples', () => {
    expect(() => hostileFigures([{ ...window('a', 1, 2), idleMs: [] }])).toThrow('no idle samples');
  });
});
