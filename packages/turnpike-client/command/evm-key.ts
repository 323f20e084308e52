import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** A private key of EVM chains: 64 hexadecimal digits, with or without 0x. @throws for a number that is no key */
export function evmKey(digits: string): PrivateKeyAccount {
  return privateKeyToAccount(`0x${digits.replace(/^0x/i, '')}`);
}
