import { getAddress } from 'viem';
import { describe, expect, it } from 'vitest';

import { exampleParams, METHOD_EXAMPLES, type MethodParam } from './examples';
import { isRefusal, lookUpMethod, METHODS } from './index';

const entries = [...METHOD_EXAMPLES];

/** Returns whether an example has its declared type on this kind of chain. */
function fits(param: MethodParam, kind: string): boolean {
  const { example } = param;
  switch (param.type) {
    case 'address':
      if (kind === 'solana') return typeof example === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(example);
      if (kind === 'starknet') return typeof example === 'string' && /^0x[0-9a-f]{1,64}$/.test(example);
      return typeof example === 'string' && /^0x[0-9a-fA-F]{40}$/.test(example);
    case 'hash':
      return (
        typeof example === 'string' && (kind === 'starknet' ? /^0x[0-9a-f]{1,64}$/ : /^0x[0-9a-f]{64}$/).test(example)
      );
    case 'quantity':
      return typeof example === 'string' && /^0x(?:0|[1-9a-f][0-9a-f]*)$/.test(example);
    case 'block':
      return typeof example === 'string' && /^(?:latest|0x[0-9a-f]+)$/.test(example);
    case 'data':
      return (
        typeof example === 'string' && (kind === 'solana' ? /^[A-Za-z0-9+/=]+$/ : /^0x(?:[0-9a-f]{2})+$/).test(example)
      );
    case 'array':
      return Array.isArray(example);
    case 'object':
      return typeof example === 'object' && example !== null && !Array.isArray(example);
    default:
      return typeof example === param.type;
  }
}

describe('METHOD_EXAMPLES', () => {
  it('describes supported methods only', () => {
    expect(entries.map(([name]) => name).filter((name) => isRefusal(lookUpMethod(name)))).toEqual([]);
  });

  it('covers every kind of chain and the name spaces that the picker groups by', () => {
    const families = new Set(
      METHODS.filter((method) => METHOD_EXAMPLES.has(method.name)).map((method) => method.family),
    );
    for (const family of [
      'eth',
      'net',
      'web3',
      'erc4337',
      'zks',
      'linea',
      'bor',
      'trace',
      'debug',
      'txpool',
      'solana',
      'starknet',
    ]) {
      expect(families).toContain(family);
    }
    expect(entries.length).toBeGreaterThan(45);
  });

  it('has a one-line description for every method and parameter', () => {
    for (const [name, { description, params }] of entries) {
      for (const text of [description, ...params.map((param) => param.description)]) {
        expect(text, name).toMatch(/^[^\n]{8,120}[^.\n]$/);
      }
    }
  });

  it('has examples of the declared types', () => {
    for (const [name, { params }] of entries) {
      const method = lookUpMethod(name);
      if (isRefusal(method)) throw new Error(name);
      for (const param of params) expect(fits(param, method.kind), `${name} ${param.name}`).toBe(true);
    }
  });

  it('has addresses with the right checksum (EIP-55)', () => {
    const addresses = JSON.stringify(entries).matchAll(/"(0x[0-9a-fA-F]{40})"/g);
    for (const [, address = ''] of addresses)
      expect([address.toLowerCase(), getAddress(address.toLowerCase())], address).toContain(address);
  });

  it('puts required parameters first and names each once', () => {
    for (const [name, { params }] of entries) {
      const order = params.map((param) => Number(!param.required));
      expect(order, name).toEqual([...order].sort());
      expect(new Set(params.map((param) => param.name)).size, name).toBe(params.length);
    }
  });
});

describe('exampleParams', () => {
  it('composes the required parameters in order', () => {
    expect(exampleParams('eth_getBalance')).toEqual(['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'latest']);
    expect(exampleParams('eth_blockNumber')).toEqual([]);
  });

  it('gives a fresh copy, so that editing one call does not change the next', () => {
    const first = exampleParams('eth_call');
    (first[0] as { to: string }).to = 'changed';
    expect(exampleParams('eth_call')[0]).not.toEqual(first[0]);
  });

  it.each(['', 'eth_foo', '__proto__', 'constructor'])('is empty for %j', (name) => {
    expect(exampleParams(name)).toEqual([]);
  });

  it('survives JSON unchanged', () => {
    for (const [name] of entries) {
      const params = exampleParams(name);
      expect(JSON.parse(JSON.stringify(params)), name).toEqual(params);
    }
  });
});
