import { describe, expect, it } from 'vitest';
import { nodeFaultOf } from './node-fault';

const fault = (code: unknown, message: unknown) => nodeFaultOf(Buffer.from(JSON.stringify({ code, message })));

describe('an error by which a node says that it cannot serve', () => {
  it.each([
    [-32005, 'limit exceeded'],
    [429, 'Your app has exceeded its compute units per second capacity'],
    [-32007, '50/second request limit reached'],
    [-32000, 'rate limit exceeded'],
    [-32603, 'Too Many Requests'],
  ])('its own limit: %i %s', (code, message) => {
    expect(fault(code, message)).toBe('rate-limited');
  });

  it.each([
    [-32000, 'missing trie node 0xab (path )'],
    [-32000, 'header not found'],
    [-32000, 'historical state 0xab is not available'],
    [-32005, 'Node is behind by 42 slots'],
    [-32005, 'Node is unhealthy'],
    [-32004, 'Block not available for slot 5'],
    [-32016, 'Minimum context slot has not been reached'],
  ])('a block or state that it does not have: %i %s', (code, message) => {
    expect(fault(code, message)).toBe('behind');
  });
});

describe('an error that is an answer', () => {
  it.each([
    [-32005, 'query returned more than 10000 results'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
    [3, 'execution reverted: transfer amount exceeds balance'],
    [-32000, 'insufficient funds for gas * price + value'],
    [-32601, 'the method trace_block does not exist'],
    [-32000, 'exceed maximum block range: 5000'],
    ['-32005', 5],
    [undefined, undefined],
  ])('%s %s', (code, message) => {
    expect(fault(code, message)).toBeNull();
  });

  it('is anything that cannot be read', () => {
    expect(nodeFaultOf(Buffer.from('{"code":-32005'))).toBeNull();
    expect(nodeFaultOf(Buffer.from(JSON.stringify({ code: -32005, message: 'rate limit', data: 'x'.repeat(20_000) })))).toBeNull();
  });
});
