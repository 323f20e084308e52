'use client';

import { billingWords as words } from '@/components/billing/words';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { PageLink } from '@/components/ui/page-link';
import { SignInAgain } from '@/components/wallet/sign-in-again';
import { type Credential, endUseOf, forgetKey, maskSecret } from '@/lib/browser/credential/credential';
import { useNow } from '@/lib/browser/page/clock';
import { TOP_UP_PAGE } from '@/lib/browser/page/console-pages';
import { statusOf } from '@/lib/browser/reads/gateway';
import { useIsPageOffered, useIsWalletOfUse, useSandbox } from '@/lib/browser/reads/settings';
import { formatBalance } from '@/lib/browser/text/amounts';
import { formatCountdown } from '@/lib/browser/text/moments';
import { sameAddress, shortAddress, useWallets, type WalletFamily } from '@/lib/browser/wallet/wallet-store';
import type { Balance } from '@/lib/client';
import { type ReactNode, useState } from 'react';
import { KeyForm } from './key-form';
import { PayerChoices } from './payer-choices';
import { useBalance } from './use-balance';
import { payingWords } from './words';

export function PayerPanel({ credential, onDone }: { credential: Credential; onDone: () => void }) {
  return (
    <>
      <CurrentPayer credential={credential} onDone={onDone} />
      {credential.presented !== null && <WhatItHas isKey={credential.kind !== 'wallet'} onLeave={onDone} />}
      <PayerChoices credential={credential} onChosen={onDone} />
      <KeyForm onDone={onDone} />
    </>
  );
}

function WhatItHas({ isKey, onLeave }: { isKey: boolean; onLeave: () => void }) {
  const { balance, totalUsd, error } = useBalance();
  const isOffered = useIsPageOffered();
  return (
    <div className="grid gap-3">
      {balance !== null && <BalancePots balance={balance} />}
      {error !== null && (
        <p role="status" className="text-xs text-bad">
          {statusOf(error) === 401 ? error.message : payingWords.balanceUnread}
        </p>
      )}
      {isKey && totalUsd === 0 && isOffered('/top-up') && (
        <p className="text-xs text-dim">{payingWords.keysKeepApart}</p>
      )}
      <div className="flex gap-2">
        <Button asChild size="sm">
          <PageLink href="/usage" onClick={onLeave}>
            {payingWords.usage}
          </PageLink>
        </Button>
        {TOP_UP_PAGE !== null && !isKey && isOffered(TOP_UP_PAGE) && (
          <Button asChild size="sm">
            <PageLink href={TOP_UP_PAGE} onClick={onLeave}>
              {payingWords.topUp}
            </PageLink>
          </Button>
        )}
      </div>
    </div>
  );
}

function CurrentPayer({ credential, onDone }: { credential: Credential; onDone: () => void }) {
  const isWalletOfUse = useIsWalletOfUse();
  switch (credential.kind) {
    case 'own':
    case 'demo':
      return <PayingKey credential={credential} />;
    case 'wallet':
      return (
        <PayingWallet address={credential.address} family={credential.family} expiresAtMs={credential.expiresAtMs} />
      );
    case 'signed-out':
      return (
        <Heading name={payingWords.nobody}>
          <p className="text-dim">
            {payingWords.ended.before} <span className="figures text-xs">{shortAddress(credential.address)}</span>{' '}
            {payingWords.ended.after}
          </p>
          <div className="flex flex-wrap gap-2">
            <SignInAgain address={credential.address} family={credential.family} onDone={onDone} />
          </div>
        </Heading>
      );
    case 'none':
      return (
        <Heading name={payingWords.nobody}>
          <p className="text-dim">{isWalletOfUse ? payingWords.readOnly : payingWords.readOnlyKeys}</p>
        </Heading>
      );
    case 'pending':
      return <p className="text-dim">{payingWords.lookingUp}</p>;
  }
}

function Heading({ name, badge, children }: { name: string; badge?: string; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-sm font-medium">{name}</h2>
        {badge !== undefined && <Badge tone="amber">{badge}</Badge>}
      </div>
      {children}
    </div>
  );
}

function PayingWallet({
  address,
  family,
  expiresAtMs,
}: {
  address: string;
  family: WalletFamily;
  expiresAtMs: number;
}) {
  const nowMs = useNow(1000);
  const connected = useWallets()[family];
  const isConnected = connected !== null && sameAddress(connected.address, address);
  return (
    <Heading name={payingWords.pays} badge={payingWords.signedIn[family]}>
      <code className="figures rounded-md border border-line bg-surface px-2.5 py-2 text-xs break-all">{address}</code>
      <p className="text-xs text-dim">
        {payingWords.prepaid.before} <span className="figures">{formatCountdown(expiresAtMs - nowMs)}</span>
        {payingWords.prepaid.after}
        {!isConnected && ` ${payingWords.notConnected}`}
      </p>
      <Button size="sm" onClick={() => endUseOf(address)} className="justify-self-start">
        {payingWords.signOut}
      </Button>
    </Heading>
  );
}

function PayingKey({ credential }: { credential: Extract<Credential, { kind: 'own' | 'demo' }> }) {
  const sandbox = useSandbox();
  const [shown, setShown] = useState(false);
  const badge =
    credential.kind === 'demo'
      ? payingWords.demoBadge
      : credential.remember
        ? payingWords.keptBadge
        : payingWords.tabBadge;
  return (
    <Heading name={payingWords.pays} badge={badge}>
      <div className="flex items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="figures min-w-0 flex-1 text-xs break-all">
          {shown ? credential.apiKey : maskSecret(credential.apiKey)}
        </code>
        <Button tone="quiet" size="sm" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? payingWords.hide : payingWords.show}
        </Button>
        <CopyButton text={credential.apiKey} label={payingWords.copyKey} iconOnly />
      </div>
      {credential.kind === 'own' && (
        <Button onClick={() => forgetKey(sandbox.data ? 'demo' : 'nobody')} className="justify-self-start">
          {sandbox.data ? payingWords.forgetForDemo : payingWords.forget}
        </Button>
      )}
    </Heading>
  );
}

function BalancePots({ balance }: { balance: Balance }) {
  const { balances, x402Usd, consumptionCurrency } = balance;
  const pots = [
    { currency: 'DIEM', pot: 'diem', usd: balances.diem },
    { currency: 'BUNDLED_CREDITS', pot: 'bundled', usd: balances.bundledCredits },
    { currency: 'USD', pot: 'usd', usd: balances.usd },
    { currency: 'X402', pot: 'x402', usd: x402Usd },
  ] as const;
  const hasAllocations = useIsPageOffered()('/keys') || balance.diemEpochAllocation > 0;
  // Only the operator grants bundled credits and USD, so most customers never have them.
  const shown = pots.filter(({ pot, usd }) =>
    pot === 'bundled' || pot === 'usd' || (pot === 'diem' && !hasAllocations) ? usd !== 0 : usd !== undefined,
  );
  return (
    <div className="grid gap-3">
      <dl className="divide-y divide-line overflow-hidden rounded-md border border-line text-sm">
        {shown.map(({ currency, pot, usd = 0 }) => (
          <div key={currency} className="flex items-center gap-3 px-3 py-2">
            <dt className="flex-1 text-dim">
              {words.pots[pot]}
              {currency === consumptionCurrency && balance.canConsume && (
                <span className="ml-2 text-xs text-amber-ink">{words.nextCall}</span>
              )}
              <span className="block text-xs text-faint">{words.potNotes[pot]}</span>
            </dt>
            <dd className="figures">{formatBalance(usd)}</dd>
          </div>
        ))}
      </dl>
      {hasAllocations && <AllocationLine balance={balance} />}
    </div>
  );
}

export function AllocationLine({ balance: { diemEpochAllocation, diemEpochEndsAt } }: { balance: Balance }) {
  const leftMs = Date.parse(diemEpochEndsAt) - useNow(1000);
  return (
    <p className="text-xs text-dim">
      {diemEpochAllocation > 0 ? (
        <>
          {words.allocationIs} <span className="figures">{formatBalance(diemEpochAllocation)}</span>
          {words.isRenewed}
        </>
      ) : (
        words.noAllocation
      )}{' '}
      <span className="figures">{formatCountdown(leftMs)}</span>
      {words.atMidnight}
    </p>
  );
}
