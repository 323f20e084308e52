import type { ChainKind } from '@/lib/protocol/networks';

/**
 * Returns the kind of chain that a method belongs to, judging by its name only. `kind-of-method.test.ts` compares the
 * results with the method table.
 */
export function kindOfMethod(name: string): ChainKind {
  if (name.startsWith('starknet_')) return 'starknet';
  return name.includes('_') ? 'evm' : 'solana';
}
