'use client';

import { Notice } from '@/components/ui/notice';
import { statusOf } from '@/lib/browser/call-failure';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { formatDateTime } from '@/lib/browser/moments';
import { useStoredValue } from '@/lib/browser/stored-value';
import { keptWithdrawals, withdrawalsKeptFor } from '@/lib/browser/top-up/kept-withdrawals';
import { formatUnits } from '@/lib/browser/top-up/usd-amount';
import { usePayRails } from '@/lib/browser/top-up/use-pay-rails';
import { isOpen, useWithdrawals } from '@/lib/browser/top-up/use-withdrawals';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { withdrawalWords as words } from '@/lib/browser/words/withdrawal';
import type { Withdrawal, WithdrawalDraft } from '@/lib/client';
import { useState } from 'react';
import { TransactionLink } from './transaction-link';
import { type Offer, WithdrawForm } from './withdraw-form';
import { WithdrawReview } from './withdraw-review';
import { WithdrawalLine } from './withdrawal-line';

const LISTED_MAX = 5;

/** Withdraws prepaid money, and follows withdrawals. Empty if the gateway offers none. */
export function WithdrawSection({ wallet, signIn }: { wallet: ConnectedWallet; signIn: string }) {
  const { data, error, refetch } = useWithdrawals(wallet.address, signIn);
  const { rails } = usePayRails();
  useStoredValue(keptWithdrawals);
  const kept = withdrawalsKeptFor(wallet.address);
  const [drafted, setDrafted] = useState<{ draft: WithdrawalDraft; offer: Offer } | null>(null);
  if (data === undefined) {
    const isOffered = error !== null && statusOf(error) !== 404 && statusOf(error) !== 401;
    return isOffered ? <Notice tone="bad" title={error.message} /> : null;
  }
  const offers = data.terms.flatMap((terms): Offer[] => {
    const rail = rails.find(({ network, asset }) => network === terms.network && asset === terms.asset);
    return rail !== undefined && BigInt(terms.withdrawable) >= BigInt(terms.minimum) ? [{ terms, rail }] : [];
  });
  const [first, ...others] = offers;
  const isUnderWay = kept.length > 0 || data.withdrawals.some(isOpen);
  return (
    <section aria-label={words.title} className="grid gap-3 rounded-md border border-line p-4">
      <div className="grid gap-1">
        <h3 className="text-sm font-medium">{words.title}</h3>
        <p className="text-sm text-dim">{words.intro}</p>
      </div>
      {data.refused !== null && (
        <Notice tone="bad" title={data.refused.message}>
          {data.refused.detail.hint ?? words.nothingDebited}
        </Notice>
      )}
      {kept.map(({ signature, statement, decimals }) => (
        <div key={signature} role="status" className="grid gap-2">
          <p className="figures text-sm">{words.label(formatUnits(BigInt(statement.amount), decimals))}</p>
          <WithdrawalLine withdrawal={null} />
          <p className="text-xs text-dim">{words.notKnown}</p>
        </div>
      ))}
      {drafted !== null ? (
        <WithdrawReview
          {...drafted}
          wallet={wallet}
          onBack={() => setDrafted(null)}
          onSigned={() => {
            setDrafted(null);
            void refetch();
          }}
        />
      ) : first !== undefined ? (
        <WithdrawForm
          wallet={wallet}
          gateway={data.gateway}
          offers={[first, ...others]}
          onDraft={(draft, offer) => setDrafted({ draft, offer })}
        />
      ) : (
        !isUnderWay && <p className="text-sm text-dim">{words.nothing}</p>
      )}
      {data.withdrawals.length > 0 && (
        <ul aria-label={words.history} className="grid divide-y divide-line border-t border-line">
          {data.withdrawals.slice(0, LISTED_MAX).map((each) => (
            <Row key={each.id} withdrawal={each} rails={rails} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ withdrawal, rails }: { withdrawal: Withdrawal; rails: ReturnType<typeof usePayRails>['rails'] }) {
  const { amountUsd, feeUsd, network, transaction, waitingFor, error, createdAt, state } = withdrawal;
  const rail = rails.find((each) => each.network === network);
  return (
    <li className="grid gap-2 py-3 last:pb-0" aria-label={words.label(formatUsdNumber(amountUsd))}>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="figures font-medium">{formatUsdNumber(amountUsd)}</span>
        <span className="text-dim">
          {words.fee} <span className="figures">{formatUsdNumber(feeUsd)}</span>
          {rail && ` · ${rail.title}`}
        </span>
        <time dateTime={createdAt} className="figures text-xs text-dim">
          {formatDateTime(Date.parse(createdAt))}
        </time>
      </p>
      <div role={isOpen(withdrawal) ? 'status' : undefined} className="grid gap-1">
        <WithdrawalLine withdrawal={withdrawal} />
        {isOpen(withdrawal) && <p className="text-xs text-dim">{waitingFor ?? words.isKept}</p>}
        {state === 'failed' && (
          <p className="text-xs text-bad">
            {words.creditedBack(formatUsdNumber(amountUsd))} {error}
          </p>
        )}
      </div>
      {rail && transaction !== null && <TransactionLink rail={rail} transaction={transaction} />}
    </li>
  );
}
