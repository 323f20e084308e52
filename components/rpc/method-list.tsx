'use client';

import type { ComboboxGroup } from '@/components/ui/combobox-options';
import { OptionList } from '@/components/ui/option-list';
import { METHOD_EXAMPLES } from '@/lib/browser/rpc/methods/method-book';
import { groupMethods } from '@/lib/browser/rpc/methods/method-groups';
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
