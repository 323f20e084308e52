import { describe, expect, it } from 'vitest';
import { CredibleHead } from './known-heads';

const ABSURD = 2 ** 52;

describe('the credible head of a chain', () => {
  it('is the highest that upstreams say, at first also where they are far apart: one that synchronizes is behind', () => {
    expect(new CredibleHead().among([20_000_000, 5_000], 0)).toBe(20_000_000);
    expect(new CredibleHead().among([19_000_000, 20_000_000, 18_999_990], 0)).toBe(20_000_000);
    expect(new CredibleHead().among([7, 9, 8], 0)).toBe(9);
  });

  it('is not what one makes up at first where two others agree on less than half of it', () => {
    expect(new CredibleHead().among([20_000_000, ABSURD, 20_000_003], 0)).toBe(20_000_003);
    expect(new CredibleHead().among([ABSURD, 20_000_000, 20_000_003, ABSURD - 50_000], 0)).toBe(20_000_003);
  });

  it('is not what one leaps to, one against one too', () => {
    const head = new CredibleHead();
    head.among([100, 102], 0);
    expect(head.among([103, ABSURD], 30_000)).toBe(103);
    expect(head.among([106, ABSURD + 3], 60_000)).toBe(106);
    expect(head.among([109, 108], 90_000)).toBe(109);
  });

  it('is what one is ahead to by as much as a fast chain makes: the others may hang', () => {
    const head = new CredibleHead();
    head.among([100, 100, 100], 0);
    expect(head.among([100, 100, 3_900], 30_000)).toBe(3_900);
    expect(head.among([100, 100, 7_000], 60_000)).toBe(7_000);
  });

  it('is what two leap to together', () => {
    const head = new CredibleHead();
    head.among([100, 101, 102], 0);
    expect(head.among([103, 9_000_000, 9_000_001], 30_000)).toBe(9_000_001);
  });

  it('is what the only one says that answers, and what counts five minutes later', () => {
    const head = new CredibleHead();
    head.among([100, 101], 0);
    expect(head.among([-Infinity, ABSURD], 30_000)).toBe(ABSURD);
    const quiet = new CredibleHead();
    quiet.among([100, 101], 0);
    expect(quiet.among([101, 900_000], 301_000)).toBe(900_000);
  });

  it('goes back with a chain that does', () => {
    const head = new CredibleHead();
    head.among([100_000, 100_000], 0);
    expect(head.among([12, 10], 30_000)).toBe(12);
  });

  it('is -Infinity if no upstream reports a height', () => {
    expect(new CredibleHead().among([], 0)).toBe(-Infinity);
    expect(new CredibleHead().among([-Infinity, NaN], 0)).toBe(-Infinity);
  });
});
