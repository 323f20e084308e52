'use client';

import { HealthMark, useVerdictMark } from '@/components/health/health-mark';
import { useNetworkHealth } from '@/components/health/network-health';
import { RailMark } from '@/components/marks/rail-mark';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { PickerFrame } from '@/components/ui/combobox';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { describeNetwork, useNetworks } from '@/lib/browser/reads/networks';
import { formatCost, formatCredits } from '@/lib/browser/text/amounts';
import type { Network } from '@/lib/protocol/networks';
import { formatUsd } from '@/lib/protocol/pricing';
import { CircleSlash, SendHorizontal } from 'lucide-react';
import type { Workbench } from './use-workbench';
import { rpcWords } from './words';

/** Loaded on demand, because most methods are in the standard tier, which has no badge. */
const TierBadge = onDemand(() => import('./tier-badge').then((module) => module.TierBadge));

const words = rpcWords.send;

export function SendBar({ bench }: { bench: Workbench }) {
  const { check, network, draft } = bench;
  const isBatch = check.ok && check.isBatch;
  const method = check.ok && !check.isBatch ? (check.calls[0]?.method ?? null) : null;
  return (
    <div className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto] gap-2 border-b border-line px-3 py-2 md:flex md:items-center lg:px-4">
      <NetworkPicker slug={draft.network} onChoose={bench.chooseNetwork} className="md:w-44 lg:w-60" />
      <HealthButton slug={draft.network} />
      <MethodPicker
        network={network}
        method={method}
        onChoose={bench.chooseMethod}
        adding={isBatch}
        className="md:w-54 lg:w-64"
      />
      <Button
        aria-pressed={isBatch}
        disabled={!check.ok}
        onClick={bench.switchBatch}
        className="aria-pressed:border-amber-line aria-pressed:bg-amber-soft aria-pressed:text-amber-ink"
      >
        {words.batch}
      </Button>
      <div className="hidden min-w-0 flex-1 items-center justify-end gap-3 md:flex">
        <Price bench={bench} />
        <SendButton bench={bench} />
      </div>
    </div>
  );
}

export function PhoneSendBar({ bench }: { bench: Workbench }) {
  return (
    <div className="sticky bottom-0 z-20 flex shrink-0 items-center justify-between gap-3 border-t border-line bg-ground px-3 py-2 md:hidden">
      <Price bench={bench} />
      <SendButton bench={bench} />
    </div>
  );
}

/** Stays focusable during a call, so that the button keeps focus. */
function SendButton({ bench }: { bench: Workbench }) {
  const isUnready = bench.credential.kind === 'pending' || bench.draft.network === null || bench.obstacle !== null;
  return (
    <Button
      tone="primary"
      onClick={bench.send}
      disabled={isUnready}
      aria-disabled={bench.state.status === 'sending'}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      className="min-w-20 lg:min-w-28"
    >
      <SendHorizontal aria-hidden />
      {words.send}
      <Kbd className="hidden lg:inline-flex">Ctrl ⏎</Kbd>
    </Button>
  );
}

function Price({ bench: { quote, unserved, isQuotePending, tier, draft } }: { bench: Workbench }) {
  if (unserved !== null) return <span className="text-right text-xs text-dim">{words.unserved}</span>;
  if (draft.network === null || isQuotePending) return <Skeleton className="h-8 w-24" />;
  if (quote === null) return <span className="text-xs text-faint">{words.noPrice}</span>;
  if (quote.kind === 'refused') return <span className="text-right text-xs text-bad">{words.refused}</span>;
  return (
    <div className="flex min-w-0 items-center gap-2" title={words.priceMeaning}>
      {tier !== null && tier !== 'standard' && <TierBadge tier={tier} />}
      <p className="figures min-w-0 text-xs leading-4 md:text-right">
        <span className="block truncate" data-testid="quoted-credits">
          {formatCredits(quote.credits)}
        </span>
        <span className="block truncate text-dim" data-testid="quoted-cost">
          {formatCost(formatUsd(quote.costNanoUsd, 9))}
        </span>
      </p>
    </div>
  );
}

const NetworkHealthPanel = onDemand(
  () => import('@/components/health/network-health-panel').then((module) => module.NetworkHealthPanel),
  { waiting: <Skeleton className="h-40" /> },
);

const healthWords = rpcWords.health;

const NOT_LISTED = { word: healthWords.notListed, Icon: CircleSlash, className: 'text-faint' };

function HealthButton({ slug }: { slug: string | null }) {
  const { isKnown, healthOf, error } = useNetworkHealth();
  const { networks, isLive } = useNetworks();
  const markOf = useVerdictMark();
  const isListed = !isLive || networks.some((network) => network.slug === slug);
  const health = slug === null || !isListed ? null : healthOf(slug);
  const mark = isListed ? markOf(health) : NOT_LISTED;
  const isPending = slug === null || (!isKnown && error === null);
  return (
    <Popover>
      <PopoverTrigger asChild preload={NetworkHealthPanel.preload}>
        <Button
          tone="quiet"
          disabled={slug === null}
          aria-label={isPending ? healthWords.label : healthWords.labelled(mark.word)}
          className="w-30 justify-start px-2 md:w-8 md:justify-center xl:w-30 xl:justify-start"
        >
          {isPending ? (
            <Skeleton className="h-3 w-4 xl:w-20" />
          ) : (
            <>
              <span className="contents md:max-xl:hidden">
                <HealthMark mark={mark} />
              </span>
              <span className="hidden md:max-xl:contents">
                <HealthMark mark={mark} iconOnly />
              </span>
            </>
          )}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={healthWords.label} className="w-[min(34rem,calc(100vw-16px))] p-4">
        {slug !== null &&
          (isListed ? (
            <NetworkHealthPanel slug={slug} />
          ) : (
            <p className="text-dim">{rpcWords.status.notListed(slug)}</p>
          ))}
      </PopoverContent>
    </Popover>
  );
}

const NetworkList = onDemand(() => import('./network-list').then((module) => module.NetworkList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

const networkWords = rpcWords.network;

function NetworkPicker({
  slug,
  onChoose,
  className,
}: {
  slug: string | null;
  onChoose: (slug: string) => void;
  className?: string;
}) {
  const chosen = slug === null ? null : describeNetwork(slug);
  const chain = chosen?.testnet ? networkWords.testnet : networkWords.mainnet;
  return (
    <PickerFrame
      label={networkWords.label}
      value={slug}
      shown={chosen ? `${chosen.name} ${chain}` : undefined}
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
          <RailMark slug={slug} className="text-dim md:max-lg:hidden" />
          <span className="truncate font-medium">{chosen?.name ?? slug}</span>{' '}
          {chosen && !chosen.name.toLowerCase().endsWith(chain) && (
            <Badge className="ml-auto md:max-lg:hidden">{chain}</Badge>
          )}
        </>
      )}
    </PickerFrame>
  );
}

const MethodList = onDemand(() => import('./method-list').then((module) => module.MethodList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

const methodWords = rpcWords.method;

interface MethodPickerProps {
  /** Network whose kind determines the offered methods; null offers none. */
  network: Network | null;
  method: string | null;
  onChoose: (method: string) => void;
  /** True in batch mode, in which choosing a method adds a call. */
  adding: boolean;
  className?: string;
}

function MethodPicker({ network, method, onChoose, adding, className }: MethodPickerProps) {
  const label = adding ? methodWords.add : methodWords.label;
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
        <span className="text-dim">{methodWords.addPlaceholder}</span>
      ) : (
        <span className={method === null ? 'text-dim' : 'figures truncate'}>{method ?? methodWords.pick}</span>
      )}
    </PickerFrame>
  );
}
