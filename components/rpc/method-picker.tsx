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
  /** Network whose kind determines the offered methods; null offers none. */
  network: Network | null;
  /** Method of the request; null unless there is exactly one. */
  method: string | null;
  onChoose: (method: string) => void;
  /** True in batch mode, in which choosing adds a call. */
  adding: boolean;
  className?: string;
}

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
