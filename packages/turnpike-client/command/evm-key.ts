import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Parses an EVM private key: 64 hex digits, with or without 0x. @throws for an invalid key */
export function evmKey(digits: string): PrivateKeyAccount {
  return privateKeyToAccount(`0x${digits.replace(/^0x/i, '')}`);
}
