'use client';

import { MoneyBuys } from '@/components/billing/money-buys';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { useFirstAct } from '@/lib/browser/page/first-act';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { useEffect, useRef } from 'react';
import { PayForm } from './pay-form';
import { PaySteps, TWO_COLUMNS } from './pay-steps';
import { readUsdAmount } from './usd-amount';
import { usePay, useTopUpDraft } from './use-pay';
import { topUpWords } from './words';

const ReviewCard = onDemand(() => import('./review-card').then((module) => module.ReviewCard), {
  waiting: <Skeleton className="h-80" />,
});

/** Handles a payment from its amount to its signature. `payment-follower.ts` tracks a signed payment. */
export function PaySection({ rails, isCompact = false }: { rails: readonly PayRail[]; isCompact?: boolean }) {
  const wallets = useWallets();
  const { fields, edit } = useTopUpDraft();
  const { state, review, renew, sign, back } = usePay();
  // Preloads the card, so that it can be shown even if the connection fails later.
  useFirstAct(ReviewCard.preload);
  useBackStep('draft' in state || state.step === 'drafting', back);
  // Defaults to the first rail that a connected wallet can pay on.
  const rail =
    rails.find(({ network }) => network === fields.network) ??
    rails.find(({ family }) => wallets[family] !== null) ??
    rails[0];
  if (rail === undefined) return null;
  const typed = readUsdAmount(fields.amount, { decimals: rail.decimals, minimumUnits: 0n });
  const usd = typed.ok ? Number(typed.usd) : 0;
  return (
    <section aria-label={topUpWords.payLabel} className={isCompact ? 'grid gap-4' : TWO_COLUMNS}>
      {'draft' in state ? (
        <ReviewCard state={state} onSign={() => void sign()} onRenew={() => void renew()} onBack={back} />
      ) : (
        <PayForm
          rails={rails}
          rail={rail}
          onRail={(network) => edit({ network })}
          amount={fields.amount}
          onAmount={(amount) => edit({ amount })}
          state={state}
          onReview={(wish) => void review(wish)}
        />
      )}
      {!isCompact && (
        <div className="grid content-start gap-5">
          <PaySteps state={state} rail={rail} />
          <MoneyBuys usd={usd} title={topUpWords.buys(formatUsdNumber(usd))} />
        </div>
      )}
    </section>
  );
}

const MARK = 'turnpikeStep';

/**
 * Lets the browser's Back button close a step of this page. Adds a history entry with the same URL, and removes the
 * entry if the step ends without the Back button.
 */
function useBackStep(isAt: boolean, onBack: () => void): void {
  const latest = useRef(onBack);
  useEffect(() => {
    latest.current = onBack;
  });
  useEffect(() => {
    if (!isAt) return;
    const listening = new AbortController();
    const enter = () => {
      // Keeps the router's state, so that the router accepts this entry as its own.
      window.history.pushState({ ...window.history.state, [MARK]: true }, '');
      const leave = () => {
        listening.abort();
        latest.current();
      };
      window.addEventListener('popstate', leave, { signal: listening.signal });
    };
    // Deferred because React runs effects twice in development and `history.back()` is asynchronous.
    const timer = setTimeout(enter);
    return () => {
      clearTimeout(timer);
      const wasLeft = listening.signal.aborted;
      listening.abort();
      // If another page was opened from the step, the top entry belongs to that page.
      if (!wasLeft && isMarked(window.history.state)) window.history.back();
    };
  }, [isAt]);
}

function isMarked(state: unknown): boolean {
  return typeof state === 'object' && state !== null && MARK in state;
}
