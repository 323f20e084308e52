'use client';

import { MoneyBuys } from '@/components/billing/money-buys';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { useBackStep } from '@/lib/browser/back-step';
import { useFirstAct } from '@/lib/browser/first-act';
import type { PayRail } from '@/lib/browser/top-up/pay-rails';
import { useTopUpDraft } from '@/lib/browser/top-up/top-up-draft';
import { readUsdAmount } from '@/lib/browser/top-up/usd-amount';
import { usePay } from '@/lib/browser/top-up/use-pay';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { topUpWords } from '@/lib/browser/words/top-up';
import { PayForm } from './pay-form';
import { PaySteps } from './pay-steps';
import { TWO_COLUMNS } from './two-columns';

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
