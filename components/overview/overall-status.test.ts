import type { NetworkHealth, UpstreamState } from '@/lib/client';
import { describe, expect, it } from 'vitest';
import { networkStatuses, overallState, RECENT_MS } from './overall-status';

const NOW = Date.UTC(2026, 0, 2);

function network(slug: string, state: UpstreamState, checkedAtMs: number | null = NOW - 1_000): NetworkHealth {
  const rest = { name: 'upstream 1', latencyP50Ms: null, height: null, lagBlocks: null, lastError: null };
  return { network: slug, upstreams: [{ ...rest, state, checkedAtMs }] };
}

const stateOf = (listed: readonly string[], health: readonly NetworkHealth[], modelsOffline = 0) =>
  overallState(networkStatuses(listed, health, NOW), modelsOffline);

describe('what is said of the whole gateway rests on what was asked', () => {
  it('is not checked where no network was ever asked', () => {
    expect(stateOf(['a', 'b'], [network('a', 'unknown'), network('b', 'unknown')])).toBe('unchecked');
  });
  it('is not checked where no network is connected', () => {
    expect(stateOf(['a', 'b'], [])).toBe('unchecked');
  });
  it('is healthy by one that answered, beside others that nobody connected', () => {
    expect(stateOf(['a', 'b', 'c'], [network('a', 'healthy')])).toBe('healthy');
  });
  it('is not checked where the last answer is older than ten minutes', () => {
    expect(stateOf(['a'], [network('a', 'healthy', NOW - RECENT_MS - 1)])).toBe('unchecked');
  });
  it('is healthy by a call that came before the first check', () => {
    expect(stateOf(['a'], [network('a', 'healthy', null)])).toBe('healthy');
  });
  it('keeps faults however old they are', () => {
    expect(stateOf(['a'], [network('a', 'failing', NOW - 10 * RECENT_MS)])).toBe('failing');
  });
  it.each([
    ['one fails and one answers', [network('a', 'failing'), network('b', 'healthy')], 0],
    ['one lags', [network('a', 'lagging')], 0],
    ['a model is offline', [network('a', 'healthy')], 1],
    ['a model is offline and no network was asked', [network('a', 'unknown')], 1],
  ] as const)('is degraded where %s', (_what, health, offline) => {
    expect(stateOf([], health, offline)).toBe('degraded');
  });
  it('names networks that are in the answer and not in the list', () => {
    expect(networkStatuses(['a'], [network('b', 'healthy')], NOW)).toEqual([
      { network: 'a', verdict: 'unconfigured' },
      { network: 'b', verdict: 'healthy' },
    ]);
  });
});
