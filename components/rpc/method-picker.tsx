'use client';

import { Badge } from '@/components/ui/badge';
import { Combobox, type ComboboxGroup } from '@/components/ui/combobox';
import type { Network } from '@/lib/protocol/networks';
import { creditsOf } from '@/lib/protocol/pricing';
import { METHODS, type RpcMethod, type Tier } from '@/lib/protocol/rpc-methods';
import { METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
import { useMemo } from 'react';

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
  const groups = useMemo(() => (network === null ? [] : groupMethods(network)), [network]);
  return (
    <Combobox
      label={adding ? 'Add a call' : 'Method'}
      value={method}
      onChoose={onChoose}
      groups={groups}
      disabled={network === null}
      searchPlaceholder={network?.kind === 'solana' ? 'Search methods, such as balance…' : 'Search methods, such as eth_call or logs…'}
      emptyText="No such method is offered on this network."
      contentClassName="min-w-[min(26rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {adding ? <span className="text-dim">Add a call…</span> : <span className={method === null ? 'text-dim' : 'figures truncate'}>{method ?? 'Pick a method'}</span>}
    </Combobox>
  );
}

const FAMILY_HEADINGS: Readonly<Record<string, string>> = {
  eth: 'Ethereum',
  net: 'Node',
  web3: 'Node',
  erc4337: 'Account abstraction (ERC-4337)',
  trace: 'Traces',
  debug: 'Debug',
  txpool: 'Transaction pool',
  arbtrace: 'Arbitrum traces',
  zks: 'zkSync',
  linea: 'Linea',
  bor: 'Polygon',
  solana: 'Solana',
  starknet: 'Starknet',
};

/** The namespaces of single chains come first on their own chain and last elsewhere, where nodes rarely know them. */
const HOME_FAMILY: Readonly<Record<string, string>> = { zks: 'zksync', linea: 'linea', bor: 'polygon', arbtrace: 'arbitrum' };

function groupMethods(network: Network): ComboboxGroup[] {
  const common = METHODS.filter(({ name, kind, family }) => kind === network.kind && METHOD_EXAMPLES.has(name) && !(family in HOME_FAMILY));
  const commonNames = new Set(common.map(({ name }) => name));
  const byHeading = new Map<string, RpcMethod[]>();
  for (const method of METHODS) {
    if (method.kind !== network.kind || commonNames.has(method.name) || !isAtHome(method, network)) continue;
    const heading = FAMILY_HEADINGS[method.family] ?? `${method.family}_*`;
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), method]);
  }
  const groups = [{ heading: 'Most used', methods: common }, ...[...byHeading].map(([heading, methods]) => ({ heading, methods }))];
  return groups.map(({ heading, methods }) => ({
    heading,
    options: methods.map((method) => ({
      value: method.name,
      keywords: [method.tier, METHOD_EXAMPLES.get(method.name)?.description ?? ''],
      content: <MethodRow method={method} network={network} />,
    })),
  }));
}

function isAtHome(method: RpcMethod, network: Network): boolean {
  const home = HOME_FAMILY[method.family];
  return home === undefined || home === network.family || network.family === 'sandbox';
}

function MethodRow({ method, network }: { method: RpcMethod; network: Network }) {
  return (
    <>
      <span className="grid min-w-0 flex-1">
        <span className="figures truncate">{method.name}</span>
        <span className="truncate text-xs text-faint empty:hidden">{METHOD_EXAMPLES.get(method.name)?.description}</span>
      </span>
      <TierBadge tier={method.tier} />
      <span className="figures w-18 shrink-0 text-right text-xs text-dim">{creditsOf(network, method)} credits</span>
    </>
  );
}

/** The pricing tier, where it is not the ordinary one. */
export function TierBadge({ tier }: { tier: Tier }) {
  if (tier === 'standard') return null;
  return <Badge tone="amber">{tier === 'advanced' ? 'advanced ×2' : 'large ×4'}</Badge>;
}
