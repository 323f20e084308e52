import { describe, expect, it } from 'vitest';
import { parseHistory, type PastCall } from './call-history';

const call: PastCall = {
  id: '1',
  sentAtMs: 1,
  network: 'base-mainnet',
  method: 'eth_chainId',
  callCount: 1,
  requestText: '{}',
  outcome: 'ok',
  latencyMs: 3,
  credits: 20,
  costUsd: '0.00001400',
  requestId: 'r',
};

describe('a stored history of another shape does not break the page', () => {
  it('keeps whole entries', () =>
    expect(
      parseHistory([call, { ...call, credits: null, costUsd: null, latencyMs: null, requestId: null }]),
    ).toHaveLength(2));

  it('drops entries that are not', () => {
    expect(
      parseHistory([
        null,
        7,
        {},
        { ...call, outcome: 'great' },
        { ...call, sentAtMs: '1' },
        { ...call, costUsd: 3 },
        call,
      ]),
    ).toEqual([call]);
  });

  it.each([null, {}, 'x', 3])('refuses %j as a whole', (stored) => expect(parseHistory(stored)).toBeNull());

  it('keeps fifty at most', () => expect(parseHistory(Array(80).fill(call))).toHaveLength(50));
});
