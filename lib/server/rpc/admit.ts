import { apiError, type ErrorTree } from '@/lib/protocol/errors';
import type { RpcRequest, RpcRequestBody } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind, Network } from '@/lib/protocol/networks';
import { creditsOf, ERROR_CREDITS } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod, type Refusal, refusalSentence, type RpcMethod } from '@/lib/protocol/rpc-methods';

export interface RpcPrice {
  methods: readonly RpcMethod[];
  /** The credits that each item costs if it succeeds. */
  credits: number[];
  maxCredits: number;
  /** True if any item submits a transaction. The call must then not be repeated or cancelled. */
  sends: boolean;
}

const KIND_NAMES: Readonly<Record<ChainKind, string>> = { evm: 'EVM', solana: 'Solana', starknet: 'Starknet' };

/**
 * Checks every item against the list of methods and the network's chain family, and returns the price.
 * @throws ApiError 400 UNSUPPORTED_METHOD or CROSS_FAMILY_METHOD with all refused methods, or INVALID_REQUEST
 */
export function admitMethods(
  items: readonly RpcRequest[],
  network: Network,
  extra: ReadonlyMap<string, RpcMethod>,
  priceFactorOf: (method: string) => number = () => 1,
): RpcPrice {
  const price = { methods: [] as RpcMethod[], credits: [] as number[], maxCredits: 0, sends: false };
  let method: RpcMethod | null = null;
  let last = '';
  let credits = 0;
  // Looks up a repeated method only once, because most batches repeat one method.
  for (const { method: name } of items) {
    if (method === null || name !== last) {
      const found = lookUpMethod(name, extra);
      if (isRefusal(found) || found.kind !== network.kind) throw refused(items, network, extra);
      method = found;
      last = name;
      credits = creditsOf(network, method) * priceFactorOf(name);
    }
    price.methods.push(method);
    price.credits.push(credits);
    price.maxCredits += Math.max(credits, ERROR_CREDITS);
    price.sends ||= method.sends;
  }
  refuseNamedParams(items, network);
  return price;
}

function refused(items: readonly RpcRequest[], network: Network, extra: ReadonlyMap<string, RpcMethod>): Error {
  const found = items.map((item) => lookUpMethod(item.method, extra));
  return found.some((each) => isRefusal(each) && !isForeignFilter(each, network))
    ? unsupported(items, found, network)
    : crossFamily(items, found, network);
}

function isForeignFilter({ reason }: Refusal, { kind }: Network): boolean {
  return reason === 'filter' && kind !== 'evm';
}

function unsupported(items: readonly RpcRequest[], found: readonly (RpcMethod | Refusal)[], network: Network): Error {
  const refusals = found.map((each) => (isRefusal(each) ? withLocalAdvice(each, network) : null));
  const foreign = found.filter((each) => !isRefusal(each) && each.kind !== network.kind);
  const sentence = refusalSentence(refusals.filter((refusal) => refusal !== null));
  const message = foreign.length === 0 ? sentence : `${sentence} ${foreignSentence(foreign, network)}`;
  const details = faultsOf(items, (index) => {
    const refusal = refusals[index] ?? null;
    return refusal ? refusalSentence([refusal]) : foreignFault(found[index] as RpcMethod, network);
  });
  return apiError('UNSUPPORTED_METHOD', { message, details: { ...details, _errors: [message] } });
}

function withLocalAdvice(refusal: Refusal, { kind }: Network): Refusal {
  const { name, reason, replacement } = refusal;
  // The advice for filters and key-holding methods refers to methods that only EVM networks have.
  if (kind !== 'evm' && (reason === 'filter' || reason === 'key-holding')) return { name, reason: 'unsupported' };
  const instead = replacement === undefined ? null : lookUpMethod(replacement);
  return instead === null || isRefusal(instead) || instead.kind === kind ? refusal : { name, reason };
}

function crossFamily(items: readonly RpcRequest[], found: readonly (RpcMethod | Refusal)[], network: Network): Error {
  const foreign = found.filter((each) => kindOf(each) !== network.kind);
  const message = foreignSentence(foreign, network);
  const details = faultsOf(items, (index) => foreignFault(found[index] as RpcMethod | Refusal, network));
  return apiError('CROSS_FAMILY_METHOD', { message, details: { ...details, _errors: [message] } });
}

function foreignSentence(foreign: readonly (RpcMethod | Refusal)[], network: Network): string {
  const names = [...new Set(foreign.map((method) => method.name))].join(', ');
  return `These methods are not available on ${network.slug}, a network of the ${KIND_NAMES[network.kind]} family: ${names}. ${cureOf(foreign)}`;
}

function foreignFault(method: RpcMethod | Refusal, network: Network): string | null {
  return kindOf(method) === network.kind ? null : `${method.name} belongs to the ${KIND_NAMES[kindOf(method)]} family`;
}

function kindOf(method: RpcMethod | Refusal): ChainKind {
  return isRefusal(method) ? 'evm' : method.kind;
}

/** Suggests a network that has the methods. For filters, which no network has, suggests another method. */
function cureOf(foreign: readonly (RpcMethod | Refusal)[]): string {
  const others = foreign.filter((method) => !isRefusal(method));
  const kinds = [...new Set(others.map(kindOf))].map((kind) => KIND_NAMES[kind]).join(' or ');
  const filters =
    foreign.length > others.length
      ? ['No network supports filters. On EVM networks, use eth_getLogs with a block range instead.']
      : [];
  const sending =
    others.length === 0
      ? []
      : [
          `Send ${others.length === foreign.length ? (others.length > 1 ? 'them' : 'it') : others.map(({ name }) => name).join(', ')} to a network of the ${kinds} family.`,
        ];
  return [...sending, ...filters].join(' ');
}

/** Only Starknet's API has named parameters (according to the specification). */
const TAKES_NAMED_PARAMS: Readonly<Record<ChainKind, boolean>> = { evm: false, solana: false, starknet: true };

function refuseNamedParams(items: readonly RpcRequest[], network: Network): void {
  if (TAKES_NAMED_PARAMS[network.kind] || !items.some((item) => item.paramsByName)) return;
  const details = faultsOf(
    items,
    (index) =>
      (items[index] as RpcRequest).paramsByName
        ? 'Must be an array if present; only Starknet methods accept an object'
        : null,
    'params',
  );
  throw apiError('INVALID_REQUEST', { message: 'The request is not valid: "params" must be an array.', details });
}

/**
 * Returns the faulty items' errors under the key `field`. For several items, this key is nested under the item's index.
 */
function faultsOf(
  items: readonly RpcRequest[],
  faultAt: (index: number) => string | null,
  field = 'method',
): ErrorTree {
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

const METHOD_NOT_FOUND = -32601;

/**
 * Answers a single filter method with a JSON-RPC error, so that ethers and web3.js poll eth_getLogs instead of ending
 * their subscriptions. ethers looks for Geth's words "the method … does not exist" in the message.
 * @returns null for other requests. Filters in a batch (spec, RPC proxy rule 1) or on a network without eth_getLogs are
 * refused later
 */
export function filterAnswer({ batch, items }: RpcRequestBody, { kind }: Pick<Network, 'kind'>): string | null {
  const [item] = items;
  if (batch || item === undefined || kind !== 'evm') return null;
  const found = lookUpMethod(item.method);
  if (!isRefusal(found) || found.reason !== 'filter') return null;
  return `{"jsonrpc":"2.0","id":${item.id},"error":${JSON.stringify({ code: METHOD_NOT_FOUND, message: filterSentence(item.method) })}}`;
}

function filterSentence(method: string): string {
  return `Stateful filter method not supported: the method ${method} does not exist here. A filter exists on one node only, and calls go to several nodes. Use eth_getLogs with a block range instead.`;
}
