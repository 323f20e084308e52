import { describe, expect, it } from 'vitest';
import { SpareEncoders } from './spare-encoders';
import type { Emit } from './stream-encoder';

/** Encoders that emit their number at the start, and their number with the sample count on every write. */
function numbered({ failing = new Set<number>() } = {}) {
  const log = { started: 0, cancelled: [] as number[] };
  const start = async (emit: Emit) => {
    const number = ++log.started;
    if (failing.has(number)) throw new Error(`Number ${number} does not start.`);
    emit(Uint8Array.of(number));
    return {
      write: (samples: Int16Array) => emit(Uint8Array.of(number, samples.length)),
      finish: () => undefined,
      cancel: () => void log.cancelled.push(number),
    };
  };
  return { log, start };
}

/** Takes an encoder and writes once. @returns all bytes that it emitted */
async function use(spares: SpareEncoders): Promise<number[]> {
  const bytes: number[] = [];
  const encoder = await spares.take((part) => void bytes.push(...part));
  await encoder.write(new Int16Array(5));
  await encoder.finish();
  return bytes;
}

describe('SpareEncoders', () => {
  it('starts the next one ahead, and gives each away once, with all that it said before it was asked for', async () => {
    const { log, start } = numbered();
    const spares = new SpareEncoders(start);
    expect(await use(spares)).toEqual([1, 1, 5]);
    expect(log.started).toBe(2);
    expect(await use(spares)).toEqual([2, 2, 5]);
    expect(await use(spares)).toEqual([3, 3, 5]);
    expect(log.started).toBe(4);
  });

  it('starts none before one is asked for, nor before that has taken its first samples', async () => {
    const { log, start } = numbered();
    const spares = new SpareEncoders(start);
    expect(log.started).toBe(0);
    await spares.take(() => undefined);
    expect(log.started).toBe(1);
  });

  it('gives all who come at once one of their own', async () => {
    const { log, start } = numbered();
    const spares = new SpareEncoders(start);
    await use(spares);
    const all = await Promise.all(Array.from({ length: 4 }, () => use(spares)));
    expect(new Set(all.map(([number]) => number)).size).toBe(4);
    for (const [number, again, count] of all) expect([again, count]).toEqual([number, 5]);
    // Five used encoders and one spare.
    expect(log.started).toBe(6);
  });

  it('starts another where the spare one failed, and says so where that fails too', async () => {
    const { start } = numbered({ failing: new Set([2, 4, 5]) });
    const spares = new SpareEncoders(start);
    await use(spares);
    expect(await use(spares)).toEqual([3, 3, 5]);
    await expect(use(spares)).rejects.toThrow('Number 5 does not start.');
  });

  it('ends one that nobody asks for', async () => {
    const { log, start } = numbered();
    const spares = new SpareEncoders(start, 20);
    await use(spares);
    await expect.poll(() => log.cancelled, { timeout: 5_000 }).toEqual([2]);
    expect(await use(spares)).toEqual([3, 3, 5]);
  });
});
