import { describe, expect, it } from 'vitest';
import { InstancePool } from './instance-pool';
import type { UpstreamAnswer } from './model-exchange';

type Listed = Record<string, { key?: string; nonces: string[] }>;

/** Returns a clock, and a pool over a control server that answers these lists in turn. */
function poolOver(...lists: (Listed | number)[]) {
  const clock = { now: 1_000_000 };
  const asked: string[] = [];
  const ask = ({ path }: { path: string }): Promise<UpstreamAnswer> => {
    asked.push(path);
    const list = lists[Math.min(asked.length, lists.length) - 1] as Listed | number;
    const status = typeof list === 'number' ? list : 200;
    const json =
      typeof list === 'number'
        ? { detail: 'refused' }
        : {
            instances: Object.entries(list).map(([id, { key = 'AAAA', nonces }]) => ({
              instance_id: id,
              e2e_pubkey: key,
              nonces,
            })),
            nonce_expires_in: 60,
          };
    return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(json)) });
  };
  return { pool: new InstancePool({ ask, redact: (text) => text }, () => clock.now), clock, asked };
}

describe('nonces of instances', () => {
  it('are given out once each, and then others are asked for', async () => {
    const { pool, asked } = poolOver({ a: { nonces: ['1', '2'] } }, { a: { nonces: ['3'] } });
    expect([await pool.take('c 1', 'a'), await pool.take('c 1', 'a'), await pool.take('c 1', 'a')]).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(asked).toEqual(['/e2e/instances/c%201', '/e2e/instances/c%201']);
  });

  it('are asked for once by all who wait', async () => {
    const { pool, asked } = poolOver({ a: { nonces: ['1', '2', '3'] } });
    expect((await Promise.all(['a', 'a', 'a'].map((id) => pool.take('c', id)))).sort()).toEqual(['1', '2', '3']);
    expect(asked).toHaveLength(1);
  });

  it('are not given for an instance that is not listed, whom nobody can have listed again and again', async () => {
    const { pool, clock, asked } = poolOver({ a: { nonces: ['1'] } });
    expect([await pool.take('c', 'other'), await pool.take('c', 'other')]).toEqual([null, null]);
    expect(asked).toHaveLength(1);
    clock.now += 2_001;
    expect(await pool.take('c', 'other')).toBeNull();
    expect(asked).toHaveLength(2);
  });

  it('are not given where the lists have none, after a few of them', async () => {
    const { pool, asked } = poolOver({ a: { nonces: [] } });
    expect(await pool.take('c', 'a')).toBeNull();
    expect(asked).toHaveLength(3);
  });

  it('are forgotten a moment before they expire, with instances that are not listed again', async () => {
    const { pool, clock } = poolOver({ a: { nonces: ['1', '2'] }, b: { nonces: ['3'] } }, { a: { nonces: ['4'] } });
    expect(await pool.take('c', 'a')).toBe('1');
    clock.now += 55_001;
    expect(await pool.take('c', 'a')).toBe('4');
    expect(await pool.take('c', 'b')).toBeNull();
  });

  it('are those of the model, and of nobody else', async () => {
    const { pool, asked } = poolOver({ a: { nonces: ['1'] } }, { a: { nonces: ['2'] } });
    expect([await pool.take('one', 'a'), await pool.take('two', 'a')]).toEqual(['1', '2']);
    expect(asked).toEqual(['/e2e/instances/one', '/e2e/instances/two']);
  });

  it('callers who have disconnected are not waited for', async () => {
    const { pool } = poolOver({ a: { nonces: ['1'] } });
    const leaving: (() => void)[] = [];
    const taking = pool.take('c', 'a', (listener) => (leaving.push(listener), () => undefined));
    leaving[0]?.();
    await expect(taking).rejects.toMatchObject({ reason: 'gone', isUnsent: true });
    expect(await pool.take('c', 'a')).toBe('1');
  });
});

describe('the instances of a model', () => {
  it('are as of half a minute ago, unless none of those is known that are wanted', async () => {
    const { pool, clock, asked } = poolOver({ a: { nonces: [] } }, { b: { key: 'BBBB', nonces: [] } });
    expect(await pool.list('c', ['a', 'x'])).toEqual([{ id: 'a', publicKey: 'AAAA' }]);
    await pool.list('c', ['a']);
    await pool.list('c', []);
    expect(asked).toHaveLength(1);
    expect(await pool.list('c', ['b'])).toEqual([
      { id: 'a', publicKey: 'AAAA' },
      { id: 'b', publicKey: 'BBBB' },
    ]);
    clock.now += 30_001;
    await pool.list('c', ['a']);
    expect(asked).toHaveLength(3);
  });

  it('are empty if the control server has none, and an error if it does not answer', async () => {
    expect(await poolOver(404).pool.list('c', ['a'])).toEqual([]);
    await expect(poolOver(429).pool.list('c', [])).rejects.toMatchObject({ code: 'MODEL_BUSY' });
    await expect(poolOver(500).pool.take('c', 'a')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    const broken = new InstancePool({
      ask: () => Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{') }),
      redact: (text) => text,
    });
    await expect(broken.list('c', [])).rejects.toMatchObject({ reason: 'away' });
  });
});
