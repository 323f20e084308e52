'use client';

import { Combobox, type ComboboxGroup } from '@/components/ui/combobox';
import { type MethodBook, useMethodBook } from '@/lib/browser/rpc-methods/use-method-book';
import type { Network } from '@/lib/protocol/networks';
import { creditsOf } from '@/lib/protocol/pricing';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import { rpcWords } from '@/lib/browser/words/rpc';
import { useMemo } from 'react';
import { TierBadge } from './tier-badge';

const words = rpcWords.method;

interface MethodPickerProps {
  /** The methods of this network's kind are offered; null: none yet. */
  network: Network | null;
  /** The method in the request; null where there is none or several. */
  method: string | null;
  onChoose: (method: string) => void;
  /** The batch mode: choosing adds a call. */
  adding: boolean;
  className?: string;
}

/** Chooses a method that the network's nodes speak, with its price there. */
export function MethodPicker({ network, method, onChoose, adding, className }: MethodPickerProps) {
  const book = useMethodBook(false);
  const groups = useMemo(() => (network === null || book === null ? null : groupMethods(network, book)), [network, book]);
  return (
    <Combobox
      label={adding ? words.add : words.label}
      value={method}
      onChoose={onChoose}
      groups={groups}
      disabled={network === null}
      searchPlaceholder={network?.kind === 'solana' ? words.searchSolana : words.search}
      emptyText={words.nothingFound}
      contentClassName="min-w-[min(26rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {adding ? <span className="text-dim">{words.addPlaceholder}</span> : <span className={method === null ? 'text-dim' : 'figures truncate'}>{method ?? words.pick}</span>}
    </Combobox>
  );
}

/** The namespaces of single chains come first on their own chain and last elsewhere, where nodes rarely know them. */
const HOME_FAMILY: Readonly<Record<string, string>> = { zks: 'zksync', linea: 'linea', bor: 'polygon', arbtrace: 'arbitrum' };

function groupMethods(network: Network, { METHODS, METHOD_EXAMPLES }: MethodBook): ComboboxGroup[] {
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
