import { findNetwork, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { describe, expect, it } from 'vitest';
import { quoteRequest } from './request-quote';

const network = (slug: string) => findNetwork(slug) ?? expect.unreachable(slug);

describe("the price before sending is the price list's", () => {
  it.each([
    ['ethereum-mainnet', ['eth_chainId'], 20, 14_000],
    ['ethereum-mainnet', ['debug_traceTransaction'], 40, 28_000],
    ['ethereum-mainnet', ['trace_replayTransaction'], 80, 56_000],
    ['zksync-mainnet', ['eth_chainId'], 30, 21_000],
    ['solana-mainnet', ['getSupply'], 120, 84_000],
    ['base-mainnet', ['eth_chainId', 'trace_block'], 60, 42_000],
  ])('%s %j costs %d credits', (slug, methods, credits, costNanoUsd) => {
    expect(quoteRequest(network(slug), methods, 700)).toEqual({ kind: 'price', credits, costNanoUsd });
  });

  it('follows the price that the gateway states', () => {
    expect(quoteRequest(network('base-mainnet'), ['eth_chainId'], 1_500)).toEqual({
      kind: 'price',
      credits: 20,
      costNanoUsd: 30_000,
    });
    expect(quoteRequest(network('base-mainnet'), ['eth_chainId'], 0)).toMatchObject({ costNanoUsd: 0 });
  });
});

describe("a refusal is foreseen, with the gateway's sentence", () => {
  it.each([
    ['eth_newFilter', 'eth_getLogs'],
    ['eth_subscribe', 'WebSocket'],
    ['eth_accounts', 'Sign locally'],
    ['no_such_method', 'no_such_method'],
    ['__proto__', '__proto__'],
  ])('%s', (method, words) => {
    const quote = quoteRequest(SANDBOX_TESTNET, ['eth_chainId', method], 700);
    expect(quote).toMatchObject({ kind: 'refused', sentence: expect.stringContaining(words) as unknown });
  });

  it('names methods of another family of chains', () => {
    expect(quoteRequest(network('starknet-mainnet'), ['eth_call', 'getSlot', 'starknet_blockNumber'], 700)).toEqual({
      kind: 'refused',
      sentence: 'eth_call, getSlot are not methods of Starknet networks such as starknet-mainnet.',
    });
  });
});
