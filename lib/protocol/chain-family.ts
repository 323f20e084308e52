import { WALLET_FAMILIES, type WalletFamily } from './wallet-address';

export const CHAIN_PREFIXES: Readonly<Record<WalletFamily, string>> = { evm: 'eip155:', solana: 'solana:' };

/**
 * Returns the wallet family of a chain.
 *
 * @param caip2 such as `eip155:8453`
 * @throws {RangeError} for a chain of no known family
 */
export function familyOfChain(caip2: string): WalletFamily {
  const family = WALLET_FAMILIES.find((each) => caip2.startsWith(CHAIN_PREFIXES[each]));
  if (family === undefined) throw new RangeError(`${JSON.stringify(caip2)} is a chain of no family of wallets.`);
  return family;
}
