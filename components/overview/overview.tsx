'use client';

import { BrandLinks } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { onApproach } from '@/components/ui/on-approach';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { useCredential } from '@/lib/browser/credential/credential';
import { callHref } from '@/lib/browser/page/console-pages';
import { payerPanel } from '@/lib/browser/page/opened';
import { useFirstNetwork, useGatewaySettings, useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { firstMethodOf } from '@/lib/browser/rpc/first-request';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { chooseWallet, useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight, Wallet } from 'lucide-react';
import { AtAGlance } from './at-a-glance';
import { NextStep, useNeedsTopUp } from './next-step';
import { Section } from './section';
import { overviewWords } from './words';

const skeletonWords = overviewWords.lowerHalf;

function LowerHalfSkeleton() {
  return (
    <div className="grid gap-8">
      <Place title={skeletonWords.firstCall} className="h-72" />
      <Place title={skeletonWords.networks} anchor="networks" className="h-[55rem] sm:h-96" />
      <Place title={skeletonWords.models} className="h-[52rem] sm:h-[28rem]" />
    </div>
  );
}

function Place({ title, anchor, className }: { title: string; anchor?: string; className: string }) {
  return (
    <Section title={title} {...(anchor === undefined ? {} : { anchor })}>
      <Skeleton className={className} />
    </Section>
  );
}

const OpenCall = onDemand(() => import('./open-call').then((module) => module.OpenCall), {
  waiting: <Skeleton className="h-20" />,
});
const RecentCalls = onApproach(() => import('./recent-calls').then((module) => module.RecentCalls), {
  waiting: <Place title={overviewWords.lastCalls.title} className="h-80" />,
});
const DollarTable = onApproach(() => import('./dollar-table').then((module) => module.DollarTable), {
  waiting: <Place title={skeletonWords.dollar} className="h-96" />,
});
const LowerHalf = onApproach(() => import('./lower-half').then((module) => module.LowerHalf), {
  waiting: <LowerHalfSkeleton />,
});

export function Overview() {
  const credential = useCredential();
  const { data: settings } = useGatewaySettings();
  const isLive = settings?.profile === 'live';
  const isWalletOfUse = useIsWalletOfUse();
  const isVisitor = isLive && credential.kind === 'none';
  const needsTopUp = useNeedsTopUp();
  const wallets = useConnectedWallets();
  const hydrated = useHydrated();
  const network = useFirstNetwork() ?? 'sandbox-testnet';
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid max-w-2xl gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight text-balance">
            {isWalletOfUse ? overviewWords.title : overviewWords.titleOfKeys}
          </h1>
          <p className="text-lg text-dim">{overviewWords.intro(settings?.offers ?? {})}</p>
        </div>
        {isVisitor ? (
          <div className="flex flex-wrap gap-2">
            {isWalletOfUse && (
              <Button tone="primary" onClick={() => chooseWallet('connect')}>
                <Wallet aria-hidden />
                {overviewWords.hero.connect}
              </Button>
            )}
            <Button
              tone={isWalletOfUse ? 'outline' : 'primary'}
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => payerPanel.set(true, () => currentTarget)}
            >
              {overviewWords.hero.haveKey}
            </Button>
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button asChild tone="primary">
              <PageLink href={needsTopUp ? '/top-up' : callHref(network, firstMethodOf(network))}>
                {needsTopUp ? overviewWords.glance.topUp : overviewWords.makeACall}
                <ArrowRight aria-hidden />
              </PageLink>
            </Button>
            {isWalletOfUse && wallets.length === 0 && (
              <Button
                className={hydrated ? '' : 'in-[[data-wallets~=evm]]:hidden in-[[data-wallets~=solana]]:hidden'}
                onClick={() => chooseWallet('pay')}
              >
                <Wallet aria-hidden />
                {overviewWords.hero.connect}
              </Button>
            )}
          </div>
        )}
      </header>
      <AtAGlance />
      {isVisitor ? <OpenCall /> : <NextStep network={network} profile={isLive ? 'live' : 'sandbox'} />}
      <div className="grid gap-8 lg:grid-cols-2">
        <RecentCalls network={network} />
        <DollarTable />
      </div>
      <LowerHalf network={network} credential={credential} />
      <BrandLinks className="xl:hidden" />
    </div>
  );
}
