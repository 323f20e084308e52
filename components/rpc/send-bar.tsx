'use client';

import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatCredits } from '@/lib/browser/amounts';
import { formatUsd } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { Layers, SendHorizontal } from 'lucide-react';
import { HealthButton } from './health-button';
import { MethodPicker, TierBadge } from './method-picker';
import { NetworkPicker } from './network-picker';
import type { Workbench } from './use-workbench';

/** Where to, what, for how much, go. On a phone the price and the button stay in reach at the bottom. */
export function SendBar({ bench }: { bench: Workbench }) {
  const { check, network, draft } = bench;
  const isBatch = check.ok && check.isBatch;
  const method = check.ok && !check.isBatch ? (check.calls[0]?.method ?? null) : null;
  return (
    <div className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto] gap-2 border-b border-line px-3 py-2 md:flex md:items-center lg:px-4">
      <NetworkPicker slug={draft.network} onChoose={bench.chooseNetwork} className="md:w-40 lg:w-60" />
      <HealthButton slug={draft.network} />
      <MethodPicker network={network} method={method} onChoose={bench.chooseMethod} adding={isBatch} className="md:w-44 lg:w-64" />
      <Button aria-pressed={isBatch} disabled={!check.ok} onClick={bench.switchBatch} className="aria-pressed:border-amber-line aria-pressed:bg-amber-soft aria-pressed:text-amber-ink">
        <Layers aria-hidden />
        Batch
      </Button>
      <div className="hidden min-w-0 flex-1 items-center justify-end gap-3 md:flex">
        <Price bench={bench} />
        <SendButton bench={bench} />
      </div>
    </div>
  );
}

/** Price and button as a bar of their own, for phones. */
export function PhoneSendBar({ bench }: { bench: Workbench }) {
  return (
    <div className="sticky bottom-0 z-20 flex shrink-0 items-center justify-between gap-3 border-t border-line bg-ground px-3 py-2 md:hidden">
      <Price bench={bench} />
      <SendButton bench={bench} />
    </div>
  );
}

function SendButton({ bench }: { bench: Workbench }) {
  const waiting = bench.state.status === 'sending' || bench.credential.kind === 'pending' || bench.draft.network === null;
  return (
    <Button tone="primary" onClick={bench.send} disabled={waiting} aria-keyshortcuts="Control+Enter Meta+Enter" className="min-w-28">
      <SendHorizontal aria-hidden />
      Send
      <Kbd className="hidden lg:inline-flex">Ctrl ⏎</Kbd>
    </Button>
  );
}

/** What the request will cost, before it is sent. */
function Price({ bench: { quote, check, draft } }: { bench: Workbench }) {
  if (draft.network === null) return <Skeleton className="h-8 w-24" />;
  if (quote === null) return <span className="text-xs text-faint">no price yet</span>;
  if (quote.kind === 'refused') return <span className="text-right text-xs text-bad">will be refused, uncharged</span>;
  const single = check.ok && check.calls.length === 1 ? lookUpMethod(check.calls[0]?.method ?? '') : null;
  return (
    <div className="flex min-w-0 items-center gap-2" title="If every call succeeds. A call that ends in a JSON-RPC error costs 5 credits instead.">
      {single && !isRefusal(single) && <TierBadge tier={single.tier} />}
      <p className="figures min-w-0 text-xs leading-4 md:text-right">
        <span className="block truncate" data-testid="quoted-credits">{formatCredits(quote.credits)}</span>
        <span className="block truncate text-dim" data-testid="quoted-cost">{formatCost(formatUsd(quote.costNanoUsd, 9))}</span>
      </p>
    </div>
  );
}
