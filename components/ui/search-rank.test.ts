import { describe, expect, it } from 'vitest';
import { rankMatch } from './best-match';

const METHODS = ['eth_call', 'debug_traceCall', 'trace_call', 'eth_getBalance', 'getBalance', 'eth_estimateGas'];
const search = (text: string) =>
  METHODS.filter((name) => rankMatch(name, text) > 0).sort((a, b) => rankMatch(b, text) - rankMatch(a, text));

describe('the pickers find what was meant', () => {
  it('puts the exact name first, then names that start so, then words inside', () => {
    expect(search('getBalance')).toEqual(['getBalance', 'eth_getBalance']);
    expect(search('trace')).toEqual(['trace_call', 'debug_traceCall']);
    expect(search('CALL')).toEqual(['eth_call', 'trace_call', 'debug_traceCall']);
  });

  it('matches no letters scattered over a name', () => expect(rankMatch('optimism-sepolia', 'sol')).toBe(0));

  it('finds keywords, and needs every word', () => {
    expect(rankMatch('eth_getBalance', 'balance account', ['The balance of an account'])).toBeGreaterThan(0);
    expect(rankMatch('eth_getBalance', 'balance moon', ['The balance of an account'])).toBe(0);
  });

  it.each(['(', '[', '\\', '*', 'a|b', '$&', '.'])('takes %j as text, not as a pattern', (text) =>
    expect(rankMatch('eth_call', text)).toBe(0),
  );
});
