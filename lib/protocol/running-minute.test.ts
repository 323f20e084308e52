import { describe, expect, it } from 'vitest';
import { minuteEnd, NO_REQUESTS, requestsIn, withRequest } from './running-minute';

const START = 1_700_000_012_345;

describe("a caller's running minute", () => {
  it('starts with the first request and ends 60 seconds later, to the millisecond', () => {
    const minute = withRequest(withRequest(NO_REQUESTS, START), START + 59_999);
    expect([requestsIn(minute, START + 59_999), minuteEnd(minute)]).toEqual([2, START + 60_000]);
    expect(requestsIn(minute, START + 60_000)).toBe(0);
    expect(withRequest(minute, START + 60_000)).toEqual({ startedAt: START + 60_000, requests: 1 });
  });

  it('never holds a burst to two caps: 60 seconds from its first request', () => {
    let minute = NO_REQUESTS;
    for (let i = 0; i < 100; i++) minute = withRequest(minute, START + i);
    expect([requestsIn(minute, START + 100), requestsIn(minute, START + 59_000)]).toEqual([100, 100]);
  });

  it('goes on where the clock steps back by less than a minute, and starts anew where it was set back', () => {
    const minute = withRequest(NO_REQUESTS, START);
    expect(withRequest(minute, START - 59_999)).toEqual({ startedAt: START, requests: 2 });
    expect(requestsIn(minute, START - 60_000)).toBe(0);
    expect(withRequest(minute, START - 3_600_000)).toEqual({ startedAt: START - 3_600_000, requests: 1 });
  });
});
