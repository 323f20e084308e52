'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { formatUsdNumber } from '@/lib/browser/amounts';
import type { KeptPayment } from '@/lib/browser/top-up/kept-payments';
import type { PaymentProgress } from '@/lib/browser/top-up/payment-follower';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import { sameAddress } from '@/lib/browser/wallet/wallet-address';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { TransactionLink } from './transaction-link';

/** What was credited, where it is on chain, and what to do with it. */
export function Receipt({ kept, outcome, onDone }: { kept: KeptPayment; outcome: Extract<PaymentProgress, { status: 'credited' }>['outcome']; onDone: () => void }) {
  const { evm, solana } = useWallets();
  const { start, isPending, error } = useSignIn();
  const router = useRouter();
  const isConnected = [evm, solana].some((wallet) => wallet !== null && sameAddress(wallet.address, kept.payer));
  const spend = () => start({ family: kept.family, address: kept.payer }, () => router.push('/rpc'));
  return (
    <>
      <div role="status" aria-label="Receipt">
        <dl className="grid gap-2 text-sm">
          <Line name="Credited">
            <span className="figures text-good">{formatUsdNumber(outcome.amountCreditedUsd)}</span>
          </Line>
          <Line name="New balance">
            <span className="figures">{formatUsdNumber(outcome.newBalanceUsd)}</span>
          </Line>
          <Line name="Payment">
            <span className="flex items-center gap-1">
              <code className="figures min-w-0 text-xs break-all">{outcome.paymentId}</code>
              <CopyButton text={outcome.paymentId} label="Copy the payment's ID" iconOnly className="-my-1 size-6 pointer-coarse:size-8" />
            </span>
          </Line>
          {outcome.transaction !== '' && (
            <Line name="Transaction">
              <TransactionLink rail={kept} transaction={outcome.transaction} />
            </Line>
          )}
        </dl>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={isPending} onClick={isConnected ? spend : chooseWallet}>
          {isPending ? 'Look at your wallet…' : isConnected ? 'Spend it on the RPC page' : 'Connect the wallet to spend it'}
          <ArrowRight aria-hidden />
        </Button>
        <Button onClick={onDone}>Pay in more</Button>
      </div>
      <p className="text-xs text-faint">Spending asks the wallet for a sign-in once in 8 hours. It moves nothing by itself.</p>
      {error !== null && <WalletProblem error={error} onRetry={spend} />}
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
