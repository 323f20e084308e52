import { describe, expect, it } from 'vitest';
import type { HeadCommitment } from './head-height';
import { type HeadFloor, NodeHeads } from './node-heads';

const silent = (): Promise<number | null> => Promise.reject(new Error('silent'));
const floorAt = (height: number, isVerified = false, commitment: HeadCommitment = 0): HeadFloor => ({
  commitment,
  height,
  heightMax: height + 1_000,
  isVerified,
});

describe('what is known of an upstream’s head', () => {
  it('is what it told last, by commitment', () => {
    const heads = new NodeHeads(silent);
    expect(heads.heightOf(0)).toBe(0);
    heads.told(0, 100, 0, 10);
    heads.told(0, 98, 20, 30);
    heads.told(2, 132, 20, 30);
    expect([heads.heightOf(0), heads.heightOf(1), heads.heightOf(2)]).toEqual([98, 0, 132]);
    expect([heads.isAt(floorAt(98)), heads.isAt(floorAt(99))]).toEqual([true, false]);
    heads.told(0, 2 ** 52, 40, 50);
    expect(heads.isAt(floorAt(98))).toBe(false);
  });

  it('is not taken back by an answer to what was asked before', () => {
    const heads = new NodeHeads(silent);
    heads.told(0, 100, 0, 10);
    heads.told(0, 99, 5, 20);
    expect(heads.heightOf(0)).toBe(100);
  });

  it('rises with blocks that it has, and does not fall with them', () => {
    const heads = new NodeHeads(silent);
    heads.has(0, 100, 0);
    heads.has(0, 50, 1);
    expect(heads.heightOf(0)).toBe(100);
  });

  it('proves nothing against others after half a minute', () => {
    const heads = new NodeHeads(silent);
    heads.told(0, 100, 0, 1_000);
    expect([heads.freshHeightOf(0, 31_000), heads.freshHeightOf(0, 31_001), heads.freshHeightOf(1, 0)]).toEqual([
      100,
      null,
      null,
    ]);
  });
});

describe('a read whose answer tells the height', () => {
  const floor = floorAt(100, true);

  it('may go to an upstream of which nothing is known, and others may not', () => {
    const heads = new NodeHeads(silent);
    expect([heads.mayServe(floor, 0), heads.mayServe(floorAt(100), 0)]).toEqual([true, false]);
  });

  it('goes to one that is behind once a second, and ever more rarely while it stays behind', () => {
    const heads = new NodeHeads(silent);
    const tries: number[] = [];
    for (let now = 0; now <= 120_000; now += 100) {
      if (!heads.mayServe(floor, now)) continue;
      tries.push(now);
      heads.tried(0, now);
      heads.told(0, 97, now, now + 10);
      heads.judged(0, true, now);
    }
    expect(tries.slice(0, 5).map((now, i) => now - (tries[i - 1] ?? 0))).toEqual([0, 2_100, 4_100, 8_100, 16_100]);
    expect(tries.length).toBeLessThan(10);
    heads.judged(0, false, 0);
    heads.told(0, 97, 130_000, 130_000);
    expect([heads.mayServe(floor, 130_900), heads.mayServe(floor, 131_000)]).toEqual([false, true]);
  });

  it('is tried by one call, and counts once however many wait for its answer', () => {
    const heads = new NodeHeads(silent);
    heads.tried(0, 1_000);
    expect(heads.mayServe(floor, 1_001)).toBe(false);
    heads.told(0, 97, 1_000, 1_010);
    for (let i = 0; i < 50; i++) heads.judged(0, true, 1_000);
    expect([heads.mayServe(floor, 3_009), heads.mayServe(floor, 3_010)]).toEqual([false, true]);
  });
});

describe('a look', () => {
  it('is shared, is made no more often than four times a second, and tells the height', async () => {
    let looks = 0;
    const heads = new NodeHeads(async (commitment) => {
      looks++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 100 + commitment;
    });
    await Promise.all([heads.look(0), heads.look(0), heads.look(1)]);
    expect([looks, heads.heightOf(0), heads.heightOf(1)]).toEqual([2, 100, 101]);
    await heads.look(0);
    expect(looks).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await heads.look(0);
    expect(looks).toBe(3);
  });

  it.each<[string, () => Promise<number | null>]>([
    ['fails', silent],
    ['says no height', () => Promise.resolve(null)],
  ])('that %s leaves what was known', async (_what, ask) => {
    const heads = new NodeHeads(ask);
    heads.told(0, 100, -1_000, -1_000);
    await heads.look(0);
    expect(heads.heightOf(0)).toBe(100);
  });
});
