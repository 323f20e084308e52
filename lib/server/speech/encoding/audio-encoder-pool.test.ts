import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { until } from '@/test/until';
import { AudioEncoderPool, type AudioEncoderPoolOptions } from './audio-encoder-pool';
import { collected, demuxed, inPieces, poolUnderTest, tone } from './encoding-under-test';
import { EncodersBusyError, EncodingFailedError } from './encoding-error';

const pools: AudioEncoderPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function realPool(options: AudioEncoderPoolOptions = {}): AudioEncoderPool {
  const pool = poolUnderTest(options);
  pools.push(pool);
  return pool;
}

/** Creates a pool whose encoder program answers every message with `source`. */
function poolOf(source: string, options: AudioEncoderPoolOptions = {}): AudioEncoderPool {
  const programFile = join(tempFolder(), 'encoder.mjs');
  writeFileSync(
    programFile,
    `import { Socket } from 'node:net';
const { samples, finish, taken, finished, failed } = { samples: 2, finish: 3, taken: 6, finished: 7, failed: 8 };
const wire = new Socket({ fd: 3 });
const answer = (type, job, text) => wire.write(Buffer.concat([Buffer.from([type, job, 0, 0, 0, text.length, 0, 0, 0]), Buffer.from(text)]));
wire.on('data', async (all) => { for (let at = 0; at + 9 <= all.length; at += 9 + all.readUInt32LE(at + 5)) { const [type, job] = all.subarray(at); ${source} } });
wire.on('close', () => process.exit());`,
  );
  const pool = new AudioEncoderPool({ programFile, ...options });
  pools.push(pool);
  return pool;
}

/** Source that never ends, and knows whether it was closed. */
function endless(): { samples: AsyncGenerator<Int16Array>; pulled: () => number; hasEnded: () => boolean } {
  let pulled = 0;
  let ended = false;
  async function* source(): AsyncGenerator<Int16Array> {
    try {
      for (;;) {
        pulled += 1;
        yield tone(0.5);
      }
    } finally {
      ended = true;
    }
  }
  return { samples: source(), pulled: () => pulled, hasEnded: () => ended };
}

const mp3 = { format: 'mp3', isStreamed: true } as const;

describe('AudioEncoderPool', () => {
  it('encodes many at once, each its own', async () => {
    const pool = realPool({ processes: 2 });
    const seconds = [0.5, 1, 1.5, 2, 2.5, 3];
    const files = await Promise.all(
      seconds.map((each, index) =>
        collected(pool.encode({ format: index % 2 ? 'mp3' : 'opus', isStreamed: true }, inPieces(tone(each), 5_000))),
      ),
    );
    for (const [index, file] of files.entries())
      expect(Math.abs((await demuxed(file)).seconds - (seconds[index] ?? 0))).toBeLessThan(0.1);
    expect(pool.load).toEqual({ running: 0, waiting: 0 });
  });

  it('gives the first bytes of a stream before the source has ended', async () => {
    const pool = realPool();
    for (const format of ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const) {
      const source = endless();
      for await (const bytes of pool.encode({ format, isStreamed: true }, source.samples)) {
        expect(bytes.length).toBeGreaterThan(0);
        break;
      }
      await until(source.hasEnded);
    }
  }, 30_000);

  it('makes the source wait for a slow reader', { timeout: 20_000 }, async () => {
    const source = endless();
    const bytes = realPool().encode({ format: 'flac', isStreamed: true }, source.samples);
    await bytes.next();
    // When the source stops, it has run ahead only up to the limit.
    let seen = -1;
    const isAtRest = () => {
      const before = seen;
      seen = source.pulled();
      return seen === before;
    };
    await expect.poll(isAtRest, { interval: 700, timeout: 15_000 }).toBe(true);
    expect(seen).toBeLessThan(100);
    await bytes.return(undefined);
    await until(source.hasEnded);
  });

  it.each(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const)(
    '%s: a signal ends the job, the source, and frees its place',
    async (format) => {
      const pool = realPool({ jobsMax: 1 });
      const source = endless();
      const stop = new AbortController();
      const bytes = pool.encode({ format, isStreamed: true, signal: stop.signal }, source.samples);
      await bytes.next();
      stop.abort(new Error('enough'));
      await expect(collected(bytes)).rejects.toThrow('enough');
      await until(source.hasEnded);
      expect(
        (await collected(pool.encode({ format, isStreamed: false }, inPieces(tone(0.1), 999)))).length,
      ).toBeGreaterThan(100);
    },
  );

  it('hands on what the source throws, and frees the place', async () => {
    const pool = realPool({ jobsMax: 1 });
    async function* failing(): AsyncGenerator<Int16Array> {
      yield tone(0.1);
      throw new Error('The voice died.');
    }
    for (const format of ['mp3', 'wav'] as const)
      await expect(collected(pool.encode({ format, isStreamed: false }, failing()))).rejects.toThrow('The voice died.');
    expect(pool.load).toEqual({ running: 0, waiting: 0 });
  });

  it('refuses at once when the queue is full, and lets the queue in later', async () => {
    const pool = realPool({ jobsMax: 1, queueMax: 1 });
    const first = pool.encode(mp3, endless().samples);
    await first.next();
    const second = collected(pool.encode(mp3, inPieces(tone(0.1), 999)));
    await until(() => pool.load.waiting === 1);
    const refusal = await pool
      .encode(mp3, inPieces(tone(0.1), 999))
      .next()
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EncodersBusyError);
    expect((refusal as EncodersBusyError).retryAfterSeconds).toBeGreaterThan(0);
    await first.return(undefined);
    expect((await second).length).toBeGreaterThan(100);
  });

  it('lets a waiting job leave the queue', async () => {
    const pool = realPool({ jobsMax: 1, queueMax: 1 });
    const first = pool.encode(mp3, endless().samples);
    await first.next();
    const leaving = new AbortController();
    const second = collected(pool.encode({ ...mp3, signal: leaving.signal }, inPieces(tone(0.1), 999)));
    await until(() => pool.load.waiting === 1);
    leaving.abort(new Error('bored'));
    await expect(second).rejects.toThrow('bored');
    await first.return(undefined);
    expect(pool.load).toEqual({ running: 0, waiting: 0 });
  });
});

describe('warming up', () => {
  it('has one encoder load every format, and leaves no job behind', async () => {
    const opened = join(tempFolder(), 'opened');
    const source = `if (type === 1) (await import('node:fs')).appendFileSync(${JSON.stringify(opened)}, JSON.parse(all.subarray(at + 9, at + 9 + all.readUInt32LE(at + 5))).format + ' ');
      if (type === samples) answer(taken, job, '');
      if (type === finish) answer(finished, job, '');`;
    const pool = poolOf(source);
    await pool.warmUp();
    expect(readFileSync(opened, 'utf8')).toBe('mp3 opus aac flac ');
    expect(pool.load).toEqual({ running: 0, waiting: 0 });
  });

  it('works with the real encoder', async () => {
    const pool = realPool();
    await pool.warmUp();
    expect(
      (await collected(pool.encode({ format: 'flac', isStreamed: false }, inPieces(tone(0.1), 999)))).length,
    ).toBeGreaterThan(100);
  });
});

describe('a process that fails', () => {
  it.each([
    ['dies', 'if (type === samples) process.exit(1);'],
    ['throws', "if (type === samples) throw new Error('broken');"],
    ['refuses', "if (type === samples) answer(failed, job, 'broken');"],
  ])('%s: its jobs fail, and their places are free', async (_, source) => {
    const pool = poolOf(source);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const jobs = [1, 2].map(() => collected(pool.encode(mp3, inPieces(tone(0.1), 999))));
      for (const job of jobs) await expect(job).rejects.toThrow(EncodingFailedError);
    }
    expect(pool.load).toEqual({ running: 0, waiting: 0 });
  });

  it('is given up when it is silent for too long', async () => {
    for (const source of ['', 'for (;;);']) {
      const pool = poolOf(source, { silenceTimeoutMs: 200 });
      await expect(collected(pool.encode(mp3, inPieces(tone(0.1), 999)))).rejects.toThrow('did not answer in time');
    }
  });

  it('is missing: an error that says so', async () => {
    const pool = new AudioEncoderPool({ programFile: '/nowhere/encoder.mjs' });
    pools.push(pool);
    await expect(collected(pool.encode(mp3, inPieces(tone(0.1), 999)))).rejects.toThrow(EncodingFailedError);
  });

  it('because its pool was closed is not replaced: jobs that wait or come later fail', async () => {
    const pool = poolOf("answer(type === finish ? finished : taken, job, '');", { jobsMax: 1 });
    const source = endless();
    const jobs = [collected(pool.encode(mp3, source.samples)), collected(pool.encode(mp3, inPieces(tone(0.1), 999)))];
    const outcomes = Promise.allSettled(jobs);
    await until(() => source.pulled() > 1);
    await pool.close();
    await expect(collected(pool.encode(mp3, inPieces(tone(0.1), 999)))).rejects.toThrow(EncodingFailedError);
    const failed = { status: 'rejected', reason: expect.any(EncodingFailedError) };
    expect(await outcomes).toEqual([failed, failed]);
  });
});
