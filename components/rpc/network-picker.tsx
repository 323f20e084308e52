'use client';

import { Badge } from '@/components/ui/badge';
import { Combobox, type ComboboxGroup } from '@/components/ui/combobox';
import { Skeleton } from '@/components/ui/skeleton';
import { describeNetwork, useNetworks } from '@/lib/browser/networks';
import type { ChainKind, Network } from '@/lib/protocol/networks';
import { rpcWords } from '@/lib/browser/words/rpc';
import { useMemo } from 'react';

const words = rpcWords.network;

const KIND_LABELS: Record<ChainKind, string> = { evm: 'EVM', solana: 'Solana', starknet: 'Starknet' };

/** Chooses among the networks that this gateway lists. `slug` null: not known yet. */
export function NetworkPicker({ slug, onChoose, className }: { slug: string | null; onChoose: (slug: string) => void; className?: string }) {
  const { networks } = useNetworks();
  const groups = useMemo(() => groupNetworks(networks), [networks]);
  const chosen = slug === null ? null : describeNetwork(slug);
  return (
    <Combobox
      label={words.label}
      value={slug}
      onChoose={onChoose}
      groups={groups}
      searchPlaceholder={words.search}
      emptyText={words.nothingFound}
      contentClassName="min-w-[min(26rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {slug === null ? (
        <Skeleton className="h-3 w-32" />
      ) : (
        <>
          <span className="truncate font-medium">{chosen?.name ?? slug}</span>
          {chosen && <Badge className="ml-auto md:max-lg:hidden">{chosen.testnet ? words.testnet : words.mainnet}</Badge>}
        </>
      )}
    </Combobox>
  );
}

function groupNetworks(networks: readonly Network[]): ComboboxGroup[] {
  const groups = [
    { heading: words.groups.sandbox, members: networks.filter(({ family }) => family === 'sandbox') },
    { heading: words.groups.mainnets, members: networks.filter(({ family, testnet }) => family !== 'sandbox' && !testnet) },
    { heading: words.groups.testnets, members: networks.filter(({ family, testnet }) => family !== 'sandbox' && testnet) },
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
      <span className="truncate">{network.name}</span>
      <span className="figures ml-auto shrink-0 text-xs text-faint">{network.chainId === null ? KIND_LABELS[network.kind] : words.chain(network.chainId)}</span>
      <span className="figures w-20 shrink-0 text-right whitespace-nowrap text-xs text-dim">{words.credits(network.baseCredits)}</span>
    </>
  );
}
