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
import { readUsdAmount } from './usd-amount';
import { type PayState, usePay, useTopUpDraft } from './use-pay';
import { topUpWords } from './words';
import { StepMark, type StepMarkKind } from '@/components/ui/step-mark';

const ReviewCard = onDemand(() => import('./review-card').then((module) => module.ReviewCard), {
  waiting: <Skeleton className="h-80" />,
});

/** Handles a payment from its amount to its signature. `payment-follower.ts` tracks a signed payment. */
export function PaySection({ rails, isCompact = false }: { rails: readonly PayRail[]; isCompact?: boolean }) {
  const wallets = useWallets();
  const { fields, edit } = useTopUpDraft();
  const { state, review, renew, sign, back } = usePay();
  // Loads the code early, because the connection may fail later.
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

/** Adds a history entry with the same URL, so that the Back button closes a step of this page. */
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
      // If another page was opened from this step, the newest history entry is that page's and must stay.
      if (!wasLeft && isMarked(window.history.state)) window.history.back();
    };
  }, [isAt]);
}

function isMarked(state: unknown): boolean {
  return typeof state === 'object' && state !== null && MARK in state;
}

const STEPS = ['review', 'signature', 'settlement', 'credit'] as const;
type Step = (typeof STEPS)[number];

const words = topUpWords.steps;

function PaySteps({ state, rail }: { state: PayState; rail: Pick<PayRail, 'family' | 'symbol' | 'title'> }) {
  const at = beforeSending(state);
  const isEvm = rail.family === 'evm';
  const purposes: Record<Step, string> = {
    review: words.review,
    signature: isEvm ? words.signatureEvm : words.signatureSolana,
    settlement: words.settlement(rail.title),
    credit: words.credit(rail.symbol),
  };
  return (
    <ol aria-label={words.label} className="grid content-start">
      {STEPS.map((step, index) => (
        <li
          key={step}
          className="group relative flex gap-3 pb-4 text-sm last:pb-0"
          aria-current={at.step === step && (at.kind === 'active' || at.kind === 'next') ? 'step' : undefined}
        >
          <span aria-hidden className="absolute top-6 bottom-0 left-2 w-px bg-edge group-last:hidden" />
          <StepMark kind={markOf(step, at)} number={index + 1} />
          <div className="grid gap-0.5">
            <p className="font-medium">
              {words.names[step]}{' '}
              {step === 'signature' && state.step === 'asking' && (
                <span className="font-normal text-dim">{words.lookAtWallet}</span>
              )}
            </p>
            <p className="text-xs text-dim">{purposes[step]}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

interface Place {
  step: Step;
  kind: StepMarkKind;
}

function beforeSending(state: PayState): Place {
  switch (state.step) {
    case 'form':
      return { step: 'review', kind: 'waiting' };
    case 'drafting':
      return { step: 'review', kind: 'active' };
    case 'review':
      return { step: 'review', kind: 'next' };
    case 'asking':
      return { step: 'signature', kind: 'active' };
    case 'failed':
      return { step: state.at === 'draft' ? 'review' : 'signature', kind: 'failed' };
  }
}

function markOf(step: Step, at: Place): StepMarkKind {
  const [here, reached] = [STEPS.indexOf(step), STEPS.indexOf(at.step)];
  if (here < reached) return 'done';
  return here > reached ? 'waiting' : at.kind;
}

export const TWO_COLUMNS =
  'grid gap-6 rounded-md border border-line p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8';
