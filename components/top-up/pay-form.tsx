'use client';

import { FundButton } from '@/components/wallet/fund-button';
import { SwitchChainButton } from '@/components/wallet/switch-chain-button';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useSandbox } from '@/lib/browser/sandbox';
import type { PayRail } from '@/lib/browser/top-up/pay-rails';
import { formatUnits, readUsdAmount } from '@/lib/browser/top-up/usd-amount';
import type { PayState, PayWish } from '@/lib/browser/top-up/use-pay';
import { usePaymentTerms } from '@/lib/browser/top-up/use-payment-terms';
import { useTokenBalance } from '@/lib/browser/top-up/use-token-balance';
import { useWalletChain } from '@/lib/browser/wallet/use-wallet-chain';
import { chooseWallet, type ConnectedWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight, Wallet } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { AmountField } from './amount-field';
import { DraftProblem } from './draft-problem';
import { RailChoice } from './rail-choice';

interface PayFormProps {
  rails: readonly PayRail[];
  rail: PayRail;
  onRail: (network: string) => void;
  amount: string;
  onAmount: (text: string) => void;
  state: Extract<PayState, { step: 'form' | 'drafting' } | { at: 'draft' }>;
  onReview: (wish: PayWish) => void;
}

/** How much, and on which chain. */
export function PayForm({ rails, rail, onRail, amount, onAmount, state, onReview }: PayFormProps) {
  const wallet = useWallets()[rail.family];
  const minimumUnits = usePaymentTerms(rail);
  const [showProblem, setShowProblem] = useState(false);
  const typed = readUsdAmount(amount, { decimals: rail.decimals, minimumUnits });
  const balance = useTokenBalance(rail, wallet).data;
  const lacks = typed.ok && balance !== undefined && balance < typed.units;
  const isElsewhere = wallet !== null && isOnOtherChain(rail, wallet);
  const isDrafting = state.step === 'drafting';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(!typed.ok);
    if (typed.ok && wallet !== null && !isElsewhere && !lacks) onReview({ rail, wallet, usd: typed.usd, units: typed.units });
  };
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-5">
      <AmountField value={amount} minimum={formatUnits(minimumUnits, rail.decimals)} problem={showProblem && !typed.ok ? typed.sentence : null} disabled={isDrafting} onChange={onAmount} />
      <RailChoice rails={rails} chosen={rail.network} disabled={isDrafting} onChoose={onRail} />
      {wallet !== null && <WalletNeeds rail={rail} wallet={wallet} balance={balance} lacks={lacks} />}
      {state.step === 'failed' && <DraftProblem error={state.error} />}
      {wallet === null ? (
        <Button tone="primary" className="justify-self-start" onClick={chooseWallet}>
          <Wallet aria-hidden />
          {rail.family === 'evm' ? 'Connect an Ethereum wallet' : 'Connect a Solana wallet'}
        </Button>
      ) : (
        <Button type="submit" tone="primary" className="justify-self-start" disabled={isDrafting || lacks || isElsewhere}>
          {isDrafting ? 'Preparing…' : typed.ok ? `Review ${formatUnits(typed.units, rail.decimals)} ${rail.symbol}` : 'Review'}
          <ArrowRight aria-hidden />
        </Button>
      )}
    </form>
  );
}

/** Wallets sign typed data for the chain that they are on; the demo wallet signs for every stand-in. */
function isOnOtherChain(rail: PayRail, wallet: ConnectedWallet): boolean {
  return rail.family === 'evm' && !wallet.isDemo && wallet.chainId !== rail.chainId;
}

/** What stands between this wallet and the payment, and what helps. */
function WalletNeeds({ rail, wallet, balance, lacks }: { rail: PayRail; wallet: ConnectedWallet; balance: bigint | undefined; lacks: boolean }) {
  const sandbox = useSandbox();
  const { chain } = useWalletChain();
  const isElsewhere = isOnOtherChain(rail, wallet);
  if (isElsewhere && rail.chainId === chain.id) {
    return (
      <Notice tone="warn" title={`Your wallet is on another chain than ${rail.title}.`} actions={<SwitchChainButton tone="primary" />}>
        Wallets sign payments for the chain that they are on.
      </Notice>
    );
  }
  if (isElsewhere) {
    return (
      <Notice tone="warn" title={`Your wallet would sign for the real ${rail.title}, which this sandbox only stands in for.`}>
        Choose {chain.name} instead. The stand-in of {rail.title} is for API clients and for the demo wallet.
      </Notice>
    );
  }
  if (!lacks) return null;
  return (
    <Notice tone="warn" title={balance === 0n ? `The wallet has no ${rail.symbol} on ${rail.title}.` : `The wallet has only ${formatUnits(balance ?? 0n, rail.decimals)} ${rail.symbol} on ${rail.title}.`} actions={sandbox.data && <FundButton />}>
      {sandbox.data ? `The faucet gives ${rail.symbol} for the sandbox. Nothing else is needed: the gateway pays the network fee.` : `Send ${rail.symbol} on ${rail.title} to ${wallet.address}, or choose a smaller amount. Nothing else is needed: the gateway pays the network fee.`}
    </Notice>
  );
}
