import type { ChainKind } from '@/lib/protocol/networks';

/** Pricing tiers of the specification (RPC proxy rule 2), cheapest first. */
export type Tier = 'standard' | 'advanced' | 'large';

export interface RpcMethod {
  name: string;
  kind: ChainKind;
  tier: Tier;
  /** Name space or standard: `eth`, `erc4337`, `zks`, `trace`, `solana` and so on. */
  family: string;
  /** True if the method submits a transaction or user operation. The gateway never sends such a call twice. */
  sends: boolean;
}

interface MethodFamily {
  kind: ChainKind;
  family: string;
  tier: Tier;
  /** Read methods in `tier`. */
  reads: readonly string[];
  sends?: readonly string[];
  /** Read methods in the Large tier. */
  large?: readonly string[];
}

/** Returns the methods of a family in the order `reads`, `sends`, `large`. */
export function defineMethods(family: MethodFamily): readonly RpcMethod[] {
  const row = (name: string, tier: Tier, sends: boolean): RpcMethod =>
    Object.freeze({ name, kind: family.kind, tier, family: family.family, sends });
  return Object.freeze([
    ...family.reads.map((name) => row(name, family.tier, false)),
    ...(family.sends ?? []).map((name) => row(name, family.tier, true)),
    ...(family.large ?? []).map((name) => row(name, 'large', false)),
  ]);
}
