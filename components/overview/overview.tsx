'use client';

import { BrandLinks } from '@/components/shell/brand-links';
import { Button } from '@/components/ui/button';
import { onApproach } from '@/components/ui/on-approach';
import { PageLink } from '@/components/ui/page-link';
import { callHref } from '@/lib/browser/rpc/call-href';
import { useCredential } from '@/lib/browser/credential';
import { payerPanel } from '@/lib/browser/opened';
import { useSandbox } from '@/lib/browser/sandbox';
import { useGatewaySettings } from '@/lib/browser/settings';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { overviewWords as words } from '@/lib/browser/words/overview';
import { ArrowRight, Wallet } from 'lucide-react';
import { AtAGlance } from './at-a-glance';
import { NextStep } from './next-step';
import { OpenCall } from './open-call';
import { LowerHalfSkeleton } from './lower-half-skeleton';

const LowerHalf = onApproach(() => import('./lower-half').then((module) => module.LowerHalf), {
  waiting: <LowerHalfSkeleton />,
});

export function Overview() {
  const sandbox = useSandbox();
  const credential = useCredential();
  const isLive = useGatewaySettings().data?.profile === 'live';
  const isVisitor = isLive && credential.kind === 'none';
  const network = sandbox.data === null ? 'ethereum-mainnet' : 'sandbox-testnet';
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid max-w-2xl gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight text-balance">{words.title}</h1>
          <p className="text-lg text-dim">{words.intro}</p>
        </div>
        {isVisitor ? (
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" onClick={() => chooseWallet('connect')}>
              <Wallet aria-hidden />
              {words.hero.connect}
            </Button>
            <Button aria-haspopup="dialog" onClick={({ currentTarget }) => payerPanel.set(true, () => currentTarget)}>
              {words.hero.haveKey}
            </Button>
          </div>
        ) : (
          <Button asChild tone="primary">
            <PageLink href={callHref(network, 'eth_blockNumber')}>
              {words.makeACall}
              <ArrowRight aria-hidden />
            </PageLink>
          </Button>
        )}
      </header>
      <AtAGlance />
      {isVisitor ? <OpenCall /> : <NextStep network={network} profile={isLive ? 'live' : 'sandbox'} />}
      <LowerHalf network={network} credential={credential} />
      <BrandLinks className="xl:hidden" />
    </div>
  );
}
