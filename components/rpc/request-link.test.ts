import { exampleParams } from '@/lib/protocol/rpc-methods/examples';
import { describe, expect, it } from 'vitest';
import { requestHref, type RpcDraft } from './request-href';
import { isLinkTooLong, lacksParams, LINK_CHARACTERS_MAX, readRequestLink } from './request-link';
import { composeRequest } from './request-text';

function reopen(draft: RpcDraft) {
  const url = new URL(requestHref(draft), 'http://localhost:3000');
  return readRequestLink(url.search, url.hash);
}

describe('a link reproduces the request', () => {
  it('names network, method and params readably where these are all of it', () => {
    const draft = { network: 'base-mainnet', text: composeRequest('eth_getBalance', ['0x01', 'latest']) };
    expect(requestHref(draft)).toBe(
      '/rpc?network=base-mainnet&method=eth_getBalance&params=%5B%220x01%22%2C%22latest%22%5D',
    );
    expect(reopen(draft)).toEqual(draft);
  });

  it.each([
    ['a batch', '[{"method":"a"},{"method":"b"}]'],
    ['another id', '{"jsonrpc":"2.0","id":"x","method":"eth_chainId","params":[]}'],
    ['numbers beyond 2^53', '{"jsonrpc":"2.0","id":1,"method":"getBlock","params":[18446744073709551615]}'],
    ['a text that is not JSON yet', '{"method": '],
    ['unknown members', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[],"extra":"ü&=#?"}'],
    ['a method with a template, called without params', composeRequest('eth_getBalance', [])],
  ])('keeps %s', (_what, text) => {
    expect(reopen({ network: 'sandbox-testnet', text })).toEqual({ network: 'sandbox-testnet', text });
  });

  it('names the networks of a comparison', () => {
    const draft = {
      network: 'base-mainnet',
      text: composeRequest('eth_chainId', []),
      compared: ['base-sepolia', 'linea-mainnet'],
    };
    expect(requestHref(draft)).toBe(
      '/rpc?network=base-mainnet&method=eth_chainId&params=%5B%5D&compare=base-sepolia+linea-mainnet',
    );
    expect(reopen(draft)).toEqual(draft);
  });

  it('carries a request of any length, beyond what a request line can hold in the fragment', () => {
    const draft = {
      network: 'base-mainnet',
      text: composeRequest('eth_sendRawTransaction', [`0x${'ab'.repeat(50_000)}`]),
    };
    expect(requestHref(draft)).toMatch(/^\/rpc#/);
    expect(reopen(draft)).toEqual(draft);
  });
});

describe('a link by hand', () => {
  it.each(['[9007199254740993]', '[18446744073709551615, 1.0, -0, 1e400]', '[[9007199254740993]]'])(
    'keeps every number of %s',
    (params) => {
      expect(readRequestLink(`?${new URLSearchParams({ method: 'getBlock', params }).toString()}`, '')?.text).toContain(
        `"params": ${params}`,
      );
    },
  );

  it('gets the params of the example where it has none, once examples are there', () => {
    expect(lacksParams('?method=eth_getBalance', '')).toBe(true);
    expect(JSON.parse(readRequestLink('?method=eth_getBalance', '')?.text ?? '')).toMatchObject({ params: [] });
    expect(JSON.parse(readRequestLink('?method=eth_getBalance', '', exampleParams)?.text ?? '')).toMatchObject({
      method: 'eth_getBalance',
      params: expect.arrayContaining(['latest']) as unknown,
    });
  });

  it.each(['?method=eth_getBalance&params=%5B%5D', '?body=%7B%7D&method=eth_call', '?network=base-mainnet'])(
    'needs no example: %s',
    (search) => expect(lacksParams(search, '')).toBe(false),
  );

  it('of any greater length than can be opened is not read at all', () => {
    const long = `#network=base-mainnet&body=${'9'.repeat(LINK_CHARACTERS_MAX)}`;
    expect(isLinkTooLong('', long)).toBe(true);
    expect(readRequestLink('', long)).toBeNull();
    expect(lacksParams('', long)).toBe(false);
    expect(isLinkTooLong('?network=base-mainnet', '')).toBe(false);
  });

  it('may name only a network', () =>
    expect(readRequestLink('?network=base-mainnet', '')).toEqual({ network: 'base-mainnet' }));

  it('may list the networks of a comparison with commas, and repeat separators', () => {
    expect(readRequestLink('?network=a-mainnet&compare=,b-mainnet,,c-mainnet ', '')?.compared).toEqual([
      'b-mainnet',
      'c-mainnet',
    ]);
    expect(readRequestLink('?network=a-mainnet&compare=', '')).toEqual({ network: 'a-mainnet' });
  });

  it.each(['', '?', '?utm_source=x'])('that asks for nothing changes nothing: %j', (search) =>
    expect(readRequestLink(search, '')).toBeNull(),
  );

  it.each(['[', '{}', 'null', '1,2', '"</script>"'])(
    'with params %j is shown as text to mend, not dropped',
    (params) => {
      expect(readRequestLink(`?method=eth_call&params=${encodeURIComponent(params)}`, '')?.text).toContain(
        `"params": ${params}`,
      );
    },
  );
});
