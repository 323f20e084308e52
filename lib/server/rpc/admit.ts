import type { ErrorTree } from '@/lib/protocol/errors';
import { apiError } from '@/lib/protocol/errors';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { ChainKind, Network } from '@/lib/protocol/networks';
import { creditsOf, ERROR_CREDITS } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod, type Refusal, refusalSentence, type RpcMethod } from '@/lib/protocol/rpc-methods';

/** What the items of a call may cost. */
export interface RpcPrice {
  /** The method of each item. */
  methods: readonly RpcMethod[];
  /** Credits of each item if it succeeds. */
  credits: number[];
  /** The most that all of them can cost together. */
  maxCredits: number;
  /** Whether any item submits a transaction, so that the call must be neither repeated nor cut short. */
  sends: boolean;
}

const KIND_NAMES: Readonly<Record<ChainKind, string>> = { evm: 'EVM', solana: 'Solana', starknet: 'Starknet' };

/**
 * Checks every item against the list of methods and the network's family of chains, and prices them.
 * @throws ApiError 400 UNSUPPORTED_METHOD or CROSS_FAMILY_METHOD, naming every offending method.
 */
export function admitMethods(items: readonly RpcRequest[], network: Network, extra: ReadonlyMap<string, RpcMethod>): RpcPrice {
  const found = items.map((item) => lookUpMethod(item.method, extra));
  const refusals = found.filter(isRefusal);
  if (refusals.length > 0) throw unsupported(items, found, refusals);
  const methods = found as RpcMethod[];
  refuseCrossFamily(items, methods, network);
  refuseNamedParams(items, network);
  const credits = methods.map((method) => creditsOf(network, method));
  return {
    methods,
    credits,
    maxCredits: credits.reduce((sum, cost) => sum + Math.max(cost, ERROR_CREDITS), 0),
    sends: methods.some((method) => method.sends),
  };
}

function unsupported(items: readonly RpcRequest[], found: readonly (RpcMethod | Refusal)[], refusals: Refusal[]): Error {
  const message = refusalSentence(refusals);
  const details = faultsOf(items, (index) => (isRefusal(found[index] as RpcMethod | Refusal) ? refusalSentence([found[index] as Refusal]) : null));
  return apiError('UNSUPPORTED_METHOD', { message, details: { ...details, _errors: [message] } });
}

function refuseCrossFamily(items: readonly RpcRequest[], methods: readonly RpcMethod[], network: Network): void {
  const foreign = methods.filter((method) => method.kind !== network.kind);
  const [first] = foreign;
  if (!first) return;
  const names = [...new Set(foreign.map((method) => method.name))].join(', ');
  const kinds = [...new Set(foreign.map((method) => KIND_NAMES[method.kind]))].join(' or ');
  const message = `Not available on ${network.slug}, which belongs to the ${KIND_NAMES[network.kind]} family: ${names}. Send ${foreign.length > 1 ? 'them' : 'it'} to a network of the ${kinds} family.`;
  const details = faultsOf(items, (index) => {
    const method = methods[index] as RpcMethod;
    return method.kind === network.kind ? null : `${method.name} belongs to the ${KIND_NAMES[method.kind]} family`;
  });
  throw apiError('CROSS_FAMILY_METHOD', { message, details: { ...details, _errors: [message] } });
}

/** Named parameters are in Starknet's own API only; elsewhere `params` is an array (spec). */
function refuseNamedParams(items: readonly RpcRequest[], network: Network): void {
  if (network.kind === 'starknet' || !items.some((item) => item.paramsByName)) return;
  const details = faultsOf(items, (index) => ((items[index] as RpcRequest).paramsByName ? 'Must be an array where present' : null), 'params');
  throw apiError('INVALID_REQUEST', { message: 'The request is not valid: "params" must be an array.', details });
}

/** A tree with one fault for each item at fault: by the field alone for a single item, by index and field in a batch. */
function faultsOf(items: readonly RpcRequest[], faultAt: (index: number) => string | null, field = 'method'): ErrorTree {
  const tree: ErrorTree = { _errors: [] };
  items.forEach((_item, index) => {
    const fault = faultAt(index);
    if (fault === null) return;
    const leaf: ErrorTree = { _errors: [fault] };
    if (items.length === 1) tree[field] = leaf;
    else tree[String(index)] = { _errors: [], [field]: leaf };
  });
  return tree;
}
