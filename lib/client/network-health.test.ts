import { describe, expect, it } from 'vitest';
import { readNetworkHealth } from './network-health';

const upstream = {
  name: 'upstream 1',
  state: 'lagging',
  latencyP50Ms: 12.5,
  height: 1200,
  lagBlocks: 7,
  lastError: { message: 'it answered 503', at: '2026-01-02T03:04:05.000Z' },
  checkedAt: '2026-01-02T03:04:06.000Z',
};

describe('the health of networks', () => {
  it('is read as the gateway tells it', () => {
    expect(readNetworkHealth({ networks: [{ network: 'base-mainnet', upstreams: [upstream] }] })).toEqual([
      {
        network: 'base-mainnet',
        upstreams: [
          {
            name: upstream.name,
            state: upstream.state,
            latencyP50Ms: upstream.latencyP50Ms,
            lagBlocks: upstream.lagBlocks,
            checkedAtMs: Date.UTC(2026, 0, 2, 3, 4, 6),
            height: '1200',
            lastError: { message: 'it answered 503', atMs: Date.UTC(2026, 0, 2, 3, 4, 5) },
          },
        ],
      },
    ]);
  });

  it('keeps a height beyond 2^53 exact, where it comes as a text', () => {
    const [network] = readNetworkHealth({
      networks: [{ network: 'a-mainnet', upstreams: [{ height: '9007199254740993' }] }],
    });
    expect(network?.upstreams[0]).toMatchObject({ name: 'upstream 1', state: 'unknown', height: '9007199254740993' });
  });

  it.each([null, 7, 'text', [], {}, { networks: null }, { networks: [null, 3, {}, { network: 5 }] }])(
    'finds nothing in %j, and does not throw',
    (body) => expect(readNetworkHealth(body)).toEqual([]),
  );

  it.each([
    ['a state of a later version', { state: 'melting' }, { state: 'unknown' }],
    ['a latency that is no number', { latencyP50Ms: '12' }, { latencyP50Ms: null }],
    ['a negative lag', { lagBlocks: -1 }, { lagBlocks: null }],
    ['a height that is no number', { height: '0x10' }, { height: null }],
    ['a check at no time', { checkedAt: 'soon' }, { checkedAtMs: null }],
    ['an error without a message', { lastError: { at: 1 } }, { lastError: null }],
    [
      'an error at no time',
      { lastError: { message: 'refused', at: 'soon' } },
      { lastError: { message: 'refused', atMs: null } },
    ],
  ])('takes %s as not known', (_what, given, read) => {
    expect(
      readNetworkHealth({ networks: [{ network: 'a-mainnet', upstreams: [{ ...upstream, ...given }] }] })[0]
        ?.upstreams[0],
    ).toMatchObject(read);
  });

  it('takes a network without upstreams as one that has none', () => {
    expect(readNetworkHealth({ networks: [{ network: 'starknet-mainnet' }] })).toEqual([
      { network: 'starknet-mainnet', upstreams: [] },
    ]);
  });
});
