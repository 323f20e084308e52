'use client';

import { RailMark } from '@/components/marks/rail-mark';
import type { ComboboxGroup } from '@/components/ui/options';
import { OptionList } from '@/components/ui/option-list';
import { useNetworks } from '@/lib/browser/reads/networks';
import { useIsConnected } from '@/lib/browser/reads/settings';
import { rpcWords } from './words';
import { rpcListWords } from './list-words';
import type { ChainKind, Network } from '@/lib/protocol/networks';
import { useMemo } from 'react';

const words = rpcListWords.network;

const KIND_LABELS: Record<ChainKind, string> = { evm: 'EVM', solana: 'Solana', starknet: 'Starknet' };

export function NetworkList({ slug, choose }: { slug: string | null; choose: (slug: string) => void }) {
  const { networks } = useNetworks();
  const isConnected = useIsConnected();
  const groups = useMemo(() => groupNetworks(networks, isConnected), [networks, isConnected]);
  return (
    <OptionList
      label={rpcWords.network.label}
      value={slug}
      groups={groups}
      searchPlaceholder={words.search}
      emptyText={words.nothingFound}
      choose={choose}
    />
  );
}

function groupNetworks(all: readonly Network[], isConnected: (slug: string) => boolean): ComboboxGroup[] {
  const networks = all.filter(({ slug }) => isConnected(slug));
  const groups = [
    { heading: words.groups.sandbox, members: networks.filter(({ family }) => family === 'sandbox') },
    {
      heading: words.groups.mainnets,
      members: networks.filter(({ family, testnet }) => family !== 'sandbox' && !testnet),
    },
    {
      heading: words.groups.testnets,
      members: networks.filter(({ family, testnet }) => family !== 'sandbox' && testnet),
    },
    { heading: words.groups.unconnected, members: all.filter(({ slug }) => !isConnected(slug)) },
  ];
  return groups
    .filter(({ members }) => members.length > 0)
    .map(({ heading, members }) => ({
      heading,
      options: members.map((network) => ({
        value: network.slug,
        keywords: [network.name, KIND_LABELS[network.kind], network.nativeSymbol, String(network.chainId ?? '')],
        content: <NetworkRow network={network} />,
      })),
    }));
}

function NetworkRow({ network }: { network: Network }) {
  return (
    <>
      <RailMark slug={network.slug} className="text-dim" />
      <span className="truncate">{network.name}</span>
      <span className="figures ml-auto shrink-0 text-xs text-faint">
        {network.chainId === null ? KIND_LABELS[network.kind] : words.chain(network.chainId)}
      </span>
      <span className="figures w-20 shrink-0 text-right whitespace-nowrap text-xs text-dim">
        {words.credits(network.baseCredits)}
      </span>
    </>
  );
}
