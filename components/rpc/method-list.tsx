'use client';

import { OptionList } from '@/components/ui/option-list';
import type { ComboboxGroup } from '@/components/ui/options';
import type { Network } from '@/lib/protocol/networks';
import { creditsOf } from '@/lib/protocol/pricing';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import { useMemo } from 'react';
import { rpcListWords } from './list-words';
import { METHOD_EXAMPLES, METHODS } from './method-book';
import { TierBadge } from './tier-badge';

const words = rpcListWords.method;

interface MethodListProps {
  label: string;
  network: Network;
  method: string | null;
  choose: (method: string) => void;
}

export function MethodList({ label, network, method, choose }: MethodListProps) {
  const groups = useMemo(() => groupOptions(network), [network]);
  return (
    <OptionList
      label={label}
      value={method}
      groups={groups}
      searchPlaceholder={network.kind === 'solana' ? words.searchSolana : words.search}
      emptyText={words.nothingFound}
      choose={choose}
    />
  );
}

function groupOptions(network: Network): ComboboxGroup[] {
  return groupMethods(network).map(({ heading, methods }) => ({
    heading,
    options: methods.map((method) => {
      const description = METHOD_EXAMPLES.get(method.name)?.description ?? '';
      return {
        value: method.name,
        keywords: [method.tier, description],
        content: <MethodRow method={method} description={description} network={network} />,
      };
    }),
  }));
}

function MethodRow({ method, description, network }: { method: RpcMethod; description: string; network: Network }) {
  return (
    <>
      <span className="grid min-w-0 flex-1">
        <span className="figures truncate">{method.name}</span>
        <span className="truncate text-xs text-faint empty:hidden">{description}</span>
      </span>
      <TierBadge tier={method.tier} />
      <span className="figures w-18 shrink-0 text-right text-xs text-dim">
        {words.credits(creditsOf(network, method))}
      </span>
    </>
  );
}

export interface MethodGroup {
  heading: string;
  methods: readonly RpcMethod[];
}

/** Namespaces that only one chain family has. The list shows them only for that family and the sandbox. */
const HOME_FAMILY: Readonly<Record<string, string>> = {
  zks: 'zksync',
  linea: 'linea',
  bor: 'polygon',
  base: 'base',
  arbtrace: 'arbitrum',
};

/** Groups the methods of a network: the most used methods first, then the others by namespace. */
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
