import { expect, it } from 'vitest';
import { mergedTraffic } from './operator-dashboard';

it('adds the rates of all processes, weighs their failures, and shows the slowest', () => {
  const one = { traffic: { windowMs: 10_000, requests: 90, failed: 9, p95Ms: 20 } };
  const other = { traffic: { windowMs: 5_000, requests: 10, failed: 1, p95Ms: null } };
  expect(mergedTraffic([one, other])).toEqual({ perSecond: 11, errorShare: 0.1, p95Ms: 20, windowMs: 10_000 });
});

it('says nothing of processes that do not tell, and no share of no requests', () => {
  expect(mergedTraffic([{}])).toEqual({ perSecond: null, errorShare: null, p95Ms: null, windowMs: null });
  const idle = { traffic: { windowMs: 1_000, requests: 0, failed: 0, p95Ms: null } };
  expect(mergedTraffic([idle])).toEqual({ perSecond: 0, errorShare: null, p95Ms: null, windowMs: 1_000 });
});
