import { describe, expect, it } from 'vitest';
import { forwardedFor } from './client-address';

describe('the Forwarded header', () => {
  it.each([
    ['for=192.0.2.43', ['192.0.2.43']],
    ['For="[2001:db8:cafe::17]:4711"', ['[2001:db8:cafe::17]:4711']],
    ['for=192.0.2.60;proto=http;by=203.0.113.43', ['192.0.2.60']],
    ['for=192.0.2.43, for=198.51.100.17', ['192.0.2.43', '198.51.100.17']],
    ['by=203.0.113.43 ; FOR=192.0.2.43 ,\tfor="_gazonk"', ['192.0.2.43', '_gazonk']],
    ['for=unknown', ['unknown']],
    ['for="192.0.2.43:47011";host="a,b;c=\\"d\\""', ['192.0.2.43:47011']],
    ['for="19\\2.0.2.43"', ['192.0.2.43']],
    ['proto=https', ['']],
    ['for=a;for=b', ['']],
    ['for=a;;proto=b;', ['a']],
    [',, for=a, ,', ['a']],
    ['', []],
    [' ', []],
    [';', []],
    ['for=[2001:db8::1]:80', ['[2001:db8::1]:80']],
    ['for=2001:db8::1;proto=https', ['2001:db8::1']],
    ['for=""', ['']],
  ])('%j names %j', (header, nodes) => expect(forwardedFor(header)).toEqual(nodes));

  it.each([
    'for',
    'for=',
    'for =a',
    'for= a',
    'for="a',
    'for="a, for=b',
    'for="a", for="b',
    'for="a"b',
    'for=a b',
    'for=a"b"',
    '=a',
    'for=a=b',
    'for=a;x="\u0001"',
    'for=ä',
    '192.0.2.1',
    'for=a\u0000',
  ])('%j does not have the expected form', (header) => {
    expect(forwardedFor(header)).toBeNull();
  });

  it('takes time in proportion to its length, whatever it holds', () => {
    const started = performance.now();
    for (const part of [' ', ',', ';', '"', 'for=a,', 'for="a\\"', 'for=', 'a', 'for=a ', '\t;', 'for="', '[']) {
      forwardedFor(part.repeat(16_384));
      forwardedFor(`for="${part.repeat(16_384)}`);
      forwardedFor(`for=${part.repeat(16_384)}!"`);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
