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
  it.each([[[]], [[0]], [[5]], [[1, 1, 1]], [[16_384, 1, 16_384, 1]], [[1, 16_383, 2, 40_000, 3, 0, 7]], [[20_000, 16_383, 16_383, 5]]])('%j come out as they came in', (lengths) => {
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
});
