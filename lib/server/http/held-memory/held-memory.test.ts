import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { HeldMemory, type HeldMemoryLimits } from './held-memory';

const KIB = 1024;
const LIMITS: HeldMemoryLimits = {
  answersBytesMax: 1_000 * KIB,
  callerBytesMax: 500 * KIB,
  waitingMax: 2,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 5_000,
};
const [ALICE, BOB] = [1, 2];

function memoryOf(limits: Partial<HeldMemoryLimits> = {}): HeldMemory {
  vi.useFakeTimers();
  const memory = new HeldMemory({ ...LIMITS, ...limits }, () => Date.now());
  onTestFinished(() => {
    memory.close();
    vi.useRealTimers();
  });
  return memory;
}

function whole(memory: HeldMemory, bytes: number): Buffer {
  const answer = Buffer.allocUnsafeSlow(bytes);
  const arrival = memory.arrive(() => undefined);
  expect(arrival.claim(bytes)).toBe(true);
  arrival.complete(answer);
  return answer;
}

function refusalOf(memory: HeldMemory, caller = ALICE): { code: string; retryAfter: string | undefined } | null {
  try {
    memory.admit(caller);
    return null;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { code: error.code, retryAfter: error.headers?.['retry-after'] };
  }
}

describe('an answer that comes', () => {
  it('is counted from its claim until it is released, and its memory is given back then', () => {
    const memory = memoryOf();
    const arrival = memory.arrive(() => undefined);
    expect(arrival.claim(300 * KIB)).toBe(true);
    expect(memory.figures).toMatchObject({ heldBytes: 300 * KIB, arrivingBytes: 300 * KIB });
    const answer = Buffer.allocUnsafeSlow(300 * KIB);
    arrival.complete(answer);
    expect(memory.figures).toMatchObject({ heldBytes: 300 * KIB, arrivingBytes: 0 });
    memory.release([answer.subarray(10, 20), answer.subarray(30, 40)]);
    expect(memory.figures.heldBytes).toBe(0);
    expect(answer.buffer.byteLength).toBe(0);
  });

  it('waits where the sum is reached, in turn, until there is room', () => {
    const memory = memoryOf();
    const first = whole(memory, 800 * KIB);
    const told: string[] = [];
    const [large, small] = [memory.arrive(() => told.push('large')), memory.arrive(() => told.push('small'))];
    expect([large.claim(400 * KIB), small.claim(100 * KIB)]).toEqual([false, false]);
    expect(memory.figures).toMatchObject({ heldBytes: 800 * KIB, waiting: 2, waitedTotal: 2 });
    memory.release(first);
    expect(told).toEqual(['large', 'small']);
    expect(memory.figures).toMatchObject({ heldBytes: 500 * KIB, waiting: 0 });
  });

  it('larger than the sum comes when nothing else is held', () => {
    const memory = memoryOf();
    const first = whole(memory, 10 * KIB);
    const huge = memory.arrive(() => undefined);
    expect(huge.claim(5_000 * KIB)).toBe(false);
    memory.release(first);
    expect(huge.isWaiting).toBe(false);
  });

  it('that does not say how long it is goes on beyond the sum where all others wait too: nobody waits for ever', () => {
    const memory = memoryOf();
    const told: string[] = [];
    const [oldest, second] = [memory.arrive(() => told.push('oldest')), memory.arrive(() => told.push('second'))];
    expect([oldest.claim(500 * KIB), second.claim(500 * KIB)]).toEqual([true, true]);
    expect(second.claim(100 * KIB)).toBe(false);
    expect(oldest.claim(100 * KIB)).toBe(true);
    expect(oldest.claim(100 * KIB)).toBe(true);
    expect(memory.figures.heldBytes).toBe(1_200 * KIB);
    const answer = Buffer.allocUnsafeSlow(650 * KIB);
    oldest.complete(answer);
    expect(second.isWaiting).toBe(true);
    memory.release(answer);
    expect(told.at(-1)).toBe('second');
    expect(memory.figures.heldBytes).toBe(600 * KIB);
  });

  it('that breaks off, or is whole while it waits, leaves nothing behind', () => {
    const memory = memoryOf();
    const first = whole(memory, 1_000 * KIB);
    const [broken, short] = [memory.arrive(() => undefined), memory.arrive(() => undefined)];
    broken.claim(300 * KIB);
    short.claim(70 * KIB);
    broken.drop();
    broken.drop();
    const answer = Buffer.allocUnsafeSlow(70 * KIB);
    short.complete(answer);
    expect(memory.figures).toMatchObject({ heldBytes: 1_070 * KIB, waiting: 0 });
    memory.release(first);
    memory.release(answer);
    memory.release(answer);
    expect(memory.figures.heldBytes).toBe(0);
  });
});

describe('bytes that several have', () => {
  it('are given back when the last of them is through', () => {
    const memory = memoryOf();
    const answer = whole(memory, 100 * KIB);
    memory.share(answer, 2);
    memory.release(answer);
    memory.release(answer);
    expect([memory.figures.heldBytes, answer.byteLength]).toEqual([100 * KIB, 100 * KIB]);
    memory.release(answer);
    expect([memory.figures.heldBytes, answer.byteLength]).toEqual([0, 0]);
  });

  it('are never taken from a cache, or from holders that do not release them', () => {
    const memory = memoryOf();
    const cached = Buffer.allocUnsafeSlow(100 * KIB);
    memory.exempt(cached);
    memory.read(cached, ALICE, () => undefined).end(true);
    const answer = whole(memory, 100 * KIB);
    memory.read(answer, ALICE, () => undefined).end(false);
    expect([cached.byteLength, answer.byteLength, memory.figures.heldBytes]).toEqual([100 * KIB, 100 * KIB, 0]);
  });
});

describe('new work', () => {
  it('is refused with 503 and Retry-After when as many answers wait as may', () => {
    const memory = memoryOf();
    const held = whole(memory, 1_000 * KIB);
    expect(refusalOf(memory)).toBeNull();
    for (let i = 0; i < LIMITS.waitingMax; i++) memory.arrive(() => undefined).claim(100 * KIB);
    expect(refusalOf(memory)).toEqual({ code: 'OVERLOADED', retryAfter: '5' });
    expect(memory.figures.refusedTotal).toBe(1);
    memory.release(held);
    expect(refusalOf(memory)).toBeNull();
  });

  it('is refused to callers with several calls under way while an eighth of the answers waits that may; others are served', () => {
    const memory = memoryOf({ waitingMax: 16 });
    const held = whole(memory, 1_000 * KIB);
    const underWay = { of: (account: number) => (account === ALICE ? 4 : 3) };
    memory.admit(ALICE, underWay);
    for (let i = 0; i < 2; i++) memory.arrive(() => undefined).claim(100 * KIB);
    expect(() => memory.admit(ALICE, underWay)).toThrow();
    memory.admit(BOB, underWay);
    for (let i = 0; i < 14; i++) memory.arrive(() => undefined).claim(100 * KIB);
    expect(() => memory.admit(BOB, underWay)).toThrow();
    memory.release(held);
  });

  it('is refused when what cannot wait has come to half as much again', () => {
    const memory = memoryOf();
    const readings = Array.from({ length: 15 }, (_none, caller) =>
      memory.read('x'.repeat(100 * KIB), caller + 10, () => undefined),
    );
    expect(refusalOf(memory)).toMatchObject({ code: 'OVERLOADED' });
    for (const reading of readings) reading.end(true);
    expect(refusalOf(memory)).toBeNull();
    expect(memory.figures).toMatchObject({ heldBytes: 0, readers: 0 });
  });

  it('of a caller who has not read what it has is refused, and that of others is not', () => {
    const memory = memoryOf();
    const reading = memory.read(whole(memory, 500 * KIB), ALICE, () => undefined);
    expect([refusalOf(memory, ALICE)?.code, refusalOf(memory, BOB)]).toEqual(['OVERLOADED', null]);
    expect(memory.figures.callerRefusedTotal).toBe(1);
    reading.end(true);
    expect(refusalOf(memory, ALICE)).toBeNull();
  });
});

describe('a reader', () => {
  it('is given up after so long without progress, and not while it takes a part now and then', () => {
    const memory = memoryOf();
    const gone: string[] = [];
    const [idle, slow] = ['idle', 'slow'].map((name) =>
      memory.read('x'.repeat(100 * KIB), ALICE, () => void gone.push(name)),
    );
    for (let i = 0; i < 4; i++) {
      vi.advanceTimersByTime(30_000);
      slow?.progressed();
    }
    expect(gone).toEqual(['idle']);
    idle?.end(true);
    vi.advanceTimersByTime(59_000);
    expect(gone).toEqual(['idle']);
    vi.advanceTimersByTime(3_000);
    expect(gone).toEqual(['idle', 'slow']);
    expect(memory.figures.givenUpTotal).toBe(2);
  });

  it('is given up sooner while others wait for the memory', () => {
    const memory = memoryOf();
    const answer = whole(memory, 1_000 * KIB);
    let isGone = false;
    const reading = memory.read(answer, ALICE, () => {
      isGone = true;
      reading.end(true);
    });
    const waiting = memory.arrive(() => undefined);
    waiting.claim(200 * KIB);
    vi.advanceTimersByTime(4_000);
    expect(isGone).toBe(false);
    vi.advanceTimersByTime(2_500);
    expect([isGone, waiting.isWaiting]).toEqual([true, false]);
  });

  it('whose connection never says that it has closed is forgotten all the same', () => {
    const memory = memoryOf();
    memory.read('x'.repeat(100 * KIB), ALICE, () => undefined);
    vi.advanceTimersByTime(200_000);
    expect(memory.figures).toMatchObject({ heldBytes: 0, readers: 0, givenUpTotal: 1 });
  });
});
