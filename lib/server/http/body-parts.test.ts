import { describe, expect, it } from 'vitest';
import { BodyParts } from './body-parts';

function partsOf(...lengths: number[]): { parts: BodyParts; sent: Buffer } {
  const parts = new BodyParts();
  const sent: Buffer[] = [];
  for (const [index, length] of lengths.entries()) {
    const part = Buffer.alloc(length, index % 251);
    sent.push(part);
    parts.add(part);
  }
  return { parts, sent: Buffer.concat(sent) };
}

describe('parts of a body', () => {
  it.each([
    [[]],
    [[0]],
    [[5]],
    [[1, 1, 1]],
    [[16_384, 1, 16_384, 1]],
    [[1, 16_383, 2, 40_000, 3, 0, 7]],
    [[20_000, 16_383, 16_383, 5]],
  ])('%j come out as they came in', (lengths) => {
    const { parts, sent } = partsOf(...lengths);
    expect(parts.length).toBe(sent.length);
    expect(Buffer.from(parts.whole()).equals(sent)).toBe(true);
  });

  it('one part is not copied', () => {
    const parts = new BodyParts();
    const only = Buffer.from('{}');
    parts.add(only);
    expect(parts.whole()).toBe(only);
  });

  it('a client that sends single bytes has them kept together', () => {
    const { parts, sent } = partsOf(...new Array<number>(100_000).fill(1));
    expect(parts.pieces).toBeLessThan(10);
    expect(Buffer.from(parts.whole()).equals(sent)).toBe(true);
  });

  it('a chunk that is a small part of its memory does not keep that', () => {
    const parts = new BodyParts();
    const memory = Buffer.alloc(1_000_000);
    for (let i = 0; i < 4; i++) parts.add(memory.subarray(i * 20_000, (i + 1) * 20_000));
    const kept = [...parts].slice(1).map(({ buffer }) => buffer);
    expect(kept).not.toContain(memory.buffer);
    expect(parts.whole().length).toBe(80_000);
  });

  it('copies are there once, and their memory is given back when they are moved', () => {
    const parts = new BodyParts();
    for (let i = 0; i < 100; i++) parts.copy(Buffer.alloc(20_000, i), 1_000, 19_000);
    const pieces = [...parts];
    const whole = parts.moved();
    expect([whole.length, whole[17_999], whole[18_000]]).toEqual([1_800_000, 0, 1]);
    expect(pieces.every(({ buffer }) => buffer.byteLength === 0)).toBe(true);
  });

  it('of a short copy nothing is given back that others have', () => {
    const parts = new BodyParts();
    const neighbour = Buffer.from('neighbour');
    parts.copy(Buffer.from('short'));
    parts.free();
    expect([neighbour.toString(), Buffer.from('next').toString()]).toEqual(['neighbour', 'next']);
  });
});
