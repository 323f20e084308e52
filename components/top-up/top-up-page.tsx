'use client';

import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { useCredential } from '@/lib/browser/credential';
import { useSandbox } from '@/lib/browser/sandbox';
import { useGatewaySettings } from '@/lib/browser/settings';
import { keptPayments } from '@/lib/browser/top-up/kept-payments';
import { payRailsOf } from '@/lib/browser/top-up/pay-rails';
import { resumePayments, usePayments } from '@/lib/browser/top-up/payment-follower';
import { topUpRequests } from '@/lib/browser/top-up/top-up-requests';
import { useStoredValue } from '@/lib/browser/stored-value';
import { useWallets, useWalletsWanted } from '@/lib/browser/wallet/wallet-store';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { MovementsSection } from './movements-section';
import { PaySection } from './pay-section';
import { PaymentCard } from './payment-card';

/** Pay USDC in, follow payments that are under way, and see what moved a wallet's prepaid balance. */
export function TopUpPage() {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  const { evm, solana, layer } = useWallets();
  const isConnecting = useWalletsWanted() && layer === null;
  const credential = useCredential();
  const queries = useQueryClient();
  const kept = useStoredValue(keptPayments);
  const payments = usePayments();
  useEffect(() => resumePayments(queries), [kept, queries]);
  const rails = useMemo(() => payRailsOf(settings.data ?? null, sandbox.data ?? null), [settings.data, sandbox.data]);
  // One payment at a time: a form beside a payment that is under way invites to pay twice.
  const isPaying = payments.length > 0;
  const isLoading = settings.isPending || sandbox.isPending || isConnecting;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">Top up</h1>
        <p className="text-dim">Pay USDC once and spend it by the call. The wallet signs, the gateway pays the network fee, and the balance is the wallet&apos;s: no account, no key.</p>
      </header>
      {payments.map((payment) => (
        <PaymentCard key={payment.kept.id} payment={payment} />
      ))}
      {!isPaying && settings.isError && (
        <Notice tone="bad" title="The gateway does not say how it is paid." actions={<Button size="sm" onClick={() => void settings.refetch()}>Try again</Button>}>
          {settings.error.message}
        </Notice>
      )}
      {!isPaying && settings.data && !sandbox.isPending && rails.length === 0 && (
        <Notice tone="warn" title="This gateway takes no payments.">Its operator has configured none. Ask the operator for credit, or call with a key that has some.</Notice>
      )}
      {!isPaying && isLoading && !settings.isError && <PaySkeleton />}
      {!isPaying && !isLoading && rails.length > 0 && <PaySection rails={rails} />}
      <MovementsSection wallets={[evm, solana].flatMap((wallet) => (wallet === null ? [] : [wallet]))} payer={payments[0]?.kept.family ?? null} />
      <RequestCode requests={topUpRequests(credential.kind === 'wallet' ? credential.address : ((evm ?? solana)?.address ?? null))} credential={credential.presented} />
    </div>
  );
}

function PaySkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-96" />
    </div>
  );
}
