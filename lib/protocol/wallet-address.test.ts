import { describe, expect, it } from 'vitest';
import { isWalletFamily, meantFamily, walletKey } from './wallet-address';

describe('the wallet that an address names', () => {
  // Checksum addresses of EIP-55.
  it.each(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'])(
    'is one for every case of %s',
    (address) => {
      const key = address.toLowerCase();
      for (const form of [address, key, `0x${key.slice(2).toUpperCase()}`])
        expect(walletKey(form)).toEqual({ family: 'evm', key });
      expect(meantFamily(key)).toBe('evm');
    },
  );

  // USDC mint, wrapped SOL, and the system program (32 zero bytes).
  it.each([
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'So11111111111111111111111111111111111111112',
    '1'.repeat(32),
  ])('on Solana is its base58, as it is: %s', (address) => {
    expect(walletKey(address)).toEqual({ family: 'solana', key: address });
    expect(meantFamily(address)).toBe('solana');
  });

  it.each([
    ['', 'nothing'],
    ['0x', 'no digits'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', '39 digits'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0', '41 digits'],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'no 0x'],
    ['0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0X'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg', 'a letter that is no digit'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n', 'a line break'],
    ['1'.repeat(33), '33 zero bytes'],
    ['1'.repeat(31), '31 zero bytes'],
    ['z'.repeat(44), 'more than 32 bytes'],
    ['0PjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'a character that base58 has not'],
  ])('%j is invalid: %s', (address) => {
    expect(walletKey(address)).toBeNull();
    expect(meantFamily(address)).toBe(address.startsWith('0x') ? 'evm' : 'solana');
  });
});

it.each([
  ['evm', true],
  ['solana', true],
  ['EVM', false],
  ['starknet', false],
  ['length', false],
  [0, false],
  [null, false],
  [undefined, false],
])('%j is the name of a family of wallets: %j', (value, expected) => {
  expect(isWalletFamily(value)).toBe(expected);
});
