/** Families of wallets that sign in and pay (docs/architecture.md says how to add a family). */
export const WALLET_FAMILIES = ['evm', 'solana'] as const;

export type WalletFamily = (typeof WALLET_FAMILIES)[number];

/** Canonical identity of a wallet. Ignores the case of EVM addresses. */
interface WalletKey {
  family: WalletFamily;
  /** For EVM `0x` and 40 lower-case hex digits; for Solana the base58 address. */
  key: string;
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SOLANA_BYTES = 32;

/** Returns whether a value is an EVM address in any letter case. */
export function isEvmAddress(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && EVM_ADDRESS.test(value);
}

/**
 * Functions that return the canonical form of an address; null for other text. No text is an address of both families.
 */
const KEYS: Readonly<Record<WalletFamily, (address: string) => string | null>> = {
  evm: (address) => (isEvmAddress(address) ? address.toLowerCase() : null),
  solana: (address) => (SOLANA_ADDRESS.test(address) && base58Bytes(address) === SOLANA_BYTES ? address : null),
};

/**
 * Parses a wallet address: 20 bytes of hex for EVM, or 32 bytes of base58 for Solana. EIP-55 checksums are not
 * verified, and a Solana address may be off the curve.
 *
 * @returns null for an invalid address
 */
export function walletKey(address: string): WalletKey | null {
  for (const family of WALLET_FAMILIES) {
    const key = KEYS[family](address);
    if (key !== null) return { family, key };
  }
  return null;
}

/** Guesses the wallet family of an address. For an invalid address, the guess only decides the error's wording. */
export function meantFamily(text: string): WalletFamily {
  return walletKey(text)?.family ?? (text.startsWith('0x') ? 'evm' : 'solana');
}

export function isWalletFamily(value: unknown): value is WalletFamily {
  return WALLET_FAMILIES.some((family) => family === value);
}

function base58Bytes(text: string): number {
  let zeros = 0;
  while (text[zeros] === '1') zeros++;
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(BASE58.indexOf(character));
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
}

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

export const CHAIN_PREFIXES: Readonly<Record<WalletFamily, string>> = { evm: 'eip155:', solana: 'solana:' };

/**
 * Returns the wallet family of a chain.
 *
 * @param caip2 chain's name, such as `eip155:8453`
 * @throws {RangeError} for a chain of no known family
 */
export function familyOfChain(caip2: string): WalletFamily {
  const family = WALLET_FAMILIES.find((each) => caip2.startsWith(CHAIN_PREFIXES[each]));
  if (family === undefined) throw new RangeError(`${JSON.stringify(caip2)} is not a chain of any known wallet family.`);
  return family;
}
