'use client';

import { PickerFrame } from '@/components/ui/combobox';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import type { Network } from '@/lib/protocol/networks';
import { rpcWords } from '@/lib/browser/words/rpc';

const MethodList = onDemand(() => import('./method-list').then((module) => module.MethodList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

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
  const label = adding ? words.add : words.label;
  return (
    <PickerFrame
      label={label}
      value={method}
      onChoose={onChoose}
      disabled={network === null}
      preload={MethodList.preload}
      renderList={(choose) => network && <MethodList label={label} network={network} method={method} choose={choose} />}
      contentClassName="min-w-[min(26rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {adding ? (
        <span className="text-dim">{words.addPlaceholder}</span>
      ) : (
        <span className={method === null ? 'text-dim' : 'figures truncate'}>{method ?? words.pick}</span>
      )}
    </PickerFrame>
  );
}
