import type { ChainKind } from '@/lib/protocol/networks';
import type { Tier } from '@/lib/protocol/rpc-methods';

export interface ListedMethod {
  name: string;
  kind: ChainKind;
  tier: Tier;
  family: string;
  description?: string;
  /** Address of the RPC page with an example of the method. */
  href: string;
}

export interface ListedError {
  code: string;
  status: number;
  error: string;
  hint: string;
}
