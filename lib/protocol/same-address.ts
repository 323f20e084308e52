import type { WalletFamily } from './wallet-address';

/** The one writing of an address of each family, by which it is compared. */
const WRITTEN: Readonly<Record<WalletFamily, (address: string) => string>> = {
  evm: (address) => address.toLowerCase(),
  solana: (address) => address,
};

/**
 * Whether two texts are one address on a chain of this family, of a wallet or of a token: on EVM chains in any case of
 * letters, on Solana in one only. Whether they are addresses at all is not asked.
 */
export function isSameAddress(family: WalletFamily, one: string, other: string): boolean {
  return WRITTEN[family](one) === WRITTEN[family](other);
}
