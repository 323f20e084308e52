'use client';

import { Badge } from '@/components/ui/badge';
import { PickerFrame } from '@/components/ui/combobox';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { describeNetwork } from '@/lib/browser/networks';
import { rpcWords } from '@/lib/browser/words/rpc';

const NetworkList = onDemand(() => import('./network-list').then((module) => module.NetworkList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

const words = rpcWords.network;

/** `slug` is null while unknown. */
export function NetworkPicker({
  slug,
  onChoose,
  className,
}: {
  slug: string | null;
  onChoose: (slug: string) => void;
  className?: string;
}) {
  const chosen = slug === null ? null : describeNetwork(slug);
  return (
    <PickerFrame
      label={words.label}
      value={slug}
      onChoose={onChoose}
      preload={NetworkList.preload}
      renderList={(choose) => <NetworkList slug={slug} choose={choose} />}
      contentClassName="min-w-[min(26rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {slug === null ? (
        <Skeleton className="h-3 w-32" />
      ) : (
        <>
          <span className="truncate font-medium">{chosen?.name ?? slug}</span>
          {chosen && (
            <Badge className="ml-auto md:max-lg:hidden">{chosen.testnet ? words.testnet : words.mainnet}</Badge>
          )}
        </>
      )}
    </PickerFrame>
  );
}
