import { describe, expect, it } from 'vitest';
import { asksTheSame } from './answered-request';

const sent = { network: 'base-mainnet', text: '{"method": "eth_call", "params": ["a b"]}' };

describe('an answer belongs to the request in the form only where both ask the same', () => {
  it.each([
    ['the same text', sent, true],
    ['another layout', { ...sent, text: '{\n  "method":"eth_call",\n  "params":[ "a b" ]\n}' }, true],
    ['another network', { ...sent, network: 'ethereum-mainnet' }, false],
    ['no network', { ...sent, network: null }, false],
    ['another space within a string', { ...sent, text: '{"method": "eth_call", "params": ["a  b"]}' }, false],
    ['a number beyond 2^53 that differs in its last digit', { ...sent, text: '{"id":9007199254740993}' }, false],
    ['text that is no JSON', { ...sent, text: '{"method": "eth_call' }, false],
  ])('%s', (_what, draft, expected) => expect(asksTheSame(sent, draft)).toBe(expected));
  it('escaped quotes do not end a string', () => {
    const text = String.raw`{"a":"\" x"}`;
    expect(asksTheSame({ ...sent, text }, { ...sent, text: String.raw`{"a":"\"  x"}` })).toBe(false);
  });
});
