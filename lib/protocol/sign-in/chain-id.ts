export const BASE_MAINNET = 'eip155:8453';
/** CAIP-2 name of Solana's mainnet, with the first 32 characters of its genesis hash. */
export const SOLANA_MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

const DIGITS = /^\d{1,20}$/;
const EVM = /^eip155:(\d{1,20})$/;
const SOLANA = /^(?:solana:)?([1-9A-HJ-NP-Za-km-z]{32})$/;
const SOLANA_MAINNET_NAMES: readonly string[] = ['mainnet', 'solana:mainnet'];

/**
 * Returns the CAIP-2 name of a sign-in's chain, or null if invalid. Accepts a number or its digits for EVM, and the
 * reference of a Solana cluster with or without namespace.
 */
export function canonicalChainId(chainId: string | number): string | null {
  const text = String(chainId);
  const digits = DIGITS.test(text) ? text : EVM.exec(text)?.[1];
  if (digits !== undefined) return `eip155:${BigInt(digits)}`;
  if (SOLANA_MAINNET_NAMES.includes(text)) return SOLANA_MAINNET;
  const reference = SOLANA.exec(text)?.[1];
  return reference === undefined ? null : `solana:${reference}`;
}

/** Returns the CAIP-2 reference, which a message's Chain ID line shows. */
export function chainReference(caip2: string): string {
  return caip2.slice(caip2.indexOf(':') + 1);
}
