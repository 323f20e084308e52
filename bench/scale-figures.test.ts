import { describe, expect, it } from 'vitest';
import { renderScale, type ScaleSample, scaleRow, together } from './scale-figures';

const sample = (requestsPerSecond: number, change: Partial<ScaleSample> = {}): ScaleSample => ({
  requests: 1_000,
  refused: 0,
  requestsPerSecond,
  p50Ms: 1,
  p99Ms: 2,
  cpuSeconds: 0.1,
  databaseCpuSeconds: 0.2,
  ...change,
});

describe('what several processes do beside one', () => {
  it('is compared round by round, so that a machine that is slow for one round changes no ratio', () => {
    const one = [sample(1_000), sample(500), sample(1_000)];
    const two = [sample(1_800), sample(900), sample(1_900)];
    expect(scaleRow('2 workers', two, one)).toMatchObject({
      setUp: '2 workers',
      requestsPerSecond: 1_800,
      ratio: 1.8,
      cpuMicros: 100,
      databaseCpuMicros: 200,
    });
  });

  it('is 1 beside itself', () => {
    const one = [sample(1_000), sample(500)];
    expect(scaleRow('1 process', one, one).ratio).toBe(1);
  });

  it('says the worst number of refusals, and no CPU time where there is none to read', () => {
    const samples = [sample(1, { refused: 3, cpuSeconds: null }), sample(1)];
    expect(scaleRow('1 process', samples, samples)).toMatchObject({ refused: 3, cpuMicros: null });
  });

  it('adds up loads that run beside each other, with the tail of the slowest', () => {
    const load = { requests: 100, refused: 1, seconds: 1, requestsPerSecond: 100, p50Ms: 2, p99Ms: 5, p999Ms: 7 };
    expect(together([load, { ...load, requests: 300, requestsPerSecond: 300, p50Ms: 4, p99Ms: 9 }])).toEqual({
      requests: 400,
      refused: 2,
      requestsPerSecond: 400,
      p50Ms: 3.5,
      p99Ms: 9,
      p999Ms: 7,
    });
  });

  it('is a table, and nothing where nothing was measured', () => {
    const one = [sample(1_000)];
    expect(renderScale([scaleRow('1 process', one, one)], 2)).toContain(
      '| 1 process | 1000 | 1.00 | 1.0 | 2.0 | 100 | 200 | 0 |',
    );
    expect(renderScale([], 2)).toBe('');
  });
});
