import { describe, expect, it } from 'vitest';
import { ImmutableCache } from './immutable-answers';

const bytes = (length: number, fill = 0x61): Buffer => Buffer.alloc(length, fill);

describe('a cache', () => {
  it('stays within its bound, and forgets what was not used for longest', () => {
    const cache = new ImmutableCache(10_000);
    for (let i = 0; i < 20; i++) {
      cache.set(`key ${i}`, bytes(300));
      cache.get('key 0', 0);
      expect(cache.bytes).toBeLessThanOrEqual(10_000);
    }
    expect(cache.get('key 0', 0)).toEqual(bytes(300));
    expect(cache.get('key 1', 0)).toBeNull();
    expect(cache.get('key 19', 0)).toEqual(bytes(300));
  });

  it('counts what replaces an entry once', () => {
    const cache = new ImmutableCache(100_000);
    for (let i = 0; i < 100; i++) cache.set('key', bytes(100, i));
    expect(cache.bytes).toBeLessThan(400);
    expect(cache.get('key', 0)).toEqual(bytes(100, 99));
  });

  it('keeps a copy, whatever becomes of the answer it was cut from', () => {
    const cache = new ImmutableCache(10_000);
    const answer = bytes(50);
    cache.set('key', answer.subarray(10, 20));
    answer.fill(0);
    expect(cache.get('key', 0)).toEqual(bytes(10));
  });

  it('takes nothing that is too large for it', () => {
    const cache = new ImmutableCache(10_000);
    cache.set('key', bytes(1_000));
    expect([cache.get('key', 0), cache.bytes]).toEqual([null, 0]);
  });

  it('of no bytes holds nothing', () => {
    const cache = new ImmutableCache(0);
    cache.set('', Buffer.alloc(0));
    expect(cache.get('', 0)).toBeNull();
  });

  it('forgets what has expired', () => {
    const cache = new ImmutableCache(10_000);
    cache.set('key', bytes(1), 100);
    expect(cache.get('key', 99)).not.toBeNull();
    expect(cache.get('key', 100)).toBeNull();
    expect(cache.bytes).toBe(0);
  });
});
