'use client';

import { SlowWallet } from '@/components/wallet/slow-wallet';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import type { WithdrawalDraft } from '@/lib/client';
import { formatMoment } from '@/lib/browser/moments';
import { useHasPassed } from '@/lib/browser/clock';
import { useAction } from '@/lib/browser/reads/use-action';
import { formatUnits } from '@/lib/browser/top-up/usd-amount';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { withdrawalWords as words } from '@/lib/browser/words/withdrawal';
import { ArrowLeft, PenLine } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Offer } from './withdraw-form';

interface WithdrawReviewProps {
  draft: WithdrawalDraft;
  offer: Offer;
  wallet: ConnectedWallet;
  onSigned: () => void;
  onBack: () => void;
}

/** Shows exactly what the wallet will sign, as a receipt, and asks the wallet. */
export function WithdrawReview({ draft, offer: { terms, rail }, wallet, onSigned, onBack }: WithdrawReviewProps) {
  const { statement } = draft;
  const expiresAtMs = Number(statement.validBefore) * 1_000;
  const hasExpired = useHasPassed(expiresAtMs);
  const sign = useAction(async () => {
    const { signWithdrawal } = await import('@/lib/browser/top-up/sign-withdrawal');
    await signWithdrawal(draft);
    onSigned();
  });
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
  }, []);
  const shown = (units: bigint): string => `${formatUnits(units, terms.decimals)} ${terms.symbol}`;
  const [amount, fee] = [BigInt(statement.amount), BigInt(statement.fee)];
  return (
    <div className="grid max-w-xl gap-3">
      <h4 className="text-sm font-medium">{words.youSign}</h4>
      <dl className="grid gap-2 text-sm">
        <Line name={words.debited}>{shown(amount)}</Line>
        <Line name={words.fee}>{shown(fee)}</Line>
        <Line name={words.arrives}>{shown(amount - fee)}</Line>
        <Line name={words.network}>{rail.title}</Line>
        <Line name={words.receiver}>{statement.to}</Line>
        <Line name={words.gateway}>{statement.gateway}</Line>
        <Line name={words.validUntil}>{formatMoment(expiresAtMs)}</Line>
      </dl>
      {sign.error !== null && <WalletProblem error={sign.error} chainId={rail.chainId} />}
      {sign.isPending && <SlowWallet onStop={onBack} />}
      <div className="flex flex-wrap gap-2">
        <Button ref={button} tone="primary" disabled={sign.isPending || hasExpired} onClick={() => void sign.run()}>
          <PenLine aria-hidden />
          {sign.isPending
            ? words.lookAtWallet
            : sign.error !== null
              ? words.tryAgain
              : words.signWith(wallet.walletName)}
        </Button>
        <Button onClick={onBack}>
          <ArrowLeft aria-hidden />
          {words.change}
        </Button>
      </div>
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-dim">{name}</dt>
      <dd className="figures min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
