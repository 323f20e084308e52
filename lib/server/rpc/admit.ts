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
 * @param priceFactorOf what a method costs more because several upstreams are asked.
 * @throws ApiError 400 UNSUPPORTED_METHOD or CROSS_FAMILY_METHOD, naming every offending method.
 */
export function admitMethods(
  items: readonly RpcRequest[],
  network: Network,
  extra: ReadonlyMap<string, RpcMethod>,
  priceFactorOf: (method: string) => number = () => 1,
): RpcPrice {
  const found = items.map((item) => lookUpMethod(item.method, extra));
  if (found.some((each) => isRefusal(each) && !isForeignFilter(each, network)))
    throw unsupported(items, found, network);
  refuseCrossFamily(items, found, network);
  const methods = found as RpcMethod[];
  refuseNamedParams(items, network);
  const credits = methods.map((method) => creditsOf(network, method) * priceFactorOf(method.name));
  return {
    methods,
    credits,
    maxCredits: credits.reduce((sum, cost) => sum + Math.max(cost, ERROR_CREDITS), 0),
    sends: methods.some((method) => method.sends),
  };
}

/** Filters are of EVM: elsewhere their methods are of another family, as all of EVM's are. */
function isForeignFilter({ reason }: Refusal, { kind }: Network): boolean {
  return reason === 'filter' && kind !== 'evm';
}

/** What no network has, and beside it what this one has not. */
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

/** A refusal without the advice to use a method that this network refuses too. */
function withLocalAdvice(refusal: Refusal, { kind }: Network): Refusal {
  const { name, reason, replacement } = refusal;
  // Both say what to do with methods of EVM.
  if (kind !== 'evm' && (reason === 'filter' || reason === 'key-holding')) return { name, reason: 'unsupported' };
  const instead = replacement === undefined ? null : lookUpMethod(replacement);
  return instead === null || isRefusal(instead) || instead.kind === kind ? refusal : { name, reason };
}

function refuseCrossFamily(
  items: readonly RpcRequest[],
  found: readonly (RpcMethod | Refusal)[],
  network: Network,
): void {
  const foreign = found.filter((each) => kindOf(each) !== network.kind);
  if (foreign.length === 0) return;
  const message = foreignSentence(foreign, network);
  const details = faultsOf(items, (index) => foreignFault(found[index] as RpcMethod | Refusal, network));
  throw apiError('CROSS_FAMILY_METHOD', { message, details: { ...details, _errors: [message] } });
}

function foreignSentence(foreign: readonly (RpcMethod | Refusal)[], network: Network): string {
  const names = [...new Set(foreign.map((method) => method.name))].join(', ');
  return `Not available on ${network.slug}, which belongs to the ${KIND_NAMES[network.kind]} family: ${names}. ${cureOf(foreign)}`;
}

function foreignFault(method: RpcMethod | Refusal, network: Network): string | null {
  return kindOf(method) === network.kind ? null : `${method.name} belongs to the ${KIND_NAMES[kindOf(method)]} family`;
}

/** Only filters get here of what is refused. */
function kindOf(method: RpcMethod | Refusal): ChainKind {
  return isRefusal(method) ? 'evm' : method.kind;
}

/** Where to send what is of another family; a filter would be refused there too. */
function cureOf(foreign: readonly (RpcMethod | Refusal)[]): string {
  const others = foreign.filter((method) => !isRefusal(method));
  const kinds = [...new Set(others.map(kindOf))].map((kind) => KIND_NAMES[kind]).join(' or ');
  const filters =
    foreign.length > others.length
      ? ['No network has filters; on the EVM family, eth_getLogs with a block range does their work.']
      : [];
  const sending =
    others.length === 0
      ? []
      : [
          `Send ${others.length === foreign.length ? (others.length > 1 ? 'them' : 'it') : others.map(({ name }) => name).join(', ')} to a network of the ${kinds} family.`,
        ];
  return [...sending, ...filters].join(' ');
}

/** Named parameters are in Starknet's own API only; elsewhere `params` is an array (spec). */
const TAKES_NAMED_PARAMS: Readonly<Record<ChainKind, boolean>> = { evm: false, solana: false, starknet: true };

function refuseNamedParams(items: readonly RpcRequest[], network: Network): void {
  if (TAKES_NAMED_PARAMS[network.kind] || !items.some((item) => item.paramsByName)) return;
  const details = faultsOf(
    items,
    (index) => ((items[index] as RpcRequest).paramsByName ? 'Must be an array where present' : null),
    'params',
  );
  throw apiError('INVALID_REQUEST', { message: 'The request is not valid: "params" must be an array.', details });
}

/** A tree with one fault for each item at fault: by the field alone for a single item, by index and field in a batch. */
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
