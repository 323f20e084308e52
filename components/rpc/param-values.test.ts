import { describe, expect, it } from 'vitest';
import { formatJson, parseJsonDocument } from '@/lib/browser/text/json-document';
import { addressFault, amountOf, decimalOf, memberOf, quantityOf, unitOf, weiOf, withMember } from './param-values';

describe('a number as a person types it', () => {
  it.each([
    ['62', '0x3e'],
    ['21,204,511', '0x1438e1f'],
    ['0x003E', '0x3e'],
    [' 0 ', '0x0'],
  ])('%j becomes the quantity %s', (typed, quantity) => expect(quantityOf(typed)).toBe(quantity));

  it.each(['', '-1', '1.5', '0x', '0xg', 'latest', '1,5', '12 34', '9'.repeat(79)])('%j is invalid', (typed) =>
    expect(quantityOf(typed)).toBeNull(),
  );

  it('is read back grouped', () => expect([decimalOf('0x1438e1f'), decimalOf('latest')]).toEqual(['21,204,511', null]));
});

describe('an amount with its unit', () => {
  it.each([
    ['1.5', 'ether', '0x14d1120d7b160000'],
    ['20', 'gwei', '0x4a817c800'],
    ['7', 'wei', '0x7'],
    ['0.000000000000000001', 'ether', '0x1'],
  ] as const)('%s %s is exact in wei, and comes back', (typed, unit, wei) => {
    expect(weiOf(typed, unit)).toBe(wei);
    expect(amountOf(wei, unit)).toBe(typed);
  });

  it.each([
    ['1.5', 'wei'],
    ['0.0000000001', 'gwei'],
    ['-1', 'ether'],
    ['1e18', 'wei'],
    ['', 'ether'],
  ] as const)('%j %s is refused, and never rounded', (typed, unit) => expect(weiOf(typed, unit)).toBeNull());

  it('is shown in the unit in which it is short', () =>
    expect(['0x0', '0x14d1120d7b160000', '0x4a817c800', '0x7', 'x'].map(unitOf)).toEqual([
      'ether',
      'ether',
      'gwei',
      'wei',
      'ether',
    ]));
});

describe('an address as typed', () => {
  it('is told from a name, a wrong checksum and other text', () => {
    expect(addressFault('0xcA11bde05977b3631167028862bE2a173976CA11')).toBeNull();
    expect(addressFault('')).toBeNull();
    expect(addressFault('vitalik.eth')).toContain('names');
    expect(addressFault('0xCA11bde05977b3631167028862bE2a173976CA11')).toContain('EIP-55');
    expect(addressFault('0x1234')).toContain('40');
  });
});

describe('a member of an object', () => {
  const node = parseJsonDocument('{"to":"0x1","data":"0x2"}');

  it('is set where it is, added at the end, or removed, and the others keep their text', () => {
    const texts = [
      withMember(node, 'to', { kind: 'string', value: '0x9' }),
      withMember(node, 'value', { kind: 'string', value: '0x3' }),
      withMember(node, 'to', null),
      withMember(undefined, 'to', { kind: 'string', value: '0x1' }),
    ].map((each) => formatJson(each, { widthColumns: Infinity }).replaceAll(' ', ''));
    expect(texts).toEqual([
      '{"to":"0x9","data":"0x2"}',
      '{"to":"0x1","data":"0x2","value":"0x3"}',
      '{"data":"0x2"}',
      '{"to":"0x1"}',
    ]);
    expect(memberOf(node, 'to')).toEqual({ kind: 'string', value: '0x1' });
    expect(memberOf(parseJsonDocument('[1]'), 'to')).toBeUndefined();
  });
});
