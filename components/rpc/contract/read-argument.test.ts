import type { AbiParameter } from 'viem';
import { describe, expect, it } from 'vitest';
import { exampleOf, readArgument } from './read-argument';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const pair: AbiParameter = {
  name: 'pair',
  type: 'tuple',
  components: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
};
const read = (type: string, text: string) => readArgument({ name: 'x', type }, text);

describe('an argument is read by its type', () => {
  it.each([
    ['address', ` ${ADDRESS}\n`, ADDRESS],
    ['address', ADDRESS.toLowerCase(), ADDRESS.toLowerCase()],
    ['uint256', '115792089237316195423570985008687907853269984665640564039457584007913129639935', 2n ** 256n - 1n],
    ['uint256', '0xff', 255n],
    ['uint256', '1e18', 10n ** 18n],
    ['int8', '-128', -128n],
    ['bool', 'TRUE', true],
    ['bytes', '0x', '0x'],
    ['bytes4', '0xa9059cbb', '0xa9059cbb'],
    ['string', '  spaces 🦄 stay ', '  spaces 🦄 stay '],
    ['string', '', ''],
    ['uint256[]', '[1, "2", 9007199254740993]', [1n, 2n, 9007199254740993n]],
    ['bool[2]', '[true, false]', [true, false]],
    ['string[][]', '[["a"], []]', [['a'], []]],
  ])('%s %j', (type, text, value) => expect(read(type, text)).toEqual({ ok: true, value }));

  it('tuples by name or in their order, alone and in lists', () => {
    const value = { to: ADDRESS, amount: 5n };
    expect(readArgument(pair, `{"amount": 5, "to": "${ADDRESS}"}`)).toEqual({ ok: true, value });
    expect(readArgument(pair, `["${ADDRESS}", 5]`)).toEqual({ ok: true, value });
    expect(readArgument({ ...pair, type: 'tuple[1]' }, `[["${ADDRESS}", 5]]`)).toEqual({ ok: true, value: [value] });
  });
});

describe('what does not fit is said', () => {
  it.each([
    ['address', '', 'Fill this in'],
    ['address', '0x1234', 'not an address'],
    ['address', 'vitalik.eth', 'not an address'],
    ['address', ADDRESS.replace('f39F', 'F39F'), 'capitals'],
    ['uint8', '256', 'from 0 to 255'],
    ['uint256', '-1', 'from 0 to 2^256 - 1'],
    ['int256', `${2n ** 255n}`, 'from -2^255 to 2^255 - 1'],
    ['uint256', '1.5', 'not a whole number'],
    ['uint256', '9'.repeat(1_000_000), 'not a whole number'],
    ['uint256', '٣', 'not a whole number'],
    ['bool', 'yes', 'true or false'],
    ['bytes', '0xabc', 'two digits each'],
    ['bytes32', '0xab', 'exactly 32 bytes; these are 1'],
    ['uint256[]', '1, 2', 'not JSON yet'],
    ['uint256[]', '{}', 'square brackets'],
    ['uint256[2]', '[1]', 'exactly 2 items'],
    ['uint256[]', '[1, "x"]', 'item 2: This is not a whole number'],
    ['address[]', '[5]', 'double quotes'],
    ['function', '0x', 'cannot be written'],
  ])('%s %.20j', (type, text, said) =>
    expect(read(type, text)).toEqual({ ok: false, problem: expect.stringContaining(said) as unknown }),
  );

  it('of tuples by the name of the member', () => {
    expect(readArgument(pair, '{"to": "0x1"}')).toMatchObject({
      problem: expect.stringContaining('to: This is not an address') as unknown,
    });
    expect(readArgument(pair, `{"to": "${ADDRESS}"}`)).toMatchObject({ problem: 'amount: amount is missing.' });
    expect(readArgument(pair, '[1]')).toMatchObject({ problem: expect.stringContaining('to, amount') as unknown });
  });
});

it('a hint shows the form of lists and tuples', () => {
  expect(exampleOf({ ...pair, type: 'tuple[]' })).toBe('[{"to": "0x…", "amount": 1}]');
  expect(exampleOf({ name: '', type: 'bool[2]' })).toBe('[true]');
});
