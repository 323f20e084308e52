import { findNetwork } from '@/lib/protocol/networks';
import { METHODS } from '@/lib/protocol/rpc-methods';
import { describe, expect, it } from 'vitest';
import { quoteRequest } from './request-quote';
import { quoteAtOnce } from './use-method-book';

const network = (slug: string) => findNetwork(slug) ?? expect.unreachable(slug);

describe('a price without the table of methods', () => {
  it.each(['base-mainnet', 'zksync-mainnet', 'solana-mainnet', 'starknet-mainnet'])(
    'is the same as with it, or none, on %s',
    (slug) => {
      for (const { name } of METHODS) {
        const quote = quoteAtOnce(network(slug), [name, name], 700);
        if (quote !== null) expect(quote).toEqual(quoteRequest(network(slug), [name, name], 700));
      }
    },
  );

  it('is there for what people call most', () => {
    expect(quoteAtOnce(network('base-mainnet'), ['eth_call', 'eth_getLogs'], 700)).toEqual({
      kind: 'price',
      credits: 40,
      costNanoUsd: 28_000,
    });
    expect(quoteAtOnce(network('base-mainnet'), ['eth_sendRawTransaction'], 700)).toEqual({
      kind: 'price',
      credits: 20,
      costNanoUsd: 14_000,
    });
  });

  it('is null for a batch with an unknown call', () =>
    expect(quoteAtOnce(network('base-mainnet'), ['eth_call', 'net_version'], 700)).toBeNull());

  it.each(['eth_newFilter', 'eth_', 'net_version', 'getSlot', '__proto__', ''])('is null for %j', (name) =>
    expect(quoteAtOnce(network('base-mainnet'), [name], 700)).toBeNull(),
  );
});
