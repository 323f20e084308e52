'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { isOnOtherChain, type PayRail } from '@/lib/browser/top-up/pay-rails';
import { formatUnits, readUsdAmount } from '@/lib/browser/top-up/usd-amount';
import type { PayState, PayWish } from '@/lib/browser/top-up/use-pay';
import { usePaymentTerms } from '@/lib/browser/top-up/use-payment-terms';
import { useTokenBalance } from '@/lib/browser/top-up/use-token-balance';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { useCredential } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { topUpWords } from '@/lib/browser/words/top-up';
import { ArrowRight, Wallet } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { AmountField } from './amount-field';
import { RailChoice } from './rail-choice';

const DraftProblem = onDemand(() => import('./draft-problem').then((module) => module.DraftProblem));
const WalletNeeds = onDemand(() => import('./wallet-needs').then((module) => module.WalletNeeds), {
  waiting: <p className="h-5" />,
});

const words = topUpWords.form;

interface PayFormProps {
  rails: readonly PayRail[];
  rail: PayRail;
  onRail: (network: string) => void;
  amount: string;
  onAmount: (text: string) => void;
  state: Extract<PayState, { step: 'form' | 'drafting' } | { at: 'draft' }>;
  onReview: (wish: PayWish) => void;
}

export function PayForm({ rails, rail, onRail, amount, onAmount, state, onReview }: PayFormProps) {
  const wallet = useWallets()[rail.family];
  const minimumUnits = usePaymentTerms(rail);
  const [showProblem, setShowProblem] = useState(false);
  const typed = readUsdAmount(amount, { decimals: rail.decimals, minimumUnits });
  const { data: balance, isEnabled, error } = useTokenBalance(rail, wallet);
  const lacks = typed.ok && balance !== undefined && balance < typed.units;
  const isElsewhere = wallet !== null && isOnOtherChain(rail, wallet);
  const isDrafting = state.step === 'drafting';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(!typed.ok);
    if (typed.ok && wallet !== null && !isElsewhere && !lacks)
      onReview({ rail, wallet, usd: typed.usd, units: typed.units });
  };
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-5">
      <AmountField
        value={amount}
        minimum={formatUnits(minimumUnits, rail.decimals)}
        problem={showProblem && !typed.ok ? typed.sentence : null}
        usd={typed.ok ? Number(typed.usd) : null}
        disabled={isDrafting}
        onChange={onAmount}
      />
      <RailChoice rails={rails} chosen={rail.network} disabled={isDrafting} onChoose={onRail} />
      {state.step === 'failed' && <DraftProblem error={state.error} />}
      {wallet === null ? (
        <Button tone="primary" className="justify-self-start" onClick={() => chooseWallet('connect')}>
          <Wallet aria-hidden />
          {rail.family === 'evm' ? words.connectEvm : words.connectSolana}
        </Button>
      ) : (
        <Button
          type="submit"
          tone="primary"
          className="justify-self-start"
          disabled={isDrafting || lacks || isElsewhere}
        >
          {isDrafting
            ? words.preparing
            : typed.ok
              ? words.reviewAmount(`${formatUnits(typed.units, rail.decimals)} ${rail.symbol}`)
              : words.review}
          <ArrowRight aria-hidden />
        </Button>
      )}
      {/* Placed below the button, so that the button does not move when the chain reports the wallet's tokens. */}
      {wallet !== null && (isElsewhere || lacks) && <WalletNeeds rail={rail} wallet={wallet} balance={balance} />}
      {wallet !== null && !isElsewhere && !lacks && (
        <p className="min-h-5 text-sm text-dim">
          {balance !== undefined
            ? typed.ok && words.leaves(formatUnits(balance - typed.units, rail.decimals), rail.symbol)
            : isEnabled && error === null && words.looksUp}
        </p>
      )}
      <PaidNow />
    </form>
  );
}

/** If an API key pays for calls, warns the customer that a top-up does not go to the key. */
function PaidNow() {
  const credential = useCredential();
  if (credential.kind !== 'demo' && credential.kind !== 'own') return null;
  return (
    <p className="text-xs text-dim">
      {words.paidNow(credential.kind === 'demo' ? words.demoKey : words.yourKey(maskSecret(credential.apiKey)))}
    </p>
  );
}
