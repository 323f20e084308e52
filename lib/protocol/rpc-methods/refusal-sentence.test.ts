import { describe, expect, it } from 'vitest';

import { lookUpMethod, isRefusal, type Refusal } from './index';
import { refusalSentence, SHOWN_NAME_LENGTH } from './refused';

function sentenceFor(...names: string[]): string {
  return refusalSentence(
    names.map((name): Refusal => {
      const found = lookUpMethod(name);
      if (!isRefusal(found)) throw new Error(`${name} is supported`);
      return found;
    }),
  );
}

describe('refusalSentence', () => {
  it('rule 3: eth_getLogs is the replacement of the filter methods', () => {
    expect(sentenceFor('eth_newFilter')).toBe(
      'Stateful filter method not supported: eth_newFilter. A filter exists on one node only, and calls go to ' +
        'several nodes. Use eth_getLogs with a block range instead.',
    );
  });

  it('says that subscriptions need a WebSocket and what to poll instead', () => {
    expect(sentenceFor('signatureSubscribe')).toBe(
      'WebSocket-only method not supported: signatureSubscribe. Subscriptions need a WebSocket, and this endpoint ' +
        'answers over HTTP; poll getSignatureStatuses instead.',
    );
    expect(sentenceFor('eth_unsubscribe')).not.toContain('poll');
  });

  it("says to sign locally where a method would use a node's keys", () => {
    expect(sentenceFor('eth_sign', 'eth_sendTransaction')).toBe(
      'Key-holding or miner methods not supported: eth_sign, eth_sendTransaction. The nodes hold no keys and do not ' +
        'mine. Sign locally and send with eth_sendRawTransaction.',
    );
  });

  it('suggests the right letter case', () => {
    expect(sentenceFor('eth_getbalance', 'eth_foo')).toBe(
      'Methods not supported: eth_getbalance (did you mean eth_getBalance?), eth_foo.',
    );
  });

  it('rule 1: lists every offending method name, whatever its class', () => {
    const names = [
      'foo',
      'eth_subscribe',
      'eth_newFilter',
      'eth_sign',
      'bar',
      'accountSubscribe',
      'eth_getFilterLogs',
      'eth_accounts',
    ];
    const sentence = sentenceFor(...names);
    for (const name of names) expect(sentence).toContain(name);
  });

  it('rule 1: leaves none of the 100 names of a full batch out', () => {
    const names = Array.from({ length: 100 }, (_, index) => `foo_${String(index).padStart(3, '0')}`);
    const sentence = sentenceFor(...names);
    for (const name of names) expect(sentence).toContain(name);
    expect(sentence).not.toContain('more');
  });

  it('counts what is beyond 100 names', () => {
    const sentence = sentenceFor(...Array.from({ length: 103 }, (_, index) => `foo_${index}`));
    expect(sentence).toMatch(/ And 3 more\.$/);
  });

  it('names a repeated method once', () => {
    expect(sentenceFor('foo', 'foo', 'bar', 'foo')).toBe('Methods not supported: foo, bar.');
  });

  it('cuts an absurdly long name and says how long it was', () => {
    const sentence = sentenceFor('a'.repeat(1_000_000));
    expect(sentence).toBe(`Method not supported: ${'a'.repeat(SHOWN_NAME_LENGTH)}… (1000000 characters).`);
  });

  it('stays within 60 kB for 100 names of the worst kind', () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}${'\u0000'.repeat(100_000)}`);
    expect(sentenceFor(...names).length).toBeLessThan(60_000);
  });

  it.each([
    ['eth_call\0', '"eth_call\\u0000"'],
    ['a\r\nSet-Cookie: x', '"a\\u000d\\u000aSet-Cookie: x"'],
    ['\u001b[31mred', '"\\u001b[31mred"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['a\u200bb', '"a\\u200bb"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['\ud800', '"\\ud800"'],
    ['', '""'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['a, eth_call', '"a, eth_call"'],
  ])('makes %j visible as %s', (name, shown) => {
    expect(sentenceFor(name)).toBe(`Method not supported: ${shown}.`);
  });

  it('never cuts a character in half', () => {
    const sentence = sentenceFor(`${'a'.repeat(SHOWN_NAME_LENGTH - 1)}😀`);
    expect(() => encodeURIComponent(sentence)).not.toThrow();
  });

  it('is empty for no refusals', () => {
    expect(refusalSentence([])).toBe('');
  });
});
