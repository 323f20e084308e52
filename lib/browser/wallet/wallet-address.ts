import { walletKey } from '@/lib/protocol/wallet-address';

export type { WalletFamily } from '@/lib/protocol/wallet-address';

/** Returns whether two addresses are equal. Ignores case in hex addresses but not in base58. */
export function sameAddress(one: string, other: string): boolean {
  return one === other || (walletKey(one) !== null && walletKey(one)?.key === walletKey(other)?.key);
}

/** Shortens an address for a button: `0x1a2b…9f0e`, `7Np4…tz1K`. */
export function shortAddress(address: string): string {
  const head = address.startsWith('0x') ? 6 : 4;
  return address.length <= head + 5 ? address : `${address.slice(0, head)}…${address.slice(-4)}`;
}
