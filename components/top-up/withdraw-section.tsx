'use client';

import { RailMark } from '@/components/marks/rail-mark';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Summary } from '@/components/ui/summary';
import { SlowWallet, WalletProblem } from '@/components/wallet/wallet-problem';
import { useHasPassed } from '@/lib/browser/page/clock';
import { statusOf } from '@/lib/browser/reads/gateway';
import { useAction } from '@/lib/browser/reads/use-read';
import { useStoredValue } from '@/lib/browser/storage/stored-value';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import { formatDateTime, formatMoment } from '@/lib/browser/text/moments';
import { formatUnits, usePayRails } from '@/lib/browser/wallet/pay-rails';
import { type ConnectedWallet, shortAddress } from '@/lib/browser/wallet/wallet-store';
import type { Withdrawal, WithdrawalDraft } from '@/lib/client';
import { ArrowLeft, PenLine } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { keptWithdrawals, withdrawalsKeptFor } from './kept-withdrawals';
import { type LinePlace, ProgressLine } from './progress-line';
import { TransactionLink } from './transaction-link';
import { isOpen, useWithdrawals } from './use-withdrawals';
import { type Offer, WithdrawForm } from './withdraw-form';
import { withdrawalWords as words } from './withdrawal-words';

const LISTED_MAX = 5;
const ANCHOR = 'withdraw';

function isLinked(): boolean {
  return window.location.hash === `#${ANCHOR}`;
}

/** Scrolls to the linked section, because the section appears after the browser has looked for it. */
function showLinked(section: HTMLElement | null): void {
  if (isLinked()) section?.scrollIntoView({ block: 'center' });
}

export function WithdrawSection({ wallet, signIn }: { wallet: ConnectedWallet; signIn: string }) {
  const { data, error, refetch } = useWithdrawals(wallet.address, signIn);
  const { rails } = usePayRails();
  useStoredValue(keptWithdrawals);
  const kept = withdrawalsKeptFor(wallet.address);
  const [isAsked, setIsAsked] = useState(isLinked);
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
    <section ref={showLinked} id={ANCHOR} aria-label={words.title} className="grid gap-2 border-y border-line py-1">
      {data.refused !== null && (
        <Notice tone="bad" title={data.refused.message}>
          {data.refused.detail.hint ?? words.nothingDebited}
        </Notice>
      )}
      {drafted !== null || first !== undefined ? (
        <details open={isAsked} onToggle={(event) => setIsAsked(event.currentTarget.open)} className="group">
          <Summary className="min-h-9 text-sm hover:text-ink pointer-coarse:min-h-11">
            <span className="font-medium">{words.title}</span>
            {first !== undefined && others.length === 0 && (
              <span className="ml-auto text-right text-dim tabular-nums">
                {words.can(
                  `${formatUnits(BigInt(first.terms.withdrawable), first.terms.decimals)} ${first.terms.symbol}`,
                )}
              </span>
            )}
          </Summary>
          <div className="grid gap-3 pt-2 pb-3">
            <p className="text-sm text-dim">{words.intro}</p>
            {drafted !== null ? (
              <WithdrawReview
                {...drafted}
                wallet={wallet}
                onBack={() => setDrafted(null)}
                onSigned={() => {
                  setDrafted(null);
                  setIsAsked(false);
                  void refetch();
                }}
              />
            ) : (
              first !== undefined && (
                <WithdrawForm
                  wallet={wallet}
                  gateway={data.gateway}
                  offers={[first, ...others]}
                  onDraft={(draft, offer) => setDrafted({ draft, offer })}
                />
              )
            )}
          </div>
        </details>
      ) : (
        !isUnderWay && <p className="text-sm text-dim">{words.nothing}</p>
      )}
      {kept.map(({ signature, statement, decimals }) => (
        <div key={signature} role="status" className="grid gap-2">
          <p className="figures text-sm">{words.label(formatUnits(BigInt(statement.amount), decimals))}</p>
          <WithdrawalLine withdrawal={null} />
          <p className="text-xs text-dim">{words.notKnown}</p>
        </div>
      ))}
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
  const { amountUsd, feeUsd, to, network, transaction, waitingFor, error, createdAt, state } = withdrawal;
  const rail = rails.find((each) => each.network === network);
  return (
    <li className="grid gap-2 py-3" aria-label={words.label(formatUsdNumber(amountUsd))}>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="figures font-medium">{formatUsdNumber(amountUsd)}</span>
        <span className="text-dim">
          {words.fee} <span className="figures">{formatUsdNumber(feeUsd)}</span>
          {rail && (
            <>
              {' · '}
              <RailMark slug={rail.rpcNetwork} className="mb-0.5 inline size-3.5" /> {rail.title}
            </>
          )}
        </span>
        <time dateTime={createdAt} className="figures text-xs text-dim">
          {formatDateTime(Date.parse(createdAt))}
        </time>
      </p>
      <div role={isOpen(withdrawal) ? 'status' : undefined} className="grid gap-1">
        <WithdrawalLine withdrawal={withdrawal} />
        {state !== 'failed' && (
          <p className="text-xs text-dim" title={to}>
            {words.arrivesAt(formatUsdNumber(amountUsd - feeUsd), shortAddress(to))}
          </p>
        )}
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

interface WithdrawReviewProps {
  draft: WithdrawalDraft;
  offer: Offer;
  wallet: ConnectedWallet;
  onSigned: () => void;
  onBack: () => void;
}

function WithdrawReview({ draft, offer: { terms, rail }, wallet, onSigned, onBack }: WithdrawReviewProps) {
  const { statement } = draft;
  const expiresAtMs = Number(statement.validBefore) * 1_000;
  const hasExpired = useHasPassed(expiresAtMs);
  const isWanted = useRef(true);
  const sign = useAction(async () => {
    const { signWithdrawal } = await import('./sign-withdrawal');
    await signWithdrawal(draft, () => isWanted.current);
    if (isWanted.current) onSigned();
  });
  const back = () => {
    // The wallet may still be asking the user. A later signature must not withdraw.
    isWanted.current = false;
    onBack();
  };
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
        <Line name={words.network}>
          <RailMark slug={rail.rpcNetwork} className="mb-0.5 inline size-4" /> {rail.title}
        </Line>
        <Line name={words.receiver}>{statement.to}</Line>
        <Line name={words.gateway}>{statement.gateway}</Line>
        <Line name={words.validUntil}>{formatMoment(expiresAtMs)}</Line>
      </dl>
      {sign.error !== null && <WalletProblem error={sign.error} chainId={rail.chainId} />}
      {sign.isPending && <SlowWallet onStop={back} />}
      {hasExpired && !sign.isPending && (
        <p role="status" className="text-sm text-bad">
          {words.expired}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button ref={button} tone="primary" disabled={sign.isPending || hasExpired} onClick={() => void sign.run()}>
          <PenLine aria-hidden />
          {sign.isPending
            ? words.lookAtWallet
            : sign.error !== null
              ? words.tryAgain
              : words.signWith(wallet.walletName)}
        </Button>
        <Button onClick={back}>
          <ArrowLeft aria-hidden />
          {words.change}
        </Button>
      </div>
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3">
      <dt className="text-dim">{name}</dt>
      <dd className="figures min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

const STEPS = Object.values(words.steps);

/** @param withdrawal null if the gateway has not answered */
function WithdrawalLine({ withdrawal }: { withdrawal: Pick<Withdrawal, 'state' | 'waitingFor'> | null }) {
  return <ProgressLine label={words.progress} steps={STEPS} place={placeOf(withdrawal)} />;
}

function placeOf(withdrawal: Pick<Withdrawal, 'state' | 'waitingFor'> | null): LinePlace {
  switch (withdrawal?.state) {
    case undefined:
    case 'debited':
      return { reached: 1, kind: 'active' };
    case 'submitted':
      return { reached: withdrawal?.waitingFor ? 2 : 1, kind: 'active' };
    case 'sent':
      return { reached: STEPS.length, kind: 'done' };
    case 'failed':
      return { reached: 1, kind: 'failed' };
  }
}
