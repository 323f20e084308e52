import { describe, expect, it } from 'vitest';
import { requestForNetwork } from './request-for-network';
import { composeRequest } from './request-text';

const keep = { keepRefused: true };
const drop = { keepRefused: false };

describe('a request for another network', () => {
  it('stays where the network speaks the method', () => {
    const text = composeRequest('eth_gasPrice', []);
    expect(requestForNetwork('base-mainnet', text, drop)).toBe(text);
  });

  it.each([
    ['solana-mainnet', 'eth_gasPrice', 'getSlot'],
    ['starknet-mainnet', 'eth_gasPrice', 'starknet_blockNumber'],
    ['base-mainnet', 'getSlot', 'eth_blockNumber'],
  ])('becomes the first of the family on %s, after %s', (slug, before, after) => {
    expect(requestForNetwork(slug, composeRequest(before, []), keep)).toBe(composeRequest(after, []));
  });

  it('drops a method that no network offers only where told to', () => {
    const text = composeRequest('eth_notAMethod', []);
    expect(requestForNetwork('base-mainnet', text, drop)).toBe(composeRequest('eth_blockNumber', []));
    expect(requestForNetwork('base-mainnet', text, keep)).toBe(text);
  });

  it.each(['{"method": ', ''])('keeps what is no request yet: %j', (text) => expect(requestForNetwork('solana-mainnet', text, drop)).toBe(text));

  it('keeps the request where the slug is none', () => {
    const text = composeRequest('eth_gasPrice', []);
    expect(requestForNetwork('no slug!', text, drop)).toBe(text);
  });
});
