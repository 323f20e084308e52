import { describe, expect, it } from 'vitest';
import { isDecodable, readHexValue, type Reading, readNumberValue } from './read-value';

const read = (hex: string, name: string | null = null) =>
  Object.fromEntries(readHexValue(hex, { name, symbol: 'ETH' }).map(({ kind, text }) => [kind, text])) as Partial<
    Record<Reading['kind'], string>
  >;
const word = (hex: string) => hex.padStart(64, '0');
const bytes = (text: string) => Buffer.from(text).toString('hex');
const padded = (text: string) => bytes(text).padEnd(Math.ceil(bytes(text).length / 64) * 64, '0');
const abiText = (text: string) => word('20') + word((bytes(text).length / 2).toString(16)) + padded(text);

describe('a hexadecimal value is read as', () => {
  it('a quantity, in decimals', () => expect(read('0x10d4f')).toEqual({ decimal: '68,943' }));
  it('zero', () => expect(read('0x0')).toEqual({ decimal: '0' }));
  it('a number of 256 bits', () => expect(read(`0x${'f'.repeat(63)}e`)).toMatchObject({ signed: '-2' }));

  it('money where the name or the size says so', () => {
    expect(read('0x14d1120d7b160000')).toMatchObject({ decimal: '1,500,000,000,000,000,000', native: '1.5 ETH' });
    expect(read('0x1', 'value')).toMatchObject({ native: '0.000000000000000001 ETH', gwei: '0.000000001 gwei' });
    expect(Object.keys(read('0x3b9aca00', 'baseFeePerGas'))).toEqual(['decimal', 'gwei', 'native']);
    expect(read('0x5208', 'gasUsed')).toEqual({ decimal: '21,000' });
  });

  it('a time in seconds', () => {
    expect(read('0x65a0bc80', 'timestamp')).toMatchObject({ time: '2024-01-12T04:13:52Z' });
    expect(read('0x55ba4224', 'timestamp')).toMatchObject({ time: '2015-07-30T15:26:28Z' });
    expect(read('0x1', 'number')).not.toHaveProperty('time');
  });

  it('a text: of 32 bytes, of any bytes, and as the ABI encodes it', () => {
    expect(read(`0x${padded('MKR')}`)).toMatchObject({ text: 'MKR' });
    expect(read(`0x${bytes('Geth/v1.10 🦄')}`)).toMatchObject({ text: 'Geth/v1.10 🦄' });
    expect(read(`0x${abiText('USD Coin, and more than 32 bytes of a name')}`)).toMatchObject({
      text: 'USD Coin, and more than 32 bytes of a name',
    });
  });

  it('an address in a word', () =>
    expect(read(`0x${word('f39fd6e51aad88f6f4ce6ab8827279cfffb92266')}`)).toMatchObject({
      address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    }));
  it('a call', () => expect(read(`0xa9059cbb${word('1')}${word('2')}`)).toMatchObject({ call: '0xa9059cbb + 2 × 32' }));

  it('the reason of a revert', () => {
    expect(read(`0x08c379a0${abiText('ERC20: transfer amount exceeds balance')}`)).toEqual({
      revert: 'ERC20: transfer amount exceeds balance',
    });
    expect(read(`0x4e487b71${word('11')}`)).toEqual({ panic: '0x11: arithmetic overflowed or underflowed' });
    expect(read(`0x4e487b71${word('77')}`).panic).toContain('does not document');
  });
});

describe('values that are not strings give null', () => {
  it.each([
    ['control characters', bytes('a\u0000b\u0007')],
    ['characters that turn the direction', bytes('safe\u202etxt.exe')],
    ['a broken sequence', 'c3283c'],
    ['one letter', bytes('a')],
    ['a length beyond the end', word('20') + word('ffff') + padded('abc')],
    ['something behind its end', word('20') + word('3') + `${bytes('abc')}01`.padEnd(64, '0')],
    ['a huge offset', 'f'.repeat(192)],
  ])('%s', (_what, digits) => expect(read(`0x${digits}`)).not.toHaveProperty('text'));

  it('and a reason that is cut off is shown as bytes', () =>
    expect(read(`0x08c379a0${word('20')}${word('ff')}${padded('cut')}`)).not.toHaveProperty('revert'));
});

describe('whatever comes', () => {
  it.each(['0x', '', '0xzz', 'abc', '0x12g', ' 0x1'])('%j is not decodable', (value) =>
    expect(isDecodable(value)).toBe(false),
  );
  it('a megabyte is measured only', () =>
    expect(readHexValue(`0x${'ab'.repeat(500_000)}`, { name: 'data', symbol: 'ETH' })).toEqual([
      { kind: 'size', text: '500,000' },
    ]));
  it.each(['0x00', '0x0000', '0xdeadbeef', '0xabc', `0x${'0'.repeat(64)}`])('%s has a reading', (value) =>
    expect(readHexValue(value, { name: null, symbol: 'ETH' })).not.toEqual([]),
  );
});

describe('a JSON number is read as', () => {
  it('a time or an amount of Solana', () => {
    expect(readNumberValue('1704999999', { name: 'blockTime', symbol: 'SOL' })).toMatchObject([
      { kind: 'time', text: '2024-01-11T19:06:39Z' },
    ]);
    expect(readNumberValue('5000', { name: 'fee', symbol: 'SOL' })).toEqual([{ kind: 'native', text: '0.000005 SOL' }]);
  });
  it.each([
    ['slot', '5'],
    ['blockTime', '-1'],
    ['blockTime', '1e9'],
    [null, '1704999999'],
  ])('nothing more: %s %s', (name, source) => expect(readNumberValue(source, { name, symbol: 'SOL' })).toEqual([]));
});
