import { expect, it } from 'vitest';
import { hedgeDelayMs } from './hedged-read';
import { UpstreamNode } from './upstream-node';

const BOUNDS = { minDelayMs: 10, maxDelayMs: 500 };

/** Returns an upstream with these latencies of method `m`, in milliseconds. */
function nodeWith(...latencies: number[]): UpstreamNode {
  const node = new UpstreamNode(
    'upstream',
    undefined as never,
    false,
    { failuresInRow: 5, openMs: 1, openMsMax: 1 },
    () => undefined,
  );
  for (const ms of latencies) node.succeeded(node.begin('m', 0), ms, true);
  return node;
}

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

it('is a guess before there are enough answers', () => {
  expect(hedgeDelayMs([nodeWith(), nodeWith(...times(7, 40))], 'm', BOUNDS)).toBe(250);
});

it('is the 95th percentile of the fastest, whatever the slow one does', () => {
  const quick = nodeWith(...times(60, 30), ...times(4, 45.5));
  expect(hedgeDelayMs([nodeWith(...times(64, 2_000)), quick], 'm', BOUNDS)).toBe(46);
  expect(hedgeDelayMs([quick, nodeWith()], 'm', BOUNDS)).toBe(46);
});

it('is not moved by what was called off, nor by answers that were errors', () => {
  const quick = nodeWith(...times(60, 30));
  for (let i = 0; i < 64; i++) {
    quick.lost(quick.begin('m', 0), 1_000, 0);
    quick.succeeded(quick.begin('m', 0), 1, false);
  }
  expect(hedgeDelayMs([quick], 'm', BOUNDS)).toBe(30);
});

it('does not look at an upstream that lags or fails', () => {
  const lagging = nodeWith(...times(64, 20));
  lagging.health.isLagging = true;
  expect(hedgeDelayMs([lagging, nodeWith(...times(64, 80))], 'm', BOUNDS)).toBe(80);
});

it('is measured for each method', () => {
  expect(hedgeDelayMs([nodeWith(...times(64, 20))], 'another', BOUNDS)).toBe(250);
});

it('stays within its bounds', () => {
  expect(hedgeDelayMs([nodeWith(...times(64, 1))], 'm', BOUNDS)).toBe(10);
  expect(hedgeDelayMs([nodeWith(...times(64, 9_000))], 'm', BOUNDS)).toBe(500);
});
