import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { RollingCredits } from './credit-cap';

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20, 12);

describe('credits of the last 24 hours', () => {
  it('count for 24 hours at least and 24 hours and a minute at most, as freeAt says', () => {
    for (const second of [0, 1, 30, 59]) {
      const at = START + second * 1_000 + 999;
      const credits = new RollingCredits();
      credits.add(at, 7);
      const free = credits.freeAt(at, 7);
      expect(free).toBeGreaterThan(at + DAY);
      expect(free).toBeLessThanOrEqual(at + DAY + MINUTE);
      expect(credits.charged(free - 1)).toBe(7);
      expect(credits.charged(free)).toBe(0);
    }
  });

  it('say when enough are free, and no later than that', () => {
    const credits = new RollingCredits();
    for (let i = 0; i < 10; i++) credits.add(START + i * 10 * MINUTE, 10);
    const free = credits.freeAt(START, 35);
    expect(credits.charged(free - 1)).toBe(70);
    expect(credits.charged(free)).toBe(60);
  });

  it('take back exactly what was added, also when another minute has begun', () => {
    const credits = new RollingCredits();
    credits.add(START, 10);
    credits.add(START + MINUTE, 5);
    credits.add(START, -10);
    expect(credits.charged(START + MINUTE)).toBe(5);
    expect(credits.charged(START + DAY + MINUTE)).toBe(5);
    expect(credits.charged(START + DAY + 2 * MINUTE)).toBe(0);
  });

  it('are counted by the minute of their charge when the clock steps back, and those forgotten count again', () => {
    const credits = new RollingCredits();
    credits.add(START + 60 * MINUTE, 1);
    credits.add(START, 2);
    credits.add(START + 30 * MINUTE, 4);
    expect(credits.charged(START + DAY)).toBe(7);
    expect(credits.charged(START + DAY + MINUTE)).toBe(5);
    expect(credits.charged(START + DAY)).toBe(7);
    credits.add(START - MINUTE, 8);
    expect(credits.charged(START + DAY)).toBe(7);
    expect(credits.charged(START + DAY - MINUTE)).toBe(15);
    expect(credits.charged(START + DAY + 62 * MINUTE)).toBe(0);
  });

  it('agree with a list of every addition, over days', () => {
    const random = new SeededRandom(31);
    const credits = new RollingCredits();
    const all: { minute: number; amount: number }[] = [];
    let now = START;
    for (let i = 0; i < 20_000; i++) {
      now += random.chance(0.01) ? random.integer(-3, 300) * MINUTE : random.integer(0, 2) * 20_000;
      const amount = random.integer(1, 80);
      credits.add(now, amount);
      all.push({ minute: Math.floor(now / MINUTE), amount });
      if (i % 100 === 0) {
        const oldest = Math.floor(now / MINUTE) - 24 * 60;
        expect(credits.charged(now)).toBe(
          all.reduce((sum, { minute, amount: each }) => (minute >= oldest ? sum + each : sum), 0),
        );
      }
    }
  });
});
