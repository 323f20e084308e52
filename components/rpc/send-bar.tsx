'use client';

import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatCredits } from '@/lib/browser/amounts';
import { formatUsd } from '@/lib/protocol/pricing';
import { rpcWords } from '@/lib/browser/words/rpc';
import { List, SendHorizontal } from 'lucide-react';
import { HealthButton } from './health-button';
import { MethodPicker } from './method-picker';
import { NetworkPicker } from './network-picker';
import type { Workbench } from './use-workbench';

/** Loaded on demand, because most methods are in the standard tier, which has no badge. */
const TierBadge = onDemand(() => import('./tier-badge').then((module) => module.TierBadge));

const words = rpcWords.send;

/** Shows network, method and price with the Send button. */
export function SendBar({ bench }: { bench: Workbench }) {
  const { check, network, draft } = bench;
  const isBatch = check.ok && check.isBatch;
  const method = check.ok && !check.isBatch ? (check.calls[0]?.method ?? null) : null;
  return (
    <div className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto] gap-2 border-b border-line px-3 py-2 md:flex md:items-center lg:px-4">
      <NetworkPicker slug={draft.network} onChoose={bench.chooseNetwork} className="md:w-40 lg:w-60" />
      <HealthButton slug={draft.network} />
      <MethodPicker
        network={network}
        method={method}
        onChoose={bench.chooseMethod}
        adding={isBatch}
        className="md:w-44 lg:w-64"
      />
      <Button
        aria-pressed={isBatch}
        disabled={!check.ok}
        onClick={bench.switchBatch}
        className="aria-pressed:border-amber-line aria-pressed:bg-amber-soft aria-pressed:text-amber-ink"
      >
        <List aria-hidden />
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

/** Inactive during a call, but not disabled, so that the button keeps focus. */
function SendButton({ bench }: { bench: Workbench }) {
  const isUnready = bench.credential.kind === 'pending' || bench.draft.network === null || bench.obstacle !== null;
  return (
    <Button
      tone="primary"
      onClick={bench.send}
      disabled={isUnready}
      aria-disabled={bench.state.status === 'sending'}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      className="min-w-28"
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
