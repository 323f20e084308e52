import { expect, it } from 'vitest';
import { trafficByDay } from './traffic-by-day';

it('requests of several gateways are added by day, and the slowest is shown', () => {
  const days = trafficByDay([
    { trafficDays: [{ day: '2026-11-23', requests: 4, failed: 1, p95Ms: 20 }] },
    {
      trafficDays: [
        { day: '2026-11-23', requests: 6, failed: 0, p95Ms: 30 },
        { day: '2026-11-24', requests: 0, failed: 0, p95Ms: null },
      ],
    },
    {},
  ]);
  expect([...days]).toEqual([
    ['2026-11-23', { requests: 10, failed: 1, p95Ms: 30 }],
    ['2026-11-24', { requests: 0, failed: 0, p95Ms: null }],
  ]);
});
