import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker';

const breaker = () => new CircuitBreaker({ failuresInRow: 3, openMs: 100, openMsMax: 400 });

function opened(now = 0): CircuitBreaker {
  const open = breaker();
  for (let i = 0; i < 3; i++) open.failed(now);
  return open;
}

describe('a circuit breaker', () => {
  it('opens after failures in a row, and says so once', () => {
    const tested = breaker();
    expect([
      tested.failed(0),
      tested.failed(0),
      tested.admits(0),
      tested.failed(0),
      tested.admits(0),
      tested.failed(0),
    ]).toEqual([false, false, true, true, false, false]);
  });

  it('counts failures in a row only', () => {
    const tested = breaker();
    for (let i = 0; i < 4; i++) {
      tested.succeeded();
      tested.succeeded();
      tested.succeeded();
      tested.failed(0);
      tested.failed(0);
    }
    expect(tested.admits(0)).toBe(true);
  });

  it('opens when half of the last outcomes are failures', () => {
    const tested = breaker();
    let calls = 0;
    while (tested.admits(0) && calls < 100) {
      if (calls++ % 2 === 0) tested.succeeded();
      else tested.failed(0);
    }
    expect(calls).toBe(10);
  });

  it('lets one probe through when its time is over', () => {
    const tested = opened();
    expect([tested.admits(99), tested.admits(100)]).toEqual([false, true]);
    tested.begin();
    expect(tested.admits(100)).toBe(false);
  });

  it('closes with a probe that succeeds', () => {
    const tested = opened();
    tested.begin();
    tested.succeeded();
    expect([tested.admits(100), tested.isClosed, tested.isSound]).toEqual([true, true, false]);
  });

  it('stays open longer each time a probe fails, up to a bound', () => {
    const tested = opened();
    let now = 0;
    const rests = [];
    for (let i = 0; i < 5; i++) {
      rests.push(tested.openUntil - now);
      now = tested.openUntil;
      tested.begin();
      expect(tested.failed(now)).toBe(true);
    }
    expect(rests).toEqual([100, 200, 400, 400, 400]);
  });

  it('opens for the first time span again once it was sound', () => {
    const tested = opened();
    tested.begin();
    for (let i = 0; i < 20; i++) tested.succeeded();
    for (let i = 0; i < 3; i++) tested.failed(1_000);
    expect(tested.openUntil).toBe(1_100);
  });

  it('stays open after a probe without a verdict', () => {
    const tested = opened();
    tested.begin();
    tested.abandoned(100);
    expect([tested.admits(101), tested.admits(300)]).toEqual([false, true]);
  });

  it('ignores what calls from before it opened come to', () => {
    const tested = opened();
    tested.succeeded();
    tested.failed(50);
    expect([tested.admits(99), tested.openUntil]).toEqual([false, 100]);
  });

  it('is sound after twenty successes without a failure', () => {
    const tested = opened();
    tested.begin();
    for (let i = 0; i < 19; i++) tested.succeeded();
    expect(tested.isSound).toBe(false);
    tested.succeeded();
    expect(tested.isSound).toBe(true);
  });
});
