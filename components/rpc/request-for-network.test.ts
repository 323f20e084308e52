import { describe, expect, it } from 'vitest';
import { kindOfMethod } from '@/components/json/kind-of-method';
import { firstMethodOf } from '@/lib/browser/rpc/first-request';
import { NETWORKS } from '@/lib/protocol/networks';
import { requestForNetwork } from './open-request-link';
import { composeRequest } from './request-text';

describe('a request for another network', () => {
  it.each(['eth_gasPrice', 'eth_notAMethod', 'eth_newFilter'])(
    'stays where the network is of the kind of %s',
    (method) => {
      const text = composeRequest(method, []);
      expect(requestForNetwork('base-mainnet', text)).toBe(text);
    },
  );

  it.each([
    ['solana-mainnet', 'eth_gasPrice', 'getSlot'],
    ['solana-mainnet', 'eth_notAMethod', 'getSlot'],
    ['starknet-mainnet', 'eth_gasPrice', 'starknet_blockNumber'],
    ['base-mainnet', 'getSlot', 'eth_blockNumber'],
  ])('becomes the first of the family on %s, after %s', (slug, before, after) => {
    expect(requestForNetwork(slug, composeRequest(before, []))).toBe(composeRequest(after, []));
  });

  it.each(['{"method": ', ''])('keeps what is no request yet: %j', (text) =>
    expect(requestForNetwork('solana-mainnet', text)).toBe(text),
  );

  it('is known for every built-in network', () => {
    for (const { slug, kind } of NETWORKS) expect(kindOfMethod(firstMethodOf(slug)), slug).toBe(kind);
  });

  it('keeps the request if the slug is unknown', () => {
    const text = composeRequest('eth_gasPrice', []);
    expect(requestForNetwork('no slug!', text)).toBe(text);
  });
});
