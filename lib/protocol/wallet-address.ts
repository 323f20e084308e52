/**
 * The families of wallets, which sign in and pay. Where something depends on the family, all of them are named: the
 * compiler lists what another one has to be told to (docs/architecture.md).
 */
export const WALLET_FAMILIES = ['evm', 'solana'] as const;

export type WalletFamily = (typeof WALLET_FAMILIES)[number];

/** A wallet as it is known everywhere inside: one text for each wallet, whatever case it was written in. */
export interface WalletKey {
  family: WalletFamily;
  /** EVM: `0x` and 40 lower-case hex digits. Solana: base58, as it is. */
  key: string;
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SOLANA_BYTES = 32;

/** Whether a value is an address of an EVM chain, in any case. */
export function isEvmAddress(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && EVM_ADDRESS.test(value);
}

/** The key that an address of each family means; null for what is none. No text is an address of two families. */
const KEYS: Readonly<Record<WalletFamily, (address: string) => string | null>> = {
  evm: (address) => (isEvmAddress(address) ? address.toLowerCase() : null),
  solana: (address) => (SOLANA_ADDRESS.test(address) && base58Bytes(address) === SOLANA_BYTES ? address : null),
};

/**
 * The wallet that an address names: 20 bytes of hex for EVM, in any case (whether a mixed case is a true EIP-55
 * checksum is not asked), or 32 bytes of base58 for Solana, whether or not they are a point of the curve.
 *
 * @returns null where the text is neither
 */
export function walletKey(address: string): WalletKey | null {
  for (const family of WALLET_FAMILIES) {
    const key = KEYS[family](address);
    if (key !== null) return { family, key };
  }
  return null;
}

/** The family of whose wallets a text is meant to name one. Where it names none, it decides only in which words that is said. */
export function meantFamily(text: string): WalletFamily {
  return walletKey(text)?.family ?? (text.startsWith('0x') ? 'evm' : 'solana');
}

/** Whether something that was stored or sent names a family of wallets. */
export function isWalletFamily(value: unknown): value is WalletFamily {
  return WALLET_FAMILIES.some((family) => family === value);
}

/** How many bytes a base58 text stands for: each leading 1 is a zero byte. */
function base58Bytes(text: string): number {
  let zeros = 0;
  while (text[zeros] === '1') zeros++;
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(BASE58.indexOf(character));
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
}
