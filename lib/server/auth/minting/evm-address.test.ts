import { describe, expect, it } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { evmAddressOf } from './evm-address';

/** Addresses of EIP-55, "Test Cases". */
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

function faultOf(text: string): string {
  try {
    return `accepted as ${evmAddressOf(text)}`;
  } catch (error) {
    if (isApiError(error)) return error.message;
    throw error;
  }
}

describe('an EVM address', () => {
  it.each(CHECKSUMMED)('%s holds with its checksum, in all lower and in all upper case', (address) => {
    const lower = address.toLowerCase();
    for (const text of [address, lower, `0x${address.slice(2).toUpperCase()}`]) expect(evmAddressOf(text)).toBe(lower);
  });

  it.each(CHECKSUMMED.slice(4))('%s with one letter in the other case is refused', (address) => {
    const place = address.slice(2).search(/[a-fA-F]/) + 2;
    const letter = address[place] as string;
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    expect(faultOf(address.slice(0, place) + other + address.slice(place + 1))).toMatch(/^Invalid wallet address/);
  });

  it.each([
    '',
    '0x',
    '0x0',
    'vitalik.eth',
    '0X52908400098527886E0F7030069857D2E4169EE7',
    '52908400098527886E0F7030069857D2E4169EE7',
    '0x52908400098527886E0F7030069857D2E4169EE',
    '0x52908400098527886E0F7030069857D2E4169EE70',
    ' 0x52908400098527886E0F7030069857D2E4169EE7',
    '0x52908400098527886E0F7030069857D2E4169EE7\n',
    '0x52908400098527886E0F7030069857D2E4169EEG',
    '0x000000000000000000000000de709f2102306220921060314715629080e2fb77',
    'So11111111111111111111111111111111111111112',
    `0x${'a'.repeat(100_000)}`,
  ])('%j is invalid', (text) => {
    expect(faultOf(text)).toBe('Invalid wallet address.');
  });

  it('of zeros is nobody’s: a chain takes every broken signature for one of it', () => {
    expect(faultOf(`0x${'0'.repeat(40)}`)).toBe('Invalid wallet address: the zero address has no owner.');
  });
});
