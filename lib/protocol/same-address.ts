import type { WalletFamily } from './wallet-address';

const WRITTEN: Readonly<Record<WalletFamily, (address: string) => string>> = {
  evm: (address) => address.toLowerCase(),
  solana: (address) => address,
};

/**
 * Compares two addresses of wallets or tokens. Ignores case on EVM chains, and compares exactly on Solana. Does not
 * validate the addresses.
 */
export function isSameAddress(family: WalletFamily, one: string, other: string): boolean {
  return WRITTEN[family](one) === WRITTEN[family](other);
}
