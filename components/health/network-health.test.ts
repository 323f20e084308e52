import type { UpstreamHealth, UpstreamState } from '@/lib/client';
import { describe, expect, it } from 'vitest';
import { healthSentence } from './network-health-panel';
import { bestOf, healthVerdict } from './network-health';

const upstream = (state: UpstreamState, more: Partial<UpstreamHealth> = {}): UpstreamHealth => ({
  name: 'upstream 1',
  state,
  latencyP50Ms: null,
  height: null,
  lagBlocks: null,
  lastError: null,
  checkedAtMs: null,
  ...more,
});
const network = (...states: UpstreamState[]) => ({
  network: 'base-mainnet',
  upstreams: states.map((state) => upstream(state)),
});

describe('the verdict on a network', () => {
  it.each([
    [['healthy'], 'healthy'],
    [['healthy', 'unknown'], 'healthy'],
    [['healthy', 'failing'], 'degraded'],
    [['lagging'], 'degraded'],
    [['resting', 'failing'], 'degraded'],
    [['failing'], 'failing'],
    [['failing', 'unknown'], 'failing'],
    [['unknown', 'unknown'], 'unused'],
    [[], 'unconfigured'],
  ] as const)('of upstreams that are %j is %s', (states, verdict) =>
    expect(healthVerdict(network(...states))).toBe(verdict),
  );
});

describe('the sentence about a network says what to do', () => {
  it('starts a stand-in by a call, asks a real one by a call', () => {
    expect(healthSentence(network('unknown'), true)).toContain('Send a call, and its stand-in starts');
    expect(healthSentence(network('unknown'), false)).toContain('Send a call to find out');
  });

  it('names the variable of an upstream in the sandbox, and no setting to the customers of a live gateway', () => {
    expect(healthSentence(network(), true)).toContain('RPC_BASE_MAINNET');
    expect(healthSentence(network(), false)).toBe('This gateway has no node for it. Its operator can connect one.');
  });

  it('counts what works, and does not promise what does not', () => {
    expect(healthSentence(network('healthy', 'failing'), false)).toBe('1 of 2 upstreams is in order; calls go there.');
    expect(healthSentence(network('lagging', 'failing'), false)).toContain('No upstream is in order');
    expect(healthSentence(network('failing'), false)).toContain('not charged');
  });
});

describe('the best of a network', () => {
  it('compares heights as numbers of any size, and takes the shortest latency', () => {
    const upstreams = [
      upstream('healthy', { height: '9007199254740993', latencyP50Ms: 30 }),
      upstream('lagging', { height: '999', latencyP50Ms: 4 }),
    ];
    expect(bestOf({ upstreams })).toEqual({ height: '9007199254740993', latencyP50Ms: 4 });
  });

  it('leaves out what fails, and knows nothing of the unknown', () => {
    expect(bestOf({ upstreams: [upstream('failing', { height: '5', latencyP50Ms: 1 })] })).toEqual({
      height: null,
      latencyP50Ms: null,
    });
    expect(bestOf({ upstreams: [] })).toEqual({ height: null, latencyP50Ms: null });
  });
});
