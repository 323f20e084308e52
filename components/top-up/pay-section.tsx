'use client';

import type { PayRail } from '@/lib/browser/top-up/pay-rails';
import { usePay } from '@/lib/browser/top-up/use-pay';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { useState } from 'react';
import { PayForm } from './pay-form';
import { PaySteps } from './pay-steps';
import { ReviewCard } from './review-card';

/** A payment from its amount to its signature. Once it is signed it is followed apart from this. */
export function PaySection({ rails }: { rails: readonly PayRail[] }) {
  const wallets = useWallets();
  const [amount, setAmount] = useState('10');
  const [chosen, setChosen] = useState<string | null>(null);
  const { state, review, renew, sign, back } = usePay();
  // Until somebody chooses: the first rail that a connected wallet can pay on.
  const rail = rails.find(({ network }) => network === chosen) ?? rails.find(({ family }) => wallets[family] !== null) ?? rails[0];
  if (rail === undefined) return null;
  return (
    <section aria-label="Pay" className="grid gap-6 rounded-md border border-line p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      {'draft' in state ? (
        <ReviewCard state={state} onSign={() => void sign()} onRenew={() => void renew()} onBack={back} />
      ) : (
        <PayForm rails={rails} rail={rail} onRail={setChosen} amount={amount} onAmount={setAmount} state={state} onReview={(wish) => void review(wish)} />
      )}
      <PaySteps state={state} rail={rail} />
    </section>
  );
}
