import { describe, expect, it } from 'vitest';
import { SlotClock } from './slot-clock';

const SEED = new Uint8Array(32).fill(7);

function clockAt(startMs: number, slotMin = 0) {
  const time = { ms: startMs };
  return { time, clock: new SlotClock({ timeMs: 0, seed: SEED }, slotMin, () => time.ms) };
}

describe('SlotClock', () => {
  it('counts a slot every 400 ms without running', () => {
    const { time, clock } = clockAt(4_000);
    expect([clock.now(), clock.untilNextMs()]).toEqual([10, 400]);
    time.ms += 399;
    expect([clock.now(), clock.untilNextMs()]).toEqual([10, 1]);
    time.ms += 1;
    expect(clock.now()).toBe(11);
    expect(clock.timeOf(11)).toBe(4);
  });

  it('never goes back, where the machine does and after a restart', () => {
    const { time, clock } = clockAt(400_000);
    expect(clock.now()).toBe(1_000);
    time.ms = 0;
    expect(clock.now()).toBe(1_000);
    expect(clockAt(0, 1_000).clock.now()).toBe(1_000);
  });

  it('takes a blockhash for the 150 slots after its own, and not one longer', () => {
    const { time, clock } = clockAt(400_000);
    const blockhash = clock.blockhashOf(clock.now());
    expect(clock.isRecent(blockhash)).toBe(true);
    time.ms += 150 * 400;
    expect(clock.isRecent(blockhash)).toBe(true);
    time.ms += 400;
    expect(clock.isRecent(blockhash)).toBe(false);
  });

  it('takes neither a blockhash of the future nor one of another chain', () => {
    const { clock } = clockAt(400_000);
    expect(clock.isRecent(clock.blockhashOf(clock.now() + 1))).toBe(false);
    const other = new SlotClock({ timeMs: 0, seed: new Uint8Array(32).fill(8) }, 0, () => 400_000);
    expect(clock.isRecent(other.blockhashOf(other.now()))).toBe(false);
  });

  it('finds recent hashes at once after years of idling', () => {
    const { time, clock } = clockAt(400_000);
    expect(clock.isRecent(clock.blockhashOf(1_000))).toBe(true);
    time.ms += 10 * 365 * 86_400_000;
    const startedAtMs = performance.now();
    expect(clock.isRecent(clock.blockhashOf(clock.now()))).toBe(true);
    expect(performance.now() - startedAtMs).toBeLessThan(100);
  });
});
