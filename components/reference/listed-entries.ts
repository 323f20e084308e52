import { requestHref } from '@/components/rpc/request-href';
import { composeRequest } from '@/components/rpc/request-text';
import { type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import { type ChainKind, NETWORKS } from '@/lib/protocol/networks';
import { METHODS, type Tier } from '@/lib/protocol/rpc-methods';
import { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';

export interface ListedMethod {
  name: string;
  kind: ChainKind;
  tier: Tier;
  family: string;
  network: string;
  description?: string;
  href: string;
}

export interface ListedError {
  code: string;
  status: number;
  error: string;
  hint: string;
}

/**
 * All RPC methods and errors as data. The server passes them to the page, so that the browser loads no script for them.
 */
export const LISTED_METHODS: readonly ListedMethod[] = METHODS.map(({ name, kind, tier, family }) => ({
  name,
  kind,
  tier,
  family,
  description: METHOD_EXAMPLES.get(name)?.description,
  network: firstNetworkOf(kind),
  href: requestHref({ network: firstNetworkOf(kind), text: composeRequest(name, exampleParams(name)) }),
}));

export const LISTED_ERRORS: readonly ListedError[] = (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
  code,
  status: ERRORS[code].status,
  error: ERRORS[code].error,
  hint: ERRORS[code].hint,
}));

function firstNetworkOf(kind: ChainKind): string {
  return NETWORKS.find((each) => each.kind === kind)?.slug ?? '';
}
