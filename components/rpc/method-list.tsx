'use client';

import type { ComboboxGroup } from '@/components/ui/combobox-options';
import { OptionList } from '@/components/ui/option-list';
import { METHOD_EXAMPLES, METHODS } from '@/lib/browser/rpc/methods/method-book';
import type { Network } from '@/lib/protocol/networks';
import { creditsOf } from '@/lib/protocol/pricing';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import { rpcListWords } from '@/lib/browser/words/rpc-lists';
import { useMemo } from 'react';
import { TierBadge } from './tier-badge';

const words = rpcListWords.method;

interface MethodListProps {
  label: string;
  network: Network;
  method: string | null;
  choose: (method: string) => void;
}

/** The methods that a network's nodes speak, with their prices there. */
export function MethodList({ label, network, method, choose }: MethodListProps) {
  const groups = useMemo(() => groupMethods(network), [network]);
  return <OptionList label={label} value={method} groups={groups} searchPlaceholder={network.kind === 'solana' ? words.searchSolana : words.search} emptyText={words.nothingFound} choose={choose} />;
}

/** The namespaces of single chains come first on their own chain and last elsewhere, where nodes rarely know them. */
const HOME_FAMILY: Readonly<Record<string, string>> = { zks: 'zksync', linea: 'linea', bor: 'polygon', arbtrace: 'arbitrum' };

function groupMethods(network: Network): ComboboxGroup[] {
  const common = METHODS.filter(({ name, kind, family }) => kind === network.kind && METHOD_EXAMPLES.has(name) && !(family in HOME_FAMILY));
  const commonNames = new Set(common.map(({ name }) => name));
  const byHeading = new Map<string, RpcMethod[]>();
  for (const method of METHODS) {
    if (method.kind !== network.kind || commonNames.has(method.name) || !isAtHome(method, network)) continue;
    const heading = words.families[method.family] ?? `${method.family}_*`;
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), method]);
  }
  const groups = [{ heading: words.mostUsed, methods: common }, ...[...byHeading].map(([heading, methods]) => ({ heading, methods }))];
  return groups.map(({ heading, methods }) => ({
    heading,
    options: methods.map((method) => {
      const description = METHOD_EXAMPLES.get(method.name)?.description ?? '';
      return { value: method.name, keywords: [method.tier, description], content: <MethodRow method={method} description={description} network={network} /> };
    }),
  }));
}

function isAtHome(method: RpcMethod, network: Network): boolean {
  const home = HOME_FAMILY[method.family];
  return home === undefined || home === network.family || network.family === 'sandbox';
}

function MethodRow({ method, description, network }: { method: RpcMethod; description: string; network: Network }) {
  return (
    <>
      <span className="grid min-w-0 flex-1">
        <span className="figures truncate">{method.name}</span>
        <span className="truncate text-xs text-faint empty:hidden">{description}</span>
      </span>
      <TierBadge tier={method.tier} />
      <span className="figures w-18 shrink-0 text-right text-xs text-dim">{words.credits(creditsOf(network, method))}</span>
    </>
  );
}
