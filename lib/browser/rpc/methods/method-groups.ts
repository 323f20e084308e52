import type { Network } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import { rpcListWords } from '../../words/rpc-lists';
import { METHOD_EXAMPLES, METHODS } from './method-book';

const words = rpcListWords.method;

export interface MethodGroup {
  heading: string;
  methods: readonly RpcMethod[];
}

/** Namespaces of one chain family, listed only for that family and the sandbox. */
const HOME_FAMILY: Readonly<Record<string, string>> = {
  zks: 'zksync',
  linea: 'linea',
  bor: 'polygon',
  arbtrace: 'arbitrum',
};

/** Groups the methods of a network: the most used methods in order of use, then all other methods by namespace. */
export function groupMethods(network: Network): MethodGroup[] {
  const offered = new Map(
    METHODS.filter(({ kind, family }) => kind === network.kind && !(family in HOME_FAMILY)).map((method) => [
      method.name,
      method,
    ]),
  );
  const common = [...METHOD_EXAMPLES.keys()].flatMap((name) => offered.get(name) ?? []);
  const commonNames = new Set(common.map(({ name }) => name));
  const byHeading = new Map<string, RpcMethod[]>();
  for (const method of METHODS) {
    if (method.kind !== network.kind || commonNames.has(method.name) || !isAtHome(method, network)) continue;
    const heading = words.families[method.family] ?? `${method.family}_*`;
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), method]);
  }
  return [
    { heading: words.mostUsed, methods: common },
    ...[...byHeading].map(([heading, methods]) => ({ heading, methods })),
  ];
}

function isAtHome(method: RpcMethod, network: Network): boolean {
  const home = HOME_FAMILY[method.family];
  return home === undefined || home === network.family || network.family === 'sandbox';
}
