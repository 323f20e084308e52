import { describe, expect, it } from 'vitest';
import { CallerMarks, HeadMark } from './caller-marks';

describe('the mark of a caller', () => {
  it('rises, and is set lower only on purpose', () => {
    const mark = new HeadMark();
    expect(mark.heightAt(0, 0)).toBe(0);
    mark.rise(0, 100, 0);
    mark.rise(0, 97, 1);
    expect(mark.heightAt(0, 2)).toBe(100);
    mark.set(0, 98, 3);
    expect(mark.heightAt(0, 4)).toBe(98);
  });

  it('counts for five minutes', () => {
    const mark = new HeadMark();
    mark.rise(0, 100, 1_000);
    expect([mark.heightAt(0, 301_000), mark.heightAt(0, 301_001)]).toEqual([100, 0]);
    mark.rise(0, 5, 301_001);
    expect(mark.heightAt(0, 301_002)).toBe(5);
  });

  it('is one for each commitment', () => {
    const mark = new HeadMark();
    mark.rise(2, 132, 0);
    mark.rise(0, 100, 0);
    expect([0, 1, 2].map((commitment) => mark.heightAt(commitment as 0, 1))).toEqual([100, 0, 132]);
  });

  it('takes over what a batch was told, and nothing that would undo what another call was told meanwhile', () => {
    const after = (meanwhile: number, told: number): number => {
      const mark = new HeadMark();
      mark.rise(0, 100, 0);
      const copy = mark.copy();
      const before = mark.copy();
      mark.rise(0, meanwhile, 1);
      copy.set(0, told, 1);
      mark.take(copy, before, 2);
      return mark.heightAt(0, 3);
    };
    expect([after(100, 103), after(105, 103), after(100, 98), after(105, 98), after(105, 100)]).toEqual([
      103, 105, 98, 105, 105,
    ]);
  });
});

describe('the marks of callers', () => {
  it('are apart by account, and the same for one', () => {
    const marks = new CallerMarks();
    marks.of(1).rise(0, 100, 0);
    expect([marks.of(1).heightAt(0, 1), marks.of(2).heightAt(0, 1)]).toEqual([100, 0]);
  });

  it('are bounded: the account that called least recently is forgotten', () => {
    const marks = new CallerMarks(3);
    for (const account of [1, 2, 3]) marks.of(account).rise(0, 100, 0);
    marks.of(1);
    marks.of(4);
    expect(marks.size).toBe(3);
    expect([1, 3, 4].map((account) => marks.of(account).heightAt(0, 1))).toEqual([100, 100, 0]);
    expect(marks.of(2).heightAt(0, 1)).toBe(0);
  });
});
