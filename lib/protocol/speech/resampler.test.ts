import { describe, expect, it } from 'vitest';
import { floatsToInt16, Resampler } from './resampler';

const RATES = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000];

function sine(hertz: number, rate: number, seconds: number): Float32Array {
  return Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate),
  );
}

function resampled(samples: Float32Array, from: number, to: number, pieceLength = samples.length): Float32Array {
  const resampler = new Resampler(from, to);
  const parts: number[] = [];
  for (let at = 0; at < samples.length; at += pieceLength)
    parts.push(...resampler.push(samples.subarray(at, at + pieceLength)));
  parts.push(...resampler.end());
  return Float32Array.from(parts);
}

describe('Resampler', () => {
  it.each(RATES)('from %i to 24,000 keeps a tone in time, in level and in length', (rate) => {
    const output = resampled(sine(1_000, rate, 0.24), rate, 24_000);
    const expected = sine(1_000, 24_000, 0.24);
    expect(output.length).toBe(5_760);
    for (let at = 500; at < 5_260; at += 1)
      expect(Math.abs((output[at] ?? 0) - (expected[at] ?? 0))).toBeLessThan(1e-3);
  });

  it('gives the same whatever the pieces', () => {
    const input = sine(440, 22_050, 0.1);
    expect(resampled(input, 22_050, 24_000, 1)).toEqual(resampled(input, 22_050, 24_000));
    expect(resampled(input, 22_050, 24_000, 617)).toEqual(resampled(input, 22_050, 24_000));
  });

  it('removes what the lower rate cannot hold', () => {
    const output = resampled(sine(15_000, 48_000, 0.24), 48_000, 24_000);
    expect(Math.max(...output.subarray(500, 5_260).map(Math.abs))).toBeLessThan(1e-3);
  });

  it('leaves the same rate as it is, and an empty signal empty', () => {
    const input = sine(440, 24_000, 0.01);
    expect(resampled(input, 24_000, 24_000)).toEqual(input);
    expect(resampled(new Float32Array(0), 44_100, 24_000)).toHaveLength(0);
  });

  it('cuts what is too loud for 16 bits', () => {
    expect([...floatsToInt16(Float32Array.of(2, -2, 0.5, Number.NaN))]).toEqual([32_767, -32_768, 16_384, 0]);
  });
});
