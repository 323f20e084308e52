import type { ChainKind } from '@/lib/protocol/networks';

/** Pricing tiers of the specification (RPC proxy rule 2), cheapest first. */
export type Tier = 'standard' | 'advanced' | 'large';

/** A method that the RPC proxy forwards. */
export interface RpcMethod {
  name: string;
  kind: ChainKind;
  tier: Tier;
  /** The name space or standard it comes from: `eth`, `erc4337`, `zks`, `trace`, `solana` and so on. */
  family: string;
  /** Submits a transaction or user operation, and so must never be attempted twice for one call. */
  sends: boolean;
}

/** What the methods of one family have in common, and which of them deviate. */
export interface MethodFamily {
  kind: ChainKind;
  family: string;
  tier: Tier;
  /** The methods that are of the family's tier and only read. */
  reads: readonly string[];
  /** The methods that submit something to the chain. */
  sends?: readonly string[];
  /** Reads that are of the Large tier, whatever the family's. */
  large?: readonly string[];
}

/** The methods of a family as frozen table rows, in the order reads, sends, large. */
export function defineMethods(family: MethodFamily): readonly RpcMethod[] {
  const row = (name: string, tier: Tier, sends: boolean): RpcMethod =>
    Object.freeze({ name, kind: family.kind, tier, family: family.family, sends });
  return Object.freeze([
    ...family.reads.map((name) => row(name, family.tier, false)),
    ...(family.sends ?? []).map((name) => row(name, family.tier, true)),
    ...(family.large ?? []).map((name) => row(name, 'large', false)),
  ]);
}
