import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LatencySeries } from '../telemetry/latency-histogram';
import { Metrics } from '../telemetry/metrics';
import { RequestMetrics } from './request-metrics';
import { sampleOf, TrafficWindow } from './traffic-window';

const BOUNDS = [0.01, 0.1, 1];

function counted() {
  const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'].map(() => new LatencySeries(BOUNDS));
  const answer = (status: number, seconds: number) => classes[status - 1]?.observe(seconds);
  return { take: () => sampleOf([classes], BOUNDS), answer };
}

function windowAt(now: number) {
  const { take, answer } = counted();
  return { window: new TrafficWindow(take, BOUNDS, now), answer };
}

describe("the operator's traffic", () => {
  it('counts requests, failures and the duration that 95 of 100 do not exceed', () => {
    const { window, answer } = windowAt(0);
    for (let i = 0; i < 90; i++) answer(2, 0.005);
    for (let i = 0; i < 9; i++) answer(4, 0.05);
    answer(5, 0.5);
    const { windowMs, requests, failed, p95Ms } = window.read(10_000);
    expect([windowMs, requests, failed]).toEqual([10_000, 100, 1]);
    expect(p95Ms).toBeCloseTo(60, 5);
  });

  it('is of the last five minutes, and of the time since the last read if that is longer', () => {
    const { window, answer } = windowAt(0);
    answer(2, 0.005);
    expect(window.read(60_000).requests).toBe(1);
    answer(2, 0.005);
    expect(window.read(60_001)).toMatchObject({ requests: 2, windowMs: 60_001 });
    answer(2, 0.005);
    expect(window.read(370_000)).toMatchObject({ requests: 2, windowMs: 310_000 });
  });

  it('has no duration without requests, and the last bound for slower ones', () => {
    const { window, answer } = windowAt(0);
    expect(window.read(0)).toEqual({ windowMs: 1, requests: 0, failed: 0, p95Ms: null });
    answer(2, 99);
    expect(window.read(1).p95Ms).toBe(1_000);
  });

  it('keeps its rate when the system clock is set back', () => {
    vi.useFakeTimers({ now: 10_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const requests = new RequestMetrics(new Metrics(), []);
    vi.advanceTimersByTime(60_000);
    vi.setSystemTime(5_000_000);
    expect(requests.traffic().windowMs).toBe(60_000);
  });
});
