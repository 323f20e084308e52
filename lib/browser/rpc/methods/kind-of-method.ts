import type { ChainKind } from '@/lib/protocol/networks';

/** The kind of chain that a method is of, by its name alone; `kind-of-method.test.ts` holds the table to it. */
export function kindOfMethod(name: string): ChainKind {
  if (name.startsWith('starknet_')) return 'starknet';
  return name.includes('_') ? 'evm' : 'solana';
}
