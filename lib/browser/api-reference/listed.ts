import type { ChainKind } from '@/lib/protocol/networks';
import type { Tier } from '@/lib/protocol/rpc-methods';

/** A method of the proxy as the reference lists it. */
export interface ListedMethod {
  name: string;
  kind: ChainKind;
  tier: Tier;
  family: string;
  /** What it gives, in a sentence; absent where nothing is known of it. */
  description?: string;
  /** The RPC page with an example of it. */
  href: string;
}

/** An error of the API as the reference lists it. */
export interface ListedError {
  code: string;
  status: number;
  error: string;
  hint: string;
}
